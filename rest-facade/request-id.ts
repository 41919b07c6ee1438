// The request id of an HTTP request: the caller's own X-Request-ID when it is a UUID of any version, a new one otherwise (tokenization interface, Inbound headers); hosted checkout names it Correlation-Id.
import type { IncomingMessage } from 'node:http';
import { newId } from '../subgraphs/shared/ids';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && uuid.test(sent) ? sent : newId();
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The caller's Correlation-Id when it is a UUID of version 4, a new one otherwise (the refusal of a wrong one needs an id too). */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = request.headers['correlation-id'];
  return typeof sent === 'string' && uuidV4.test(sent) ? sent : newId();
}
