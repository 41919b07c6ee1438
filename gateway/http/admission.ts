// The rate of the graph: one bucket for each client, whatever tokens, connections and documents it uses (decision register, "Rate of the graph").
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type RateLimiter, rateRules } from '../../subgraphs/shared/callers/rate-limit';
import { DomainError } from '../../subgraphs/shared/errors';
import { callsFor } from '../plan/limits';

/** Lets one operation of a caller through, or refuses with `rateLimited` and the time to wait. Without Redis everything passes, and is counted. */
export type Admit = (caller: Caller) => Promise<void>;

/** Takes what an operation could return from the rate, beyond the one call that let it through. */
export type ChargeCost = (caller: Caller, objects: number) => void;

/** Counted when it has run: whoever asks for much waits longer for the next. */
export function createCharge(limiter: Pick<RateLimiter, 'debit'>): ChargeCost {
  return ({ credentialId }, objects) => {
    const more = callsFor(objects) - 1;
    if (more > 0) void limiter.debit('graph', credentialId, rateRules.graph, more);
  };
}

export function createAdmit(limiter: Pick<RateLimiter, 'take'>): Admit {
  return async ({ credentialId }) => {
    const { allowed, retryAfterSeconds } = await limiter.take('graph', credentialId, rateRules.graph);
    if (!allowed) throw new DomainError('rateLimited', 'more operations than the rate allows', { retryAfterSeconds });
  };
}
