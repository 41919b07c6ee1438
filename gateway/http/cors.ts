// Pages of other origins: those on the list may ask the graph with an access token of their own; a cookie of ours never goes along.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { costHeader } from '../plan/run-operation';

/** How long a browser may remember what it was told. */
const rememberedSeconds = 600;

const allowed = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': [
    'Authorization, Content-Type, Accept, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID, traceparent',
    costHeader,
  ].join(', '),
  'access-control-max-age': String(rememberedSeconds),
};
const exposed = 'Content-Disposition, ETag, Retry-After, X-Request-ID, Idempotent-Replayed';

/** Says who may read the answer; true when that was all that was asked (preflight). */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createAllowOrigin(list: string): AllowOrigin {
  const origins: ReadonlySet<string> = new Set(list.split(',').filter(Boolean));
  if (origins.size === 0) return () => false;
  return ({ method, headers }, response) => {
    const { origin } = headers;
    if (!origin || !origins.has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', exposed);
    if (method !== 'OPTIONS' || !headers['access-control-request-method']) return false;
    response.writeHead(204, allowed);
    response.end();
    return true;
  };
}
