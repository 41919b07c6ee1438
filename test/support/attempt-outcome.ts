// How an attempt to deliver a callback came out, as a worker writes it down.
import type { AttemptOutcome, Callback } from '../../subgraphs/notifications';

/** The first one, which failed; the next is due at `nextAt`. */
export function failedAttempt(
  { callbackId, endpointId }: Pick<Callback, 'callbackId' | 'endpointId'>,
  at: Date,
  nextAt = at,
): AttemptOutcome {
  return {
    callbackId,
    endpointId,
    attempt: {
      number: 1,
      at,
      result: 'httpError',
      status: 500,
      durationMs: 1,
      excerpt: null,
      nextAt,
      isManual: false,
    },
    redelivery: null,
    status: 'PENDING',
    reason: null,
    tries: 1,
    ordered: true,
    dueAt: nextAt,
    endedAt: null,
  };
}
