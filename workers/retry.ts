// When a callback is tried again, and when it is not: the published schedule as data, and one pure decision by the policy of its kind
// (2.4-A of the decision register).
import type { AttemptResult, CallbackStatus, EndReason, RetryPolicy } from '../subgraphs/notifications';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Wait before each of the ten attempts. */
export const waitsMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

/** Jitter is only ever added, up to this part of the planned wait. */
const jitterMax = 0.1;
const retryAfterMsMax = hourMs;

/** Those of 4XX that say "later", not "no": Request Timeout, Too Early, Too Many Requests. */
const laterStatuses: readonly number[] = [408, 425, 429];

/** How one attempt came out, as the egress reports it. */
export interface AttemptReport {
  result: AttemptResult;
  /** HTTP status, when one came. */
  status: number | null;
  /** Value of Retry-After, as sent. */
  retryAfter: string | null;
}

export interface RetryInput {
  policy: RetryPolicy;
  /** Whether it was called at an address of its own, which says nothing of others of its endpoint. */
  hasOwnAddress: boolean;
  report: AttemptReport;
  /** Attempts that counted against the schedule, this one included. */
  tries: number;
  /** End of this attempt, on the one clock. */
  now: Date;
  /** Real time, which a date in Retry-After is compared with. */
  realNow: Date;
  /** 0 up to 1: how much of the jitter is added. */
  chance: number;
}

export type RetryDecision =
  | { status: Extract<CallbackStatus, 'DELIVERED'> }
  | { status: Extract<CallbackStatus, 'PENDING'>; dueAt: Date }
  | { status: Extract<CallbackStatus, 'EXHAUSTED'> }
  | { status: Extract<CallbackStatus, 'REJECTED'> }
  | { status: Extract<CallbackStatus, 'ENDED'>; reason: EndReason; disablesEndpoint: boolean };

/** What follows from an attempt. */
export function decideNext({ policy, hasOwnAddress, report, tries, now, realNow, chance }: RetryInput): RetryDecision {
  if (report.result === 'delivered') return { status: 'DELIVERED' };
  if (report.result === 'blockedTarget') return { status: 'ENDED', reason: 'blockedTarget', disablesEndpoint: false };
  if (report.status === 410 && policy.goneDisablesEndpoint) {
    return { status: 'ENDED', reason: 'endpointGone', disablesEndpoint: !hasOwnAddress };
  }
  if (isParked(policy, report.status, tries)) return { status: 'REJECTED' };
  const plannedMs = waitsMs[tries];
  if (plannedMs === undefined) return { status: 'EXHAUSTED' };
  const withJitterMs = Math.floor(plannedMs * (1 + jitterMax * chance));
  const waitMs = Math.max(withJitterMs, retryAfterMs(report.retryAfter, realNow));
  return { status: 'PENDING', dueAt: new Date(now.getTime() + waitMs) };
}

function isParked({ parkClientErrorsAfter }: RetryPolicy, status: number | null, tries: number): boolean {
  const isRefusal = status !== null && status >= 400 && status < 500 && !laterStatuses.includes(status);
  return parkClientErrorsAfter !== null && isRefusal && (tries >= parkClientErrorsAfter || status === 410);
}

/** The wait that Retry-After asks for (RFC 9110 section 10.2.3), cut at an hour; 0 for what cannot be read. */
export function retryAfterMs(value: string | null, realNow: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * secondMs, retryAfterMsMax);
  const isDate = /^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  const at = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return 0;
  return Math.min(Math.max(0, at - realNow.getTime()), retryAfterMsMax);
}
