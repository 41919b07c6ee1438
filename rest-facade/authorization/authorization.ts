// The authorization server's two endpoints, POST /token and POST /revoke (tokenization interface, Authentication; RFC 6749 and RFC 7009; decision register 2.1).
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { NoteRefusal, Refused } from '../../subgraphs/shared/callers/audit';
import type { AddressOf } from '../../subgraphs/shared/callers/caller-address';
import {
  loginFailureRule,
  type RateDecision,
  type RateLimiter,
  rateRules,
} from '../../subgraphs/shared/callers/rate-limit';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { createBoundedServer } from '../../subgraphs/shared/http/bounded-server';
import { ClientGone } from '../../subgraphs/shared/http/request-body';
import { sendText } from '../../subgraphs/shared/http/send-text';
import { isUuid, newId } from '../../subgraphs/shared/ids';
import type { Log } from '../../subgraphs/shared/log/log';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { clientDetail } from '../checks/credential-detail';
import { parseScope, readAuthorizationForm, readBasic } from './authorization-request';

export interface AuthorizationDeps<Client extends { clientId: string }> {
  /** Throws `unauthenticated`. */
  authenticateClient(clientId: string, clientSecret: string): Promise<Client>;
  /** Null asks for every granted scope. Throws `forbidden` (no scope at all) or `invalidData` (none of those asked for). */
  issueAccessToken(
    client: Client,
    requestedScopes: readonly string[] | null,
    from: { requestId: string; address: string },
  ): Promise<{ accessToken: string; expiresInSeconds: number; scopes: readonly string[] }>;
  /** True when the token worked, was the client's own, and works no more. */
  revokeAccessToken(client: Client, token: string): Promise<boolean>;
  limiter: RateLimiter;
  addressOf: AddressOf;
  credentialFailures?: { inc(labels: { surface: 'login' }): void };
  /** Writes a refusal to the audit. */
  noteRefusal?: NoteRefusal;
  /** What a thrown thing means; null is a defect. */
  refusalOf(error: unknown): DomainError | null;
  log: Log;
  /** Says what a 401 expected, in X-Error-Detail. */
  isSandbox: boolean;
  /** Rate, errors and duration per route. */
  observe?(route: string, status: number, durationMs: number): void;
}

interface OAuthRefusal {
  status: number;
  error: string;
}

/** Status and OAuth error code of each refusal; `invalidData` can only be the scope here, `forbidden` only the client's grant. */
const refusals: Partial<Record<DomainErrorCode, OAuthRefusal>> = {
  unauthenticated: { status: 401, error: 'invalid_client' },
  invalidInput: { status: 400, error: 'invalid_request' },
  invalidData: { status: 400, error: 'invalid_scope' },
  forbidden: { status: 400, error: 'unauthorized_client' },
  payloadTooLarge: { status: 413, error: 'invalid_request' },
  rateLimited: { status: 429, error: 'temporarily_unavailable' },
  unavailable: { status: 503, error: 'temporarily_unavailable' },
  conflict: { status: 503, error: 'temporarily_unavailable' },
  duplicateInFlight: { status: 503, error: 'temporarily_unavailable' },
};
/** Nothing else can come from the two endpoints: a defect. */
const serverError: OAuthRefusal = { status: 500, error: 'server_error' };

/** Thrown where the grant itself is refused, before anything is looked up. */
class UnsupportedGrant extends Error {}

const retryAfterSecondsDefault = 2;

/** One request on its way: what the endpoints read and write. */
interface AuthorizationExchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Known once the client has authenticated. */
  credentialId?: string;
  /** Why it was refused. */
  code?: DomainErrorCode;
}

/** The authorization server as a node server that does not listen yet. */
export function createAuthorizationServer<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
): Server {
  return createBoundedServer({ request: createAuthorizationHandler(deps) });
}

/** Serves /token, /revoke and /healthz; every other path is 404, every other method 405. */
function createAuthorizationHandler<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const routes: Record<string, { methods: string[]; serve(exchange: AuthorizationExchange): Promise<void> }> = {
    '/token': { methods: ['POST'], serve: (exchange) => serveToken(deps, exchange) },
    '/revoke': { methods: ['POST'], serve: (exchange) => serveRevocation(deps, exchange) },
    '/healthz': { methods: ['GET', 'HEAD'], serve: async ({ response }) => sendJson(response, 200, { status: 'ok' }) },
  };

  return (request, response) => {
    const startedAtMs = performance.now();
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const given = request.headers['x-request-id'];
    const exchange: AuthorizationExchange = { request, response, requestId: isUuid(given) ? given : newId() };
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Request-ID', exchange.requestId);
    response.on('finish', () => {
      const durationMs = performance.now() - startedAtMs;
      const { requestId, credentialId } = exchange;
      const name = route ? path : 'unknown';
      deps.observe?.(name, response.statusCode, durationMs);
      const { statusCode: status } = response;
      const rounded = Math.round(durationMs * 10) / 10;
      const line = { requestId, route: name, method: request.method, status, durationMs: rounded, credentialId };
      deps.log.info({ ...line, ...withoutUndefined({ code: exchange.code }) }, status < 400 ? 'answered' : 'refused');
    });

    if (!route) return sendJson(response, 404, { error: 'invalid_request', error_description: 'no such path' });
    if (!route.methods.includes(request.method ?? '')) {
      response.setHeader('Allow', route.methods.join(', '));
      return sendJson(response, 405, { error: 'invalid_request', error_description: 'no such method' });
    }
    route.serve(exchange).catch((error: unknown) => refuse(deps, exchange, error));
  };
}

async function serveToken<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
  exchange: AuthorizationExchange,
): Promise<void> {
  const form = await readAuthorizationForm(exchange.request);
  const client = await admit(deps, exchange, 'token');
  const grantType = form.get('grant_type');
  if (!grantType) throw new DomainError('invalidInput', 'grant_type is missing');
  if (grantType !== 'client_credentials') throw new UnsupportedGrant();
  const scope = form.get('scope');
  const requested = scope === undefined ? null : parseScope(scope);
  if (scope !== undefined && !requested) throw new DomainError('invalidData', 'scope is malformed');
  const { accessToken, expiresInSeconds, scopes } = await deps.issueAccessToken(client, requested, {
    requestId: exchange.requestId,
    address: deps.addressOf(exchange.request),
  });
  const isAsRequested = requested?.length === scopes.length && requested.every((token) => scopes.includes(token));
  sendJson(exchange.response, 200, {
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    access_token: accessToken,
    scope: isAsRequested ? undefined : scopes.join(' '),
  });
}

/** Hints that RFC 7009 section 2.1 knows; we have access tokens only, and look there whichever of the two was given. */
const knownHints = new Set<string | undefined>([undefined, 'access_token', 'refresh_token']);

async function serveRevocation<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
  exchange: AuthorizationExchange,
): Promise<void> {
  const form = await readAuthorizationForm(exchange.request);
  const client = await admit(deps, exchange, 'revoke');
  const token = form.get('token');
  if (!token) throw new DomainError('invalidInput', 'token is missing');
  const isRevoked = await deps.revokeAccessToken(client, token);
  const { response } = exchange;
  // An unknown hint never keeps a token alive; its answer is the one for an unknown token (decision register 2.1).
  if (isRevoked && knownHints.has(form.get('token_type_hint'))) {
    response.setHeader('Revokedaccesstoken', token);
    response.setHeader('Revokedrefreshtoken', '');
  }
  // Its headers have a documented spelling.
  response.setHeader('Content-Type', 'text/html');
  response.setHeader('Content-Length', 0);
  response.statusCode = 200;
  response.end();
}

/** The authenticated client, unless it fails too often or calls too fast (decision register 2.1-A: 10 failures a minute, 10 calls a second). */
async function admit<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
  exchange: AuthorizationExchange,
  endpoint: 'token' | 'revoke',
): Promise<Client> {
  const credentials = readBasic(exchange.request.headers.authorization);
  if (!credentials) throw new DomainError('unauthenticated', 'HTTP Basic credentials are missing or cannot be read');
  const { limiter, addressOf } = deps;
  const key = `${encodeURIComponent(credentials.clientId).slice(0, 200)}@${addressOf(exchange.request)}`;
  const before = await limiter.failures('login', key, loginFailureRule);
  if (before.blocked) throw tooMany(before.retryAfterSeconds);
  const client = await deps
    .authenticateClient(credentials.clientId, credentials.clientSecret)
    .catch(async (error: unknown) => {
      if (!(error instanceof DomainError && error.code === 'unauthenticated')) throw error;
      deps.credentialFailures?.inc({ surface: 'login' });
      const after = await limiter.fail('login', key, loginFailureRule);
      throw after.blocked ? tooMany(after.retryAfterSeconds) : error;
    });
  exchange.credentialId = client.clientId;
  const rate = await limiter.take(endpoint, client.clientId, rateRules.authorization);
  tellRate(exchange.response, rate);
  if (!rate.allowed) throw tooMany(rate.retryAfterSeconds);
  return client;
}

function tooMany(retryAfterSeconds: number): DomainError {
  return new DomainError('rateLimited', undefined, { retryAfterSeconds });
}

function tellRate(response: ServerResponse, { limit, remaining, resetSeconds }: RateDecision): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}

function refuse<Client extends { clientId: string }>(
  deps: AuthorizationDeps<Client>,
  exchange: AuthorizationExchange,
  thrown: unknown,
): void {
  const { request, response, requestId } = exchange;
  if (thrown instanceof ClientGone || (request.destroyed && !request.complete)) return;
  if (thrown instanceof UnsupportedGrant) {
    const error_description = 'only client_credentials is supported';
    sendJson(response, 400, { error: 'unsupported_grant_type', error_description });
    return;
  }
  const refusal = deps.refusalOf(thrown) ?? new DomainError('internal');
  exchange.code = refusal.code;
  noteRefused(deps, exchange, refusal.code);
  const { status, error } = refusals[refusal.code] ?? serverError;
  if (status === 500) deps.log.error({ requestId, error: thrown }, 'a defect at the authorization server');
  if (status === 401) {
    response.setHeader('WWW-Authenticate', 'Basic realm="authorization server", charset="UTF-8"');
    if (deps.isSandbox) response.setHeader('X-Error-Detail', clientDetail(request.headers));
  }
  if (status === 429 || status === 503) {
    response.setHeader('Retry-After', Math.max(1, refusal.details.retryAfterSeconds ?? retryAfterSecondsDefault));
  }
  if (status === 413) response.setHeader('Connection', 'close');
  const error_description = status === 500 ? 'an internal error' : refusal.message;
  sendJson(response, status, { error, error_description });
}

const audited: Partial<Record<DomainErrorCode, Refused['action']>> = {
  unauthenticated: 'login.refused',
  rateLimited: 'login.throttled',
  forbidden: 'right.refused',
};

/** Calls without any credentials are nobody's; calls of a known client that are too fast are no matter of the audit. */
function noteRefused<Client extends { clientId: string }>(
  { noteRefusal, addressOf }: AuthorizationDeps<Client>,
  { request, requestId, credentialId }: AuthorizationExchange,
  code: DomainErrorCode,
): void {
  const action = audited[code];
  const claimed = readBasic(request.headers.authorization)?.clientId;
  if (!action || !claimed || (code === 'rateLimited' && credentialId)) return;
  const caller = credentialId ? { credentialId, accountId: null } : null;
  noteRefusal?.({
    action,
    requestId,
    address: addressOf(request),
    caller,
    claimedActor: claimed.slice(0, claimedLengthMax),
    subjectType: 'surface',
    subjectId: 'login',
  });
}

/** Longer than any id of a client of ours. */
const claimedLengthMax = 100;

function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, { status, headers: { 'Content-Type': 'application/json' }, text: JSON.stringify(body) });
}
