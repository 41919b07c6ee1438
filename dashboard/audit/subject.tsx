// What a record of the audit says in the person's language: what was done, and to what, with the way there.
import { Go } from '../kit/go';
import { useColleagues } from '../shell/actors';
import { useMerchants } from '../shell/merchants';
import { words } from '../strings/language';
import type { AuditRowFragment } from './queries';

/** An act that has no words yet is told as the audit has it. */
export function actionWord(action: string): string {
  const known: Partial<Record<string, string>> = words().audit.actions;
  return known[action] ?? action;
}

export function subjectWord(subjectType: string): string {
  const known: Partial<Record<string, string>> = words().audit.subjects;
  return known[subjectType] ?? subjectType;
}

/** Where a thing of its kind is looked at; kinds without a screen have none. */
const places: Partial<Record<string, string>> = {
  application: '/onboarding/',
  callback: '/callbacks/',
  callbackEndpoint: '/callbacks/endpoints/',
  job: '/jobs/',
  merchant: '/merchants/',
  payment: '/payments/',
  payout: '/payouts/',
  person: '/people?person=',
  proposal: '/proposals/',
};

export interface Subject extends Pick<AuditRowFragment, 'subjectType' | 'subjectId'> {
  /** As it was told beside it; null: it was not, or is not there any more. */
  merchant?: Pick<NonNullable<AuditRowFragment['merchant']>, 'merchantId' | 'name'> | null;
}

/** Names things where they have one that was told or is known here; others by their ids. */
export function useSubjectNames(): (subject: Subject) => string {
  const { merchants } = useMerchants();
  const colleagues = useColleagues();
  return ({ subjectType, subjectId, merchant = null }) => {
    const told = merchant ? [merchant, ...merchants] : merchants;
    if (subjectType === 'merchant') return told.find((one) => one.merchantId === subjectId)?.name ?? subjectId;
    return (subjectType === 'person' ? colleagues.get(`person:${subjectId}`) : null) ?? subjectId;
  };
}

export function SubjectName({ of }: { of: Subject }) {
  const name = useSubjectNames()(of);
  return (
    <span title={of.subjectId}>
      <span className="soft">{subjectWord(of.subjectType)}</span>{' '}
      <span className={name === of.subjectId ? 'mono' : ''}>{name}</span>
    </span>
  );
}

export function SubjectLink({ of }: { of: Subject }) {
  const place = places[of.subjectType];
  if (!place) return <SubjectName of={of} />;
  return (
    <Go to={place + encodeURIComponent(of.subjectId)}>
      <SubjectName of={of} />
    </Go>
  );
}
