// What travels with one request through every resolver: who calls, under which request id, and the loaders of this request.
import type { OperationSpan } from '../log/tracing';
import type { Caller } from './caller';

/** An Idempotency-Key as the edge read it (2.4-B of the decision register): scope and fingerprint are made there. */
export interface IdempotencyKey {
  key: string;
  /** Credential-independent part of the scope: method + route template, or `graph` + mutation field. */
  scope: string;
  /** SHA-256 over the concrete path and body, base64url. */
  fingerprint: string;
}

/** What an operation of the graph turned out to be, for its log line and its metric. */
export interface OperationTrace {
  /** Its name; the hash of its text when it has none. */
  name: string;
  /** Absent while nothing is prepared. */
  kind?: 'query' | 'mutation' | 'subscription';
  /** Objects that it could return. */
  cost: number;
  /** Those that were asked. */
  subgraphs: Set<string>;
  /** Fields that its document asks for, once it is prepared. */
  used?: { all: readonly string[]; deprecated: readonly string[] };
  /** Of the caller, as it came. */
  traceparent?: string;
  /** Where somebody collects spans. */
  span?: OperationSpan;
  /** Of the first error. */
  code?: string;
  field?: string;
  /** Any of the errors was for want of a right. */
  isForbidden?: boolean;
}

export interface RequestContext {
  caller: Caller;
  /** End-to-end correlation id: header, graph, log, job, callback. */
  requestId: string;
  /** From where the call came, as seen through TRUSTED_PROXIES; absent for our own workers. */
  address?: string;
  idempotency?: IdempotencyKey;
  /** What the services tell the edge beside the data. */
  reply: { idempotentReplayed?: boolean };
  /** Request-scoped loaders, made on first use by `requestLoader`. */
  loaders: Map<string, unknown>;
  /** Kept for operations that somebody asked of the graph itself. */
  trace?: OperationTrace;
  /** Of whoever called over REST, as it came: its span stands above ours where somebody collects them. */
  traceparent?: string;
  /** Set when the request timed out or its client went away; reads may stop, writes run to their end. */
  cancellation?: { readonly isCancelled: boolean; readonly signal: AbortSignal };
}

/** Beside these stands what only requests from outside bring. Every context has the same fields in the same order, so that code that reads them stays fast. */
export function requestContext(
  caller: Caller,
  requestId: string,
  idempotency?: IdempotencyKey,
  more: Pick<RequestContext, 'trace' | 'traceparent' | 'cancellation' | 'address'> = {},
): RequestContext {
  const { trace, traceparent, cancellation, address } = more;
  return { caller, requestId, address, idempotency, reply: {}, loaders: new Map(), trace, traceparent, cancellation };
}
