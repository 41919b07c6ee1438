// From the headers of a request to what travels with it: request id, idempotency key (decision register 2.4-B), caller.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../subgraphs/shared/callers/caller';
import type { IdempotencyKey } from '../subgraphs/shared/callers/context';
import { may, mayUseGraph } from '../subgraphs/shared/callers/rights';
import { DomainError } from '../subgraphs/shared/errors';
import { isUuid, newId } from '../subgraphs/shared/ids';

/** X-Request-ID when it is a UUID, else a new one. */
export function contextRequestId(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return isUuid(sent) ? sent : newId();
}

/** Refuses callers that may not use the graph at all. */
export function requireGraphScope(caller: Caller): Caller {
  if (mayUseGraph(caller)) return caller;
  throw new DomainError('forbidden', 'the access token has no scope of the graph');
}

/** In production persons may ask what we have agreed on beforehand, and anything else only with the right to; clients are given scopes one by one, so theirs say enough. */
export function requireMayAsk(caller: Caller, isTrusted: boolean): void {
  if (isTrusted || caller.kind === 'client' || may(caller, 'graph:ad-hoc')) return;
  throw new DomainError('forbidden', 'only trusted documents may be asked here; others need graph:ad-hoc');
}

/** The Idempotency-Key of a mutation: 1 to 255 printable characters, bound to document and variables. */
export function idempotencyOf(
  header: string | string[] | undefined,
  body: { query: string; operationName: string | undefined; variables: unknown },
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(header)) {
    throw new DomainError('invalidInput', 'Idempotency-Key is not 1 to 255 printable characters', {
      field: 'Idempotency-Key',
    });
  }
  const text = JSON.stringify([body.query, body.operationName ?? null, body.variables]);
  return { key: header, scope: 'graph', fingerprint: createHash('sha256').update(text).digest('base64url') };
}
