// What a route record is: method and path, who may call, what limits it, and the action that serves it.
import type { Caller, Scope } from '../subgraphs/shared/callers/caller';
import type { CredentialScheme } from './checks/credential';
import type { QueryValues } from './checks/query';
import type { ErrorFamily } from './errors/errors';
import type { Reply } from './reply';

/** What a record may look at once every check has passed. */
export interface RouteRequest<Body> {
  caller: Caller;
  /** Decoded path parameters. */
  params: Readonly<Record<string, string>>;
  /** Documented query parameters that came with a value; checked against their schemas. */
  query: QueryValues;
  /** One header by its lower-case name; empty when absent. */
  header(name: string): string;
  body: Body;
  /** The body as received. */
  raw: Buffer;
  path: string;
  method: string;
  rawHeaders: readonly string[];
}

/** Served by one persisted operation of the graph. */
export interface GraphAction<Body, Data> {
  operation: string;
  variables(request: RouteRequest<Body>): Record<string, unknown>;
  reply(data: Data, request: RouteRequest<Body>): Reply;
}

/** Served by something that was handed in: the sandbox's clock and receiver, which are not part of the graph. */
interface DirectAction<Body> {
  serve(request: RouteRequest<Body>): Promise<Reply>;
}

export interface Route<Body = unknown, Data = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As documented, with {parameters}. */
  path: string;
  family: ErrorFamily;
  scheme: CredentialScheme;
  /** The caller needs one of them; none for a route that is open or needs only its key. */
  scopes: readonly Scope[];
  /** Bucket and production rate per credential; null for no limit. */
  rateLimit: { name: string; perSecond: number; burst: number } | null;
  /** Longest body in bytes; 0 for a route without a body. */
  bodyBytesMax: number;
  /** How the body is read. */
  bodyKind: 'json' | 'raw' | 'none';
  /** A field with a limit of its own that counts as size (413), as a path of names. */
  sizedField?: { path: readonly string[]; charactersMax: number };
  /** The body is taken without members that are null or unknown to the contract, before it is checked (decision register 2.2-A, 2.6). */
  isTidied?: boolean;
  /** Whether the identifiers in the headers are the caller's own; they are read only after their format was checked. */
  owns?(request: Pick<RouteRequest<unknown>, 'caller' | 'header'>): boolean;
  /** Idempotency-Key counts; `subject` is what the answer depends on beside path and body. */
  idempotency?: { subject(request: Pick<RouteRequest<unknown>, 'header'>): string };
  /** Longest time the action may take; REQUEST_TIMEOUT_MS when absent. */
  timeoutMs?: number;
  action: GraphAction<Body, Data> | DirectAction<Body>;
}

/** Forgets the types of body and data, so that records of different shapes share one table; OpenAPI and schema keep the promise at run time. */
export function defineRoute<Body, Data = unknown>(route: Route<Body, Data>): Route {
  return route as unknown as Route;
}
