// How this domain saves: an application, its event, its audit record and its mail in one unit of work, decided again when somebody was faster.
import type { RecordChange } from '../../shared/callers/audit';
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Propose } from '../../shared/callers/proposal';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { decideAgain } from '../../shared/store/decide-again';
import { slotOf } from '../../shared/store/slot';
import { DuplicateKey, type InsertWrite, type InTransaction, type UpdateWrite } from '../../shared/store/unit-of-work';
import type { IsMerchantIdTaken, MailInsert, ProvisionMerchant } from '../ports';
import type { OnboardingCase, SentApplication } from './application';
import { statusEvents } from './application.events';
import type { ApplicationRepository } from './application.repository';
import { decideMove, type Move } from './moves';
import { applicationsCollection } from './stored-application.repository';

export interface OnboardingServiceDeps {
  environment: Environment;
  isSandbox: boolean;
  /** Origin of the pages: the verification link is below it. */
  payUrl: string;
  clock: Clock;
  vault: Pick<Vault, 'seal' | 'open'>;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  applications: ApplicationRepository;
  readApplication(sent: unknown): SentApplication;
  mailInsert: MailInsert;
  audit: RecordChange;
  propose: Propose;
  isMerchantIdTaken: IsMerchantIdTaken;
  provisionMerchant: ProvisionMerchant;
}

export interface Saving {
  requestId: string;
  /** null: it is new. */
  read: OnboardingCase | null;
  next: OnboardingCase;
  inserts?: InsertWrite[];
  updates?: UpdateWrite[];
}

/** Commits `next`, and its event when the status is another one. Refuses with `merchantExists` when its merchantId is held by another application. */
export async function saveApplication(
  { inTransaction, applications }: OnboardingServiceDeps,
  { requestId, read, next, inserts = [], updates = [] }: Saving,
): Promise<OnboardingCase> {
  const isNew = read === null;
  const isTold = isNew || read.status !== next.status;
  try {
    await inTransaction({
      inserts: [...(isNew ? [applications.insertOf(next)] : []), ...inserts],
      updates: [...(isNew ? [] : [applications.updateOf(read, next)]), ...updates],
      events: isTold
        ? statusEvents(next, { requestId, previousStatus: read?.status ?? null, merchantSlot: slotOf(next) })
        : [],
    });
  } catch (error) {
    if (error instanceof DuplicateKey && error.collection === applicationsCollection) throw merchantTaken();
    throw error;
  }
  return next;
}

export function merchantTaken(): DomainError {
  return new DomainError('merchantExists', 'The merchantId is taken.', { field: 'application.merchantId' });
}

export interface Moving {
  /** Refuses when there is no such application for the caller. */
  load(): Promise<OnboardingCase>;
  /** null: nothing is to be done after all. */
  move(read: OnboardingCase): Move | null;
  /** Writes for the same transaction. */
  inserts?(read: OnboardingCase, next: OnboardingCase): InsertWrite[];
  updates?(next: OnboardingCase): UpdateWrite[];
}

export interface Moved {
  onboarding: OnboardingCase;
  /** False: no arrow led from its status, nothing changed. */
  isMoved: boolean;
}

/** One arrow of the table, taken once however many try at the same time; without an arrow the application as it is. */
export function moveOnce(
  deps: OnboardingServiceDeps,
  context: Pick<RequestContext, 'requestId'>,
  { load, move, inserts, updates }: Moving,
): Promise<Moved> {
  return decideAgain(async () => {
    const read = await load();
    const wanted = move(read);
    const next = wanted && decideMove(read, wanted, deps.clock.now());
    if (next === null) return { onboarding: read, isMoved: false };
    const { requestId } = context;
    await saveApplication(deps, {
      requestId,
      read,
      next,
      inserts: inserts?.(read, next) ?? [],
      updates: updates?.(next) ?? [],
    });
    return { onboarding: next, isMoved: true };
  });
}

/** One of the caller's applications; refuses with `notFound` what is absent, malformed or somebody else's. */
export async function requireApplication(
  { applications }: OnboardingServiceDeps,
  { caller }: Pick<RequestContext, 'caller'>,
  applicationId: string,
): Promise<OnboardingCase> {
  const found = await applications.find(caller, applicationId);
  if (!found) throw new DomainError('notFound', 'There is no such application.');
  return found;
}
