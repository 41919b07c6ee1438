// A job: one act on many things, row by row, with a report; how it begins, goes on, is held and ends (docs/graph.md, Acts in bulk). Pure.
import type { ClientScope, Environment } from '../../shared/callers/caller';
import type { ActingRight } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';

/** What can be done in bulk, by which right; acts of money take an amount and ask for a sign-in of a moment ago. What needs two persons, or answers with a secret, is not among them. */
export const jobActs = {
  REDELIVER_CALLBACK: { right: 'callbacks:write', isMoney: false, takesAmount: false },
  CAPTURE_PAYMENT: { right: 'payments:capture', isMoney: true, takesAmount: true },
  REFUND_PAYMENT: { right: 'payments:refund', isMoney: true, takesAmount: true },
  VOID_PAYMENT: { right: 'payments:cancel', isMoney: true, takesAmount: false },
  ABANDON_APPLICATION: { right: 'onboarding:write', isMoney: false, takesAmount: false },
  RESEND_ACTIVATION: { right: 'onboarding:write', isMoney: false, takesAmount: false },
  DEACTIVATE_MERCHANT: { right: 'merchants:write', isMoney: false, takesAmount: false },
} as const satisfies Record<string, { right: ActingRight; isMoney: boolean; takesAmount: boolean }>;

export type JobAct = keyof typeof jobActs;
export const jobActNames = Object.keys(jobActs) as JobAct[];

export const jobStates = ['RUNNING', 'PAUSED', 'DONE', 'CANCELLED'] as const;
export type JobState = (typeof jobStates)[number];

/** Rows of one job. */
export const jobRowsMax = 10_000;
/** How long a job and its report are kept after its beginning, on the one clock. */
export const jobKeptMs = 90 * 24 * 3_600_000;

/** Which callbacks are sent again, where no ids are named. */
export interface CallbackSelection {
  since: Date;
  /** Exclusive. */
  until: Date | null;
  endpointId: string | null;
  merchantId: string | null;
  includeDelivered: boolean;
}

export interface Job {
  jobId: string;
  environment: Environment;
  /** The account of whoever began it; null: staff. */
  accountId: string | null;
  act: JobAct;
  isDryRun: boolean;
  reason: string;
  state: JobState;
  /** Caller.credentialId of whoever began it, and what people call it. */
  startedBy: string;
  startedByName: string;
  /** With which scopes it was begun: a client's token may have fewer than the client. */
  scopes: ClientScope[];
  selection: CallbackSelection | null;
  /** How far a selection has become rows; null at its beginning. */
  gatheredTo: string | null;
  isGathered: boolean;
  /** A selection had more than a job takes. */
  hasMore: boolean;
  total: number;
  succeeded: number;
  failed: number;
  /** What keeps it from going on at the moment, in the platform's words. */
  hindrance: string | null;
  /** Why the platform has ended it before anything was done, in its words. */
  refusal?: string;
  createdAt: Date;
  finishedAt: Date | null;
  updatedAt: Date;
  expiresAt: Date;
  /** Of its last event. */
  sequence: number;
  version: number;
}

/** The next version of a job, with the number of the event that tells it. */
export function changed(job: Job, changes: Partial<Job>, now: Date): Job {
  return { ...job, ...changes, updatedAt: now, sequence: job.sequence + 1, version: job.version + 1 };
}

/** What a person does to a job under way, and from which states. */
const moves = {
  pause: { from: ['RUNNING'], to: 'PAUSED' },
  resume: { from: ['PAUSED'], to: 'RUNNING' },
  cancel: { from: ['RUNNING', 'PAUSED'], to: 'CANCELLED' },
} as const satisfies Record<string, { from: readonly JobState[]; to: JobState }>;
export type JobMove = keyof typeof moves;
export const jobMoves = Object.keys(moves) as JobMove[];

/** The job after the move; null when it is there already. Refuses with `invalidState`. */
export function decideJobMove(job: Job, move: JobMove, now: Date): Job | null {
  const { from, to } = moves[move];
  if (job.state === to) return null;
  if (!(from as readonly JobState[]).includes(job.state))
    throw new DomainError('invalidState', `The job is ${job.state}, which does not allow this.`);
  return changed(job, { state: to, hindrance: null, finishedAt: to === 'CANCELLED' ? now : null }, now);
}

/** Ended by the platform before anything was done: its selection is refused, and why is told. */
export function decideGivingUp(job: Job, refusal: string, now: Date): Job {
  return changed(job, { state: 'CANCELLED', hindrance: null, refusal, finishedAt: now }, now);
}

/** What several rows came to. */
export interface Tally {
  succeeded: number;
  failed: number;
}

/** The job with what more of its rows came to; it ends with the last of them, unless somebody has ended it. */
export function decideProgress(job: Job, { succeeded, failed }: Tally, now: Date): Job {
  const counts = { succeeded: job.succeeded + succeeded, failed: job.failed + failed, hindrance: null };
  const next = { ...job, ...counts };
  const isOver = job.state === 'RUNNING' && job.isGathered && doneOf(next) === job.total;
  return changed(job, isOver ? { ...counts, state: 'DONE', finishedAt: now } : counts, now);
}

export function doneOf({ succeeded, failed }: Pick<Job, 'succeeded' | 'failed'>): number {
  return succeeded + failed;
}
