// The rate of the graph: one bucket for each client, whatever tokens, connections and documents it uses (decision register, "Rate of the graph").
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type RateLimiter, rateRules } from '../../subgraphs/shared/callers/rate-limit';
import { DomainError } from '../../subgraphs/shared/errors';

/** Lets one operation of a caller through, or refuses with `rateLimited` and the time to wait. Without Redis everything passes, and is counted. */
export type Admit = (caller: Caller) => Promise<void>;

export function createAdmit(limiter: Pick<RateLimiter, 'take'>): Admit {
  return async ({ credentialId }) => {
    const { allowed, retryAfterSeconds } = await limiter.take('graph', credentialId, rateRules.graph);
    if (!allowed) throw new DomainError('rateLimited', 'more operations than the rate allows', { retryAfterSeconds });
  };
}
