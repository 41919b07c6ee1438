// What a callback is about and where it goes, short enough for a row: the order, the card or the application, and the address with its end in sight.
import { stateWord } from '../kit/chip';
import { Go } from '../kit/go';
import { shortCard } from '../kit/masked';
import { Middle } from '../kit/middle';
import type { CallbackRowFragment } from './queries';

type Subject = Pick<CallbackRowFragment, 'operation' | 'application' | 'virtualAccount'>;

interface About {
  word: string;
  /** What stays in sight where there is not room for all. */
  end?: string;
  to: string;
}

/** Null: the caller may not see it. */
function aboutOf({ operation, application, virtualAccount }: Subject): About | null {
  if (operation) {
    const { operationType, orderId, paymentId } = operation;
    const end = ` · ${stateWord(operationType)}`;
    return { word: `${orderId ?? paymentId}${end}`, end, to: `/payments/${paymentId}` };
  }
  if (application) {
    const { id, name } = application;
    return { word: `${name} · ${id}`, to: `/onboarding/${id}` };
  }
  if (virtualAccount) {
    const { accountMasked, virtualAccountId } = virtualAccount;
    return { word: shortCard(accountMasked), to: `/tokens/${virtualAccountId}` };
  }
  return null;
}

/** What it is about, else what kind it is. */
export function aboutWord(callback: Subject & Pick<CallbackRowFragment, 'kind'>): string {
  return aboutOf(callback)?.word ?? stateWord(callback.kind);
}

/** The same in a row; the kind is told to who points at it. */
export function AboutName({ of }: { of: Subject & Pick<CallbackRowFragment, 'kind'> }) {
  const about = aboutOf(of);
  const kind = stateWord(of.kind);
  return <Middle text={about?.word ?? kind} title={about ? `${about.word}, ${kind}` : kind} end={about?.end} />;
}

/** Leads to it. */
export function AboutLink({ callback }: { callback: CallbackRowFragment }) {
  const about = aboutOf(callback);
  return about ? <Go to={about.to}>{about.word}</Go> : null;
}

/** The whole address that it is posted to; null where the endpoint has none. */
export function targetOf({
  address,
  path,
  endpoint,
}: Pick<CallbackRowFragment, 'address' | 'path' | 'endpoint'>): string | null {
  if (address) return address;
  return endpoint?.address ? endpoint.address + path : null;
}
