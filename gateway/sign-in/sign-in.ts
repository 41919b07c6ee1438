// The small backend of the dashboard's sign-in: to the provider, back with a session in a cookie, what that session is, and out again. No token reaches the browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../../subgraphs/access';
import { freshUntil } from '../../subgraphs/shared/callers/allow';
import type { AuditDoor } from '../../subgraphs/shared/callers/audit';
import type { RateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import type { Clock } from '../../subgraphs/shared/clock';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { sendText } from '../../subgraphs/shared/http/send-text';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import type { Log } from '../../subgraphs/shared/log/log';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { contextRequestId } from '../context';
import { refusal } from '../errors';
import { httpOutcome, printResult } from '../http/http-reply';
import { usualMediaType } from '../http/media-type';
import { cookieJar } from './cookies';
import { createHandshakeSealer, type Handshake, handshakeSeconds, idOfState, newState, ownPath } from './handshake';
import { assertOrigin, createPersons, type Persons } from './persons';
import { createRelyingParty, type RelyingPartyConfig, SignInFailed } from './relying-party';
import { plainHeaders, sendSignInPage, wordsOf } from './sign-in-page';

export interface SignInServerDeps {
  /** Where people reach us. */
  origin: string;
  provider: Omit<RelyingPartyConfig, 'redirectUri'>;
  /** The provider is the one that the sandbox brings: it asks at each sign-in, unless `as` says who it is. */
  isBuiltIn: boolean;
  /** Those whom the sandbox's provider knows, by the hint that names each. */
  people?: readonly { as: string; name: string; role: string }[];
  /** 32 bytes, base64, the same in every process: what sign-ins under way are sealed with. */
  sealingKey: string;
  sessions: Access['sessions'];
  clock: Clock;
  limiter: Pick<RateLimiter, 'take'>;
  audit: AuditDoor;
  log: Log;
}

export interface SignIn {
  persons: Persons;
  /** Serves /sign-in, what is below it, and /sign-out. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

/** Of one address; a person needs two of these to sign in. */
const rate = { perSecond: 2, burst: 30 };
/** Tabs of one browser that may be on their way at a time; the oldest gives way. */
const handshakesMax = 5;

interface SignInExchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  query: URLSearchParams;
}

type Serve = (exchange: SignInExchange) => Promise<void>;

export function createSignIn(deps: SignInServerDeps): SignIn {
  const jar = cookieJar(deps.origin.startsWith('https://'));
  const site = {
    ...deps,
    jar,
    party: createRelyingParty({ ...deps.provider, redirectUri: `${deps.origin}/sign-in/callback` }),
    sealer: createHandshakeSealer(deps.sealingKey),
  };
  const routes: Record<string, Serve> = {
    'GET /sign-in': (exchange) => begin(site, exchange),
    'GET /sign-in/callback': (exchange) => finish(site, exchange),
    'GET /sign-in/session': (exchange) => tellSession(site, exchange),
    'GET /sign-in/ways': (exchange) => tellWays(site, exchange),
    'POST /sign-out': (exchange) => signOut(site, exchange),
  };
  return {
    persons: createPersons({ jar, origin: deps.origin, sessions: deps.sessions }),
    async handle(request, response, path) {
      const requestId = contextRequestId(request.headers);
      const [, search = ''] = (request.url ?? '').split('?', 2);
      const exchange = { request, response, requestId, query: new URLSearchParams(search) };
      const serve = routes[`${request.method} ${path}`];
      try {
        if (serve) await serve(exchange);
        else sendJson(exchange, refusedWith(new DomainError('notFound', 'nothing is served here')));
      } catch (error) {
        answerFailure(site, exchange, error);
      }
    },
  };
}

type SignInSite = SignInServerDeps & {
  jar: ReturnType<typeof cookieJar>;
  party: ReturnType<typeof createRelyingParty>;
  sealer: ReturnType<typeof createHandshakeSealer>;
};

async function begin(site: SignInSite, exchange: SignInExchange): Promise<void> {
  const { request, query } = exchange;
  await assertRoom(site, request);
  // Cookies belong to one name of this host: in the sandbox people come by 127.0.0.1 and by localhost.
  if (site.isBuiltIn && request.headers.host !== new URL(site.origin).host)
    return redirect(exchange, `${site.origin}${request.url}`, []);
  const { id, state } = newState();
  const { nonce, verifier } = await site.party.secrets();
  const isFresh = query.has('fresh');
  const handshake = { state, nonce, verifier, isFresh, to: ownPath(query.get('to'), site.origin) };
  const hint = site.isBuiltIn ? query.get('as') : null;
  const address = await site.party.addressOf(handshake, { asksAnew: isFresh || site.isBuiltIn, hint });
  const { jar } = site;
  const former = jar.handshakes(request).slice(0, -(handshakesMax - 1) || undefined);
  redirect(exchange, address.href, [
    jar.print(jar.handshake(id), await site.sealer.seal(handshake), handshakeSeconds),
    ...(jar.handshakes(request).length >= handshakesMax ? former.map((one) => jar.forget(jar.handshake(one))) : []),
  ]);
}

async function finish(site: SignInSite, exchange: SignInExchange): Promise<void> {
  const { request, requestId, query } = exchange;
  const { jar, sessions, clock } = site;
  await assertRoom(site, request);
  const { id, handshake } = await handshakeOf(site, exchange);
  const { authTime, ...identity } = await site.party.identityOf(new URL(request.url ?? '/', site.origin), handshake);
  const provedAt = authTime === null ? null : new Date(authTime * 1_000 + clock.offsetMs());
  const known = { ...identity, authTime: provedAt ?? (handshake.isFresh ? clock.now() : null) };
  const until = freshUntil(known.authTime);
  if (handshake.isFresh && (!until || until <= clock.now())) throw new SignInFailed('not_asked_anew');
  const from = { requestId, address: site.audit.addressOf(request) };
  const { value, person } = await sessions.signIn(known, from);
  const former = jar.read(request, jar.session);
  if (former) await sessions.signOut(former, from);
  site.log.info({ requestId, credentialId: `person:${person.personId}`, isFresh: handshake.isFresh }, 'signed in');
  query.delete('code');
  redirect(exchange, handshake.to, [jar.print(jar.session, value), jar.forget(jar.handshake(id))]);
}

async function handshakeOf(
  site: SignInSite,
  { request, query }: SignInExchange,
): Promise<{ id: string; handshake: Handshake }> {
  const id = idOfState(query.get('state'));
  const sealed = id && site.jar.read(request, site.jar.handshake(id));
  const handshake = sealed ? await site.sealer.open(sealed) : null;
  if (!id || !handshake || handshake.state !== query.get('state')) throw new SignInFailed('not_begun_here');
  return { id, handshake };
}

async function tellSession(site: SignInSite, exchange: SignInExchange): Promise<void> {
  const value = site.jar.read(exchange.request, site.jar.session);
  if (!value) throw new DomainError('unauthenticated', 'nobody is signed in');
  const { session, person, caller } = await site.sessions.read(value);
  const { personId, name, email } = person;
  const { idleUntil, endsAt, authTime } = session;
  sendJson(exchange, {
    status: 200,
    body: {
      person: { id: personId, name, email, accountId: caller.accountId },
      idleUntil,
      endsAt,
      freshUntil: freshUntil(authTime),
      now: site.clock.now(),
    },
  });
}

/** For pages that serve people and programs alike: who is here, if anybody, and whom the sandbox signs in at a click. */
async function tellWays({ jar, sessions, people = [] }: SignInSite, exchange: SignInExchange): Promise<void> {
  const value = jar.read(exchange.request, jar.session);
  const found = value ? await sessions.read(value).catch(nobodyWhen('unauthenticated')) : null;
  const person = found && { id: found.person.personId, name: found.person.name, accountId: found.caller.accountId };
  sendJson(exchange, { status: 200, body: { signsIn: true, person, people } });
}

function nobodyWhen(code: DomainErrorCode): (error: unknown) => null {
  return (error) => {
    if (refusalOf(error)?.code === code) return null;
    throw error;
  };
}

async function signOut(site: SignInSite, exchange: SignInExchange): Promise<void> {
  const { request, requestId } = exchange;
  const { jar } = site;
  assertOrigin(request, site.origin);
  const value = jar.read(request, jar.session);
  if (value) await site.sessions.signOut(value, { requestId, address: site.audit.addressOf(request) });
  // The session here is over in any case; a provider that is away or has no place for it keeps its own.
  const provider = await site.party.signOutAddress().catch(nobodyWhen('unavailable'));
  sendJson(exchange, { status: 200, headers: { 'set-cookie': jar.forget(jar.session) }, body: { provider } });
}

async function assertRoom({ limiter, audit }: SignInSite, request: IncomingMessage): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.take('sign-in', audit.addressOf(request), rate);
  if (!allowed) throw new DomainError('rateLimited', undefined, { retryAfterSeconds });
}

function redirect({ response, requestId }: SignInExchange, location: string, cookies: string[]): void {
  response.writeHead(303, {
    ...plainHeaders,
    location,
    'x-request-id': requestId,
    'content-length': 0,
    ...withoutUndefined({ 'set-cookie': cookies.length > 0 ? cookies : undefined }),
  });
  response.end();
}

interface JsonAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

function refusedWith(error: DomainError): JsonAnswer {
  const result = { errors: [refusal(error).toJSON()] };
  const { status, headers } = httpOutcome(result, usualMediaType);
  return { status: error.code === 'notFound' ? 404 : status, headers, body: JSON.parse(printResult(result)) };
}

function sendJson({ response, requestId }: SignInExchange, { status, headers = {}, body }: JsonAnswer): void {
  const common = { ...plainHeaders, 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
  sendText(response, { status, headers: { ...common, ...headers }, text: `${JSON.stringify(body)}\n` });
}

/** A person gets a page, a program JSON. */
function answerFailure(site: SignInSite, exchange: SignInExchange, error: unknown): void {
  const { request, response, requestId } = exchange;
  if (response.headersSent) return;
  const refused = refusedBy(error);
  const fault = error instanceof SignInFailed ? error.fault : null;
  if (refused.code === 'internal')
    site.log.error({ requestId, error, code: 'internal' }, 'a sign-in failed unexpectedly');
  else site.log.info({ requestId, code: refused.code, fault: fault ?? undefined }, 'refused');
  if (fault !== null) noteRefusal(site, exchange);
  const answer = refusedWith(refused);
  if (!request.headers.accept?.includes('text/html')) sendJson(exchange, answer);
  else sendSignInPage(response, { ...answer, ...wordsOf(refused, fault), requestId });
}

function refusedBy(error: unknown): DomainError {
  if (error instanceof SignInFailed) return new DomainError('invalidData', error.message);
  return refusalOf(error) ?? new DomainError('internal');
}

function noteRefusal({ audit }: SignInSite, { request, requestId }: SignInExchange): void {
  const address = audit.addressOf(request);
  const subject = { subjectType: 'surface', subjectId: 'sign-in' };
  audit.note({ action: 'signIn.refused', requestId, address, caller: null, ...subject });
}
