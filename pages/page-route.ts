// What a page is to its server: a route, what it may look at of a request, and what it answers.
import type { RequestContext } from '../subgraphs/shared/callers/context';
import type { Markup } from './html';

export interface PageRequest {
  /** GET also where it was HEAD. */
  method: string;
  /** A mere look, as a scanner of mail takes: nothing may be opened or changed for it. */
  isHead: boolean;
  /** Without its query. */
  path: string;
  /** Groups of the route's pattern, decoded. */
  params: readonly string[];
  query: URLSearchParams;
  /** One header by its lower-case name; empty when absent. */
  header(name: string): string;
  cookie(name: string): string;
  /** Fields of a posted form, or the members of a posted JSON object as text. */
  form: Readonly<Record<string, string>>;
  /** The body as it came. */
  raw: Buffer;
  context: RequestContext;
}

export interface PageReply {
  status: number;
  headers?: Record<string, string | string[]>;
  body?: Markup | string | Buffer | object;
}

export interface PageRoute {
  method: 'GET' | 'POST';
  /** Matched against the whole path. */
  pattern: RegExp;
  /** Its name in logs and metrics: no id in it. */
  name: string;
  /** A form of another site may be posted here, as an issuer's page does to send the payer back. */
  isOpenToOthers?: boolean;
  /** Answered from memory or asked by machines of ours: no rate limit stands before it. */
  isUnlimited?: boolean;
  /** Asked by machines of ours every other second: no payer waits for it, so it is no request in the metrics. */
  isUncounted?: boolean;
  serve(request: PageRequest): Promise<PageReply> | PageReply;
}
