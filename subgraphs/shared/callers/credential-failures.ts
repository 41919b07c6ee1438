// Wrong keys and tokens, counted per address over all surfaces; past the bound the answer is 429. A right key passes all the same: one misconfigured
// machine must not lock out who shares its address.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { Metrics } from '../log/metrics';
import type { NoteRefusal } from './audit';
import type { AddressOf } from './caller-address';
import { loginFailureRule, type RateLimiter } from './rate-limit';

export const credentialSurfaces = ['login', 'bearer', 'apiKey', 'consumer', 'secretKey', 'graph', 'socket'] as const;
type CredentialSurface = (typeof credentialSurfaces)[number];

/** Counts a wrong credential of a caller; what is to be thrown: the same error, or `rateLimited` when there were too many. */
export type Blame = (
  surface: CredentialSurface,
  request: IncomingMessage,
  error: unknown,
  requestId?: string,
) => Promise<unknown>;

interface BlameDeps {
  limiter: Pick<RateLimiter, 'fail'>;
  addressOf: AddressOf;
  metrics?: Pick<Metrics, 'credentialFailures'>;
  /** Writes it to the audit. */
  note?: NoteRefusal;
}

export function createBlame({ limiter, addressOf, metrics, note }: BlameDeps): Blame {
  return async (surface, request, error, requestId = newId()) => {
    if (!isWrongCredential(error)) return error;
    metrics?.credentialFailures.inc({ surface });
    const address = addressOf(request);
    note?.({
      action: 'credential.refused',
      requestId,
      address,
      caller: null,
      subjectType: 'surface',
      subjectId: surface,
    });
    const { blocked, retryAfterSeconds } = await limiter.fail('credential', address, loginFailureRule);
    return blocked ? new DomainError('rateLimited', undefined, { retryAfterSeconds }) : error;
  };
}

function isWrongCredential(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'keyRevoked');
}
