// The one handler that serves every route record, in the fixed order of checks (decision register 2.1-B).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { AuditDoor } from '../subgraphs/shared/callers/audit';
import { anonymousCaller, type Caller, type Environment, hasScope } from '../subgraphs/shared/callers/caller';
import { type RequestContext, requestContext } from '../subgraphs/shared/callers/context';
import type { Blame } from '../subgraphs/shared/callers/credential-failures';
import type { RateLimiter } from '../subgraphs/shared/callers/rate-limit';
import { within } from '../subgraphs/shared/deadline';
import { DomainError } from '../subgraphs/shared/errors';
import { ClientGone } from '../subgraphs/shared/http/request-body';
import { sha256 } from '../subgraphs/shared/ids';
import type { Log } from '../subgraphs/shared/log/log';
import {
  type CredentialScheme,
  challengeOf,
  readConsumerPair,
  readCredential,
  tellsMissing,
} from './checks/credential';
import { credentialDetail } from './checks/credential-detail';
import type { RouteChecks } from './checks/openapi';
import { assertHolds, printNames, readShape, readSizedBody } from './checks/request-body';
import { printRefusal, type Refusal, type RefusalOf, readRefusal } from './errors/errors';
import { maskedTextsOf } from './errors/masked-texts';
import { closeAfterwards, type Reply, send } from './reply';
import { correlationIdOf, requestIdOf } from './request-id';
import { createRecorder, type RequestMetrics } from './request-log';
import type { Route, RouteRequest } from './route-record';

export interface RouteDeps {
  execute(operationName: string, variables: Record<string, unknown>, context: RequestContext): Promise<ExecutionResult>;
  authenticate: {
    /** Refuses with `unauthenticated`. */
    bearer(accessToken: string): Promise<Caller>;
    /** Refuses with `unauthenticated`. */
    apiKey(apiKey: string): Promise<Caller>;
    /** Refuses with `unauthenticated` or `keyRevoked`. */
    consumer(consumerKey: string, consumerSecret: string): Promise<Caller>;
    /** Refuses with `unauthenticated` or `keyRevoked`. */
    secretKey(secretKey: string): Promise<Caller>;
    /** Refuses with `unauthenticated`. */
    sandboxKey(key: string): Caller;
  };
  limiter: Pick<RateLimiter, 'take'>;
  /** Counts a wrong credential of an address; what to throw. */
  blame: Blame;
  /** Hears of what was refused for want of a right. */
  audit?: AuditDoor;
  refusalOf: RefusalOf;
  log: Log;
  metrics: RequestMetrics;
  config: { environment: Environment; isSandbox: boolean; REQUEST_TIMEOUT_MS: number };
}

/** One request on its way through the checks. */
interface RouteExchange {
  request: IncomingMessage;
  response: ServerResponse;
  params: Record<string, string>;
  path: string;
  requestId: string;
  headers: Record<string, string>;
  startedAt: number;
  caller: Caller;
}

export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  target: { path: string; params: Record<string, string> },
) => Promise<void>;

/** Compiles one record into its handler; the handler answers every request and never throws. */
export function createRouteHandler(route: Route, checks: RouteChecks, deps: RouteDeps): RouteHandler {
  const nobody = anonymousCaller(deps.config.environment);
  const record = createRecorder(route, deps);

  return async (request, response, { path, params }) => {
    const exchange: RouteExchange = {
      request,
      response,
      params,
      path,
      requestId: route.scheme === 'apiKey' ? correlationIdOf(request) : requestIdOf(request),
      headers: {},
      startedAt: performance.now(),
      caller: nobody,
    };
    exchange.headers['x-request-id'] = exchange.requestId;
    if (route.scheme === 'apiKey') exchange.headers['correlation-id'] = exchange.requestId;
    let status: number;
    let refusal: Refusal | null = null;
    try {
      const reply = await answer(route, checks, deps, exchange);
      status = reply.status;
      send(response, reply, exchange.headers);
    } catch (error) {
      if (error instanceof ClientGone) return;
      refusal = readRefusal(error, deps.refusalOf);
      status = refuse(route, deps, exchange, refusal);
    }
    record(status, exchange, refusal);
  };
}

async function answer(route: Route, checks: RouteChecks, deps: RouteDeps, exchange: RouteExchange): Promise<Reply> {
  const raw = await readSizedBody(route, exchange.request, exchange.response);
  exchange.caller = await authenticate(route, deps, exchange);
  await limit(route, deps, exchange);
  if (route.scopes.length > 0 && !hasScope(exchange.caller, ...route.scopes)) throw new DomainError('forbidden');
  const header = (name: string) => headerOf(exchange.request, name);
  assertHolds(checks.headers(exchange.request.headers), 'invalidInput');
  if (route.owns && !route.owns({ caller: exchange.caller, header })) throw new DomainError('forbidden');
  const query = checks.query(searchOf(exchange.request));
  assertHolds(query.violation, 'invalidInput');
  const { body, unknown } = readShape(route, checks, exchange.request, raw);
  const ignored = [...unknown, ...query.unknown];
  if (deps.config.isSandbox && ignored.length > 0) exchange.headers['x-unknown-fields'] = printNames(ignored);
  if (deps.config.isSandbox) sayMasked(exchange, maskedTextsOf(body));
  assertHolds(checks.params(exchange.params), 'notFound');
  const { caller, params, path } = exchange;
  const { method = route.method, rawHeaders } = exchange.request;
  const { values } = query;
  const request: RouteRequest<unknown> = { caller, params, query: values, header, body, raw, path, method, rawHeaders };
  const timeoutMs = route.timeoutMs ?? deps.config.REQUEST_TIMEOUT_MS;
  if ('serve' in route.action) return within(timeoutMs, route.action.serve(request));
  const address = deps.audit?.addressOf(exchange.request);
  const context = requestContext(caller, exchange.requestId, idempotencyOf(route, request), {
    address,
    traceparent: header('traceparent'),
  });
  const { operation, variables, reply } = route.action;
  const result = await within(timeoutMs, deps.execute(operation, variables(request), context));
  // A stored outcome may be a refusal: the issuer's no is the same no again.
  if (context.reply.idempotentReplayed) exchange.headers['idempotent-replayed'] = 'true';
  if (result.errors?.[0]) throw result.errors[0];
  return reply(result.data, request);
}

async function authenticate(
  route: Route,
  deps: RouteDeps,
  { request, caller, requestId }: RouteExchange,
): Promise<Caller> {
  if (route.scheme === 'none') return caller;
  const credential = readCredential(route.scheme, request.headers);
  if (credential === null) {
    const isMissing = tellsMissing(route.scheme) && !request.headers.authorization;
    throw new DomainError(isMissing ? 'credentialMissing' : 'unauthenticated');
  }
  try {
    return await callerOf(route.scheme, deps, credential);
  } catch (error) {
    // The sandbox's own key opens nothing that is worth a guess.
    throw route.scheme === 'sandboxKey' ? error : await deps.blame(route.scheme, request, error, requestId);
  }
}

async function callerOf(
  scheme: Exclude<CredentialScheme, 'none'>,
  deps: RouteDeps,
  credential: string,
): Promise<Caller> {
  if (scheme !== 'consumer') return deps.authenticate[scheme](credential);
  const pair = readConsumerPair(credential);
  if (!pair) throw new DomainError('unauthenticated');
  return deps.authenticate.consumer(pair.key, pair.secret);
}

async function limit(route: Route, deps: RouteDeps, exchange: RouteExchange): Promise<void> {
  if (!route.rateLimit) return;
  const { name, perSecond, burst } = route.rateLimit;
  const decision = await deps.limiter.take(name, exchange.caller.credentialId, { perSecond, burst });
  exchange.headers['ratelimit-limit'] = String(decision.limit);
  exchange.headers['ratelimit-remaining'] = String(decision.remaining);
  exchange.headers['ratelimit-reset'] = String(decision.resetSeconds);
  if (!decision.allowed)
    throw new DomainError('rateLimited', undefined, { retryAfterSeconds: decision.retryAfterSeconds });
}

function sayMasked(exchange: RouteExchange, names: readonly string[]): void {
  if (names.length === 0) return;
  exchange.headers['x-error-detail'] =
    `field=${printNames(names)}; what looks like a card number is kept with all but its last four digits masked`;
}

function idempotencyOf(route: Route, request: RouteRequest<unknown>): RequestContext['idempotency'] {
  const key = route.idempotency ? request.header('idempotency-key') : '';
  if (!key) return undefined;
  const subject = route.idempotency?.subject(request) ?? '';
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${request.path}\n${subject}\n`), request.raw]));
  return { key, scope: `${route.method} ${route.path}`, fingerprint };
}

/** Answers a refusal and returns its status. */
function refuse(route: Route, deps: RouteDeps, exchange: RouteExchange, refusal: Refusal): number {
  const { status, headers, body } = printRefusal(route.family, refusal, exchange.requestId);
  const challenge = challengeOf(route.scheme, refusal.code, exchange.request.headers, route.scopes);
  if (challenge) headers['www-authenticate'] = challenge;
  if (deps.config.isSandbox) addDetail(headers, route, exchange.request, refusal, status);
  if (refusal.code === 'forbidden') noteForbidden(route, deps, exchange);
  const unread = !exchange.request.complete;
  if (unread)
    closeAfterwards(exchange.request, exchange.response, {
      status,
      body,
      headers: { ...exchange.headers, ...headers },
    });
  else send(exchange.response, { status, body, headers }, exchange.headers);
  return status;
}

function noteForbidden(route: Route, { audit }: RouteDeps, { request, requestId, caller }: RouteExchange): void {
  audit?.note({
    action: 'right.refused',
    requestId,
    address: audit.addressOf(request),
    caller,
    subjectType: 'route',
    subjectId: `${route.method} ${route.path}`,
  });
}

/** What helps whoever builds against the sandbox; production says what the documents say and no more. */
function addDetail(
  headers: Record<string, string>,
  { scheme, family }: Route,
  request: IncomingMessage,
  refusal: Refusal,
  status: number,
): void {
  if (status === 400) headers['x-error-detail'] = detailOf(refusal);
  if (status !== 401 || scheme === 'none') return;
  const { header, text } = credentialDetail(scheme, family, request.headers);
  const message = refusal.code === 'forbidden' ? refusal.message : text;
  headers['x-error-detail'] = detailOf({ code: refusal.code, field: header, message });
}

const detailLengthMax = 500;
const detailsLengthMax = 2_000;

/** The field and the rule of each fault; for a cryptographic failure not even that, since it would tell which step failed. */
function detailOf(refusal: Refusal): string {
  if (refusal.code === 'cryptographyFailed') return refusal.code;
  const faults = [refusal, ...(refusal.others ?? [])];
  const texts = faults.map(({ code, field, message }) =>
    `${code}${field ? `; field=${field}` : ''}; ${message}`.replace(/[^ -~]/g, '?').slice(0, detailLengthMax),
  );
  return texts.join(' | ').slice(0, detailsLengthMax);
}

/** What follows the question mark of the request target. */
function searchOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1).replace(/#.*$/s, '');
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
