// The small web server under each kind of page: a table of routes, bounded bodies, security headers, one log line and one metric per answer.
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { type Refusal, type RefusalOf, readRefusal } from '../rest-facade/errors/errors';
import type { Readiness } from '../rest-facade/fallback-app';
import { requestIdOf } from '../rest-facade/request-id';
import type { RequestMetrics } from '../rest-facade/request-log';
import { pageCaller } from '../subgraphs/shared/callers/caller';
import type { AddressOf } from '../subgraphs/shared/callers/caller-address';
import { type RequestContext, requestContext } from '../subgraphs/shared/callers/context';
import type { Config } from '../subgraphs/shared/config';
import { within } from '../subgraphs/shared/deadline';
import { DomainError } from '../subgraphs/shared/errors';
import { createBoundedServer } from '../subgraphs/shared/http/bounded-server';
import { ClientGone, readBody } from '../subgraphs/shared/http/request-body';
import { sha256 } from '../subgraphs/shared/ids';
import type { Log } from '../subgraphs/shared/log/log';
import { iconRoute } from './assets';
import { healthRoutes } from './health';
import { printBody } from './page-body';
import type { PageReply, PageRequest, PageRoute } from './page-route';
import { readForm } from './posted-form';
import { commonHeaders } from './security-headers';

/** Runs a persisted operation of the graph. */
export type Execute = (
  operation: string,
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<ExecutionResult>;

/** What every page server is handed by the composition. */
export interface PageDeps {
  execute: Execute;
  config: Pick<Config, 'environment' | 'isSandbox' | 'PAY_URL' | 'ACS_URL' | 'SANDBOX_KEY'>;
  /** The one clock: what is told to payers about time that is left follows it. */
  clock: { now(): Date };
  refusalOf: RefusalOf;
  limiter: PageLimiter;
  addressOf: AddressOf;
  log: Log;
  metrics: RequestMetrics;
  /** What the pages need to be of use, asked by `/readyz`. */
  readiness(): Promise<Readiness>;
  /** Stops the server so that no request fails. */
  drain(server: Server): Promise<void>;
  /** The folder in which `pages` has the built scripts and the style sheets. */
  root: string;
}

interface PageLimiter {
  take(
    name: string,
    key: string,
    rule: { perSecond: number; burst: number },
  ): Promise<{ allowed: boolean; retryAfterSeconds: number }>;
}

export interface PageServer {
  server: Server;
  stop(): Promise<void>;
}

/** A page must not be able to use up the payer's time or our memory. */
const bodyBytesMax = 32_768;
/** As long as the slowest call of money over REST. */
const answerMsMax = 20_000;
/** Calls about one session, or of one address where no session is named, to one surface, before RATE_LIMIT_FACTOR. */
const rate = { perSecond: 20, burst: 60 };

export interface Surface {
  /** `pay`, `acs` or `shop`: the surface in metrics. */
  name: string;
  routes: readonly PageRoute[];
  /** Draws a refusal for a payer; `request` is null when it could not be read. */
  refuse(refusal: Refusal, request: PageRequest | null): PageReply;
}

/** Builds the server of one surface; the caller listens. */
export function createPageServer(deps: PageDeps, { routes, ...rest }: Surface): PageServer {
  let isStopping = false;
  const readiness = async () => {
    const found = await deps.readiness();
    return isStopping ? { ...found, ready: false } : found;
  };
  const surface: Surface = { ...rest, routes: [...healthRoutes(readiness), iconRoute, ...routes] };
  const server = createBoundedServer({
    request: (request, response) => void answer(deps, surface, { request, response }),
  });
  return {
    server,
    stop: () => {
      isStopping = true;
      return deps.drain(server);
    },
  };
}

/** The name of a path that is not ours, or not by that method. */
const unknown = 'unknown';
/** What a path that is not ours matches. */
const nowhere: readonly string[] = [];

interface PageExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

async function answer(deps: PageDeps, surface: Surface, { request, response }: PageExchange): Promise<void> {
  const startedAt = performance.now();
  const requestId = requestIdOf(request);
  const url = readTarget(request.url ?? '/');
  const isHead = request.method === 'HEAD';
  const method = isHead ? 'GET' : (request.method ?? 'GET');
  const matching = surface.routes.flatMap((route) => {
    const match = route.pattern.exec(url.pathname);
    return match ? [{ route, match }] : [];
  });
  const found = matching.find(({ route }) => route.method === method);
  let asked: PageRequest | null = null;
  let refusal: Refusal | null = null;
  let reply: PageReply;
  try {
    if (!found && matching.length > 0) {
      reply = {
        status: 405,
        headers: { allow: [...new Set(matching.map(({ route }) => route.method))].join(', ') },
        body: 'Method not allowed',
      };
    } else if (!found) {
      // Read for the language of the answer; the body of a call that is for nobody is not.
      asked = await readRequest(deps, request, { url, method: 'GET', match: nowhere, requestId });
      throw new DomainError('notFound');
    } else {
      asked = await readRequest(deps, request, { url, method, match: found.match, requestId });
      if (!found.route.isOpenToOthers) assertOwnSite(method, request);
      if (!found.route.isUnlimited) await assertRoom(deps, surface, { request, asked });
      reply = await within(answerMsMax, found.route.serve(asked));
    }
  } catch (error) {
    if (error instanceof ClientGone) return;
    refusal = readRefusal(error, deps.refusalOf);
    reply = surface.refuse(refusal, asked);
  }
  send(response, reply, { requestId, isHead, mustClose: !request.complete });
  record(deps, surface, {
    route: found?.route.name ?? unknown,
    isCounted: !found?.route.isUncounted,
    method,
    status: reply.status,
    startedAt,
    requestId,
    refusal,
  });
}

/** What changes something is asked for by our own pages only; a browser says from where it asks, other clients say nothing. */
function assertOwnSite(method: string, request: IncomingMessage): void {
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (method === 'POST' && site !== 'same-origin' && site !== 'none') throw new DomainError('forbidden');
}

/** Behind a proxy all come from one address: what somebody may do is counted by the session or link in the path, a secret. */
async function assertRoom(
  { limiter, addressOf }: PageDeps,
  { name }: Surface,
  { request, asked }: Pick<PageExchange, 'request'> & { asked: PageRequest },
): Promise<void> {
  const whose = asked.params[0] === undefined ? addressOf(request) : sha256(asked.params[0]);
  const room = await limiter.take(`pages:${name}`, whose, rate);
  if (!room.allowed) throw new DomainError('rateLimited', undefined, { retryAfterSeconds: room.retryAfterSeconds });
}

async function readRequest(
  { config, addressOf }: PageDeps,
  request: IncomingMessage,
  facts: { url: URL; method: string; match: readonly string[]; requestId: string },
): Promise<PageRequest> {
  const bytes = facts.method === 'POST' ? await readBody(request, { bytesMax: bodyBytesMax }) : Buffer.alloc(0);
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    method: facts.method,
    isHead: request.method === 'HEAD',
    path: facts.url.pathname,
    params: facts.match.slice(1).map((part) => decodeURIComponent(part ?? '')),
    query: facts.url.searchParams,
    header,
    cookie: (name) => cookieOf(header('cookie'), name),
    form: readForm(header('content-type'), bytes),
    raw: bytes,
    context: requestContext(pageCaller(config.environment), facts.requestId, undefined, {
      address: addressOf(request),
    }),
  };
}

/** Never throws: a target that cannot be read is a path that is not ours. */
function readTarget(target: string): URL {
  try {
    const url = new URL(target, 'http://pages');
    decodeURIComponent(url.pathname);
    return url;
  } catch {
    return new URL('http://pages/unreadable');
  }
}

function cookieOf(line: string, name: string): string {
  const pair = line.split('; ').find((each) => each.startsWith(`${name}=`));
  return pair ? pair.slice(name.length + 1) : '';
}

function send(
  response: ServerResponse,
  { status, headers = {}, body }: PageReply,
  { requestId, isHead, mustClose }: { requestId: string; isHead: boolean; mustClose: boolean },
): void {
  if (response.headersSent || response.destroyed) return;
  const { type, bytes } = printBody(body);
  const lines: OutgoingHttpHeaders = { ...commonHeaders, 'content-type': type, 'x-request-id': requestId };
  // What is kept elsewhere has the length that it has there, and a page the length that it has when GET draws it.
  if (status !== 304 && (!isHead || Buffer.isBuffer(body))) lines['content-length'] = bytes.length;
  if (mustClose) lines['connection'] = 'close';
  response.writeHead(status, { ...lines, ...headers });
  response.end(isHead ? undefined : bytes);
}

interface Answered {
  route: string;
  isCounted: boolean;
  method: string;
  status: number;
  startedAt: number;
  requestId: string;
  refusal: Refusal | null;
}

function record({ log, metrics }: PageDeps, surface: Surface, answered: Answered): void {
  const { route, method, status, requestId, refusal } = answered;
  const durationMs = performance.now() - answered.startedAt;
  if (answered.isCounted)
    metrics.requests
      // Without the method of a call for nobody: a client may name any.
      .labels({
        surface: surface.name,
        route: route === unknown ? unknown : `${method} ${route}`,
        status: String(status),
      })
      .observe(durationMs / 1_000);
  const line = { requestId, route: `${method} ${route}`, status, durationMs: Math.round(durationMs * 10) / 10 };
  if (!refusal && method === 'GET') log.debug(line, 'answered');
  else if (!refusal) log.info(line, 'answered');
  else if (refusal.code === 'internal' || refusal.code === 'generic')
    log.error({ ...line, code: refusal.code, error: refusal.cause }, 'failed unexpectedly');
  else log.info({ ...line, code: refusal.code, field: refusal.field }, 'refused');
}
