// A provider of somebody else's making: other keys, other claims, a clock of its own, and a person whose groups change or who may not come any more.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { Client } from '../gateway/subscription-client';
import { eventually } from '../support/stores';
import { Browser } from './browser';
import { client, freeOrigin, openSignInWorld, type SignInWorld } from './sign-in-world';

interface Account {
  groups: unknown;
  /** Of the ID token and of userinfo, by name. */
  more?: Record<string, unknown>;
}

/** Who is known there; tests change it. */
const accounts = new Map<string, Account>([
  ['jane', { groups: ['staff', 'payments-operators'], more: { name: 'Jane Doe', email: 'jane@corp.example' } }],
]);
/** Who sits at the keyboard. */
let atKeyboard = 'jane';

let world: SignInWorld;
let server: Server;
let provider: Provider;

beforeAll(async () => {
  const [ours, theirs] = [await freeOrigin(), await freeOrigin()];
  provider = new Provider(`${theirs.origin}/realms/corp`, configurationFor(ours.origin));
  server = createServer((request, response) => {
    const url = request.url ?? '/';
    if (url.startsWith('/login/')) return void login(request, response);
    (request as { originalUrl?: string }).originalUrl = url;
    request.url = url.replace('/realms/corp', '') || '/';
    provider.callback()(request, response);
  });
  await new Promise<void>((done) => server.listen(theirs.port, '127.0.0.1', done));
  const settings = {
    issuer: `${theirs.origin}/realms/corp`,
    scopes: 'openid profile email',
    groupsClaim: 'realm_access.roles',
  };
  const roles = {
    'payments-operators': 'operator',
    'CN=Audit, OU=Corp': 'viewer',
    'shop-alpha': 'tenant:alpha',
    'shop-beta': 'tenant:beta',
  } as const;
  world = await openSignInWorld({ provider: settings, roles }, ours);
});
afterAll(async () => {
  await world?.close();
  server?.closeAllConnections();
  server?.close();
});

/** ES256 only, the secret in the form, groups one within another and told by userinfo alone, no auth_time unless asked. */
function configurationFor(origin: string): Configuration {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  });
  const key = { ...createPrivateKey(privateKey).export({ format: 'jwk' }), kid: 'their-key', use: 'sig', alg: 'ES256' };
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${origin}/sign-in/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key as never] },
    clientAuthMethods: ['client_secret_post'],
    cookies: { keys: ['theirs'] },
    claims: { openid: ['sub'], profile: ['name', 'realm_access'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id)?.more, realm_access: { roles: accounts.get(id)?.groups } }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionFinished(request, response, { login: { accountId: atKeyboard } });
}

const isHome = (at: URL) => at.origin === world.origin && !at.pathname.startsWith('/sign-in');

async function signIn(who: string, browser = new Browser(world.origin)) {
  atKeyboard = who;
  const { answer, at } = await browser.open('/sign-in?to=/payments', isHome);
  return { browser, answer, at };
}

const viewer = async (browser: Browser) => {
  const { status, body } = await browser.ask('{ viewer { name email roles account { accountId } freshUntil } }');
  return status === 200 ? body.data.viewer : status;
};

it('signs in, with groups one within another that only userinfo tells', async () => {
  const { browser, at } = await signIn('jane');
  expect(at.pathname).toBe('/payments');
  expect(await viewer(browser)).toMatchObject({ name: 'Jane Doe', email: 'jane@corp.example', account: null });
  expect((await viewer(browser)).roles).toEqual(['viewer', 'support', 'operator']);
});

it('is signed out here, and told where the provider ends its own session', async () => {
  const { browser } = await signIn('jane');
  const { status, body } = await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
  expect([status, await viewer(browser)]).toEqual([200, 401]);
  const { answer, at } = await browser.open(body.provider);
  expect([answer.status, `${at.origin}${at.pathname}`]).toEqual([200, `${provider.issuer}/session/end`]);
  // The provider asks whether it is to end; said yes, whoever signs in next is asked who it is.
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(answer.text)?.[1];
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const confirmed = await browser.call('POST', `${at.origin}${at.pathname}/confirm`, {
    headers,
    body: `xsrf=${xsrf}&logout=yes`,
  });
  expect(confirmed.status).toBe(303);
  accounts.set('john', { groups: ['payments-operators'], more: { name: 'John Doe' } });
  const next = await signIn('john', browser);
  expect([next.at.pathname, (await viewer(browser)).name]).toEqual(['/payments', 'John Doe']);
});

it('is no fresh sign-in unless the person was asked anew: the provider does not say when it was', async () => {
  const { browser } = await signIn('jane');
  expect((await viewer(browser)).freshUntil).toBeNull();
  await browser.open('/sign-in?to=/payments&fresh=1', isHome);
  expect(Date.parse((await viewer(browser)).freshUntil)).toBeGreaterThan(world.clock.now().getTime());
});

it.each<[string, unknown, string[], string | null]>([
  ['a group whose name has commas', ['CN=Audit, OU=Corp'], ['viewer'], null],
  ['one group as text', 'payments-operators', ['viewer', 'support', 'operator'], null],
  ["a tenant's group", ['shop-alpha'], ['tenant'], 'alpha'],
  ['a role of staff beside a tenant', ['shop-alpha', 'payments-operators'], ['viewer', 'support', 'operator'], null],
])('reads %s', async (what, groups, roles, accountId) => {
  accounts.set(what, { groups });
  const { browser } = await signIn(what);
  expect(await viewer(browser)).toMatchObject({
    name: what,
    roles,
    account: accountId === null ? null : { accountId },
  });
});

it.each<[string, unknown]>([
  ['no group at all', undefined],
  ['groups that mean nothing here', ['staff', 'constructor', '__proto__']],
  ['groups that are no text', [{ name: 'payments-operators' }, 7, null]],
  ['the groups of two tenants', ['shop-alpha', 'shop-beta']],
])('refuses %s, and the audit knows', async (what, groups) => {
  accounts.set(what, { groups, more: { email: 'stranger@corp.example' } });
  const { browser, answer } = await signIn(what);
  expect([answer.status, browser.session]).toEqual([403, undefined]);
  expect(answer.text).toContain('none of your groups has a role here');
  const refused = await world.audited('person.signInRefused');
  expect(refused.at(-1)?.['changes']).toContainEqual({ field: 'email', from: null, to: 'stranger@corp.example' });
});

it('a role that the provider has taken away is gone with the next sign-in, in every session', async () => {
  accounts.set('leaver', { groups: ['payments-operators'] });
  const { browser } = await signIn('leaver');
  accounts.set('leaver', { groups: ['CN=Audit, OU=Corp'] });
  const second = await signIn('leaver');
  expect((await viewer(second.browser)).roles).toEqual(['viewer']);
  await eventually(async () => (await viewer(browser)).roles.length === 1);
  accounts.set('leaver', { groups: [] });
  expect((await signIn('leaver')).answer.status).toBe(403);
  await eventually(async () => (await viewer(browser)) === 401);
  const changes = (await world.audited('person.rolesChanged')).map((record) => record['changes'][0].to);
  expect(changes.slice(-3)).toEqual(['viewer support operator', 'viewer', '']);
  accounts.set('leaver', { groups: ['CN=Audit, OU=Corp'] });
  const back = await signIn('leaver');
  // Asked of a process that remembers none of them.
  const there = new Browser(await world.serve(0));
  const sessions = [browser, second.browser, back.browser].map(({ session }) => session);
  const headers = { origin: world.origin, 'x-requested-with': 'dashboard' };
  const asked = sessions.map((session) =>
    there.call('POST', '/graphql', {
      headers: { ...headers, cookie: `session=${session}` },
      body: { query: '{ viewer { name } }' },
    }),
  );
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401, 200]);
});

it.each<[string, string[], string | null]>([
  ['another tenant', ['shop-beta'], 'beta'],
  ['the staff', ['CN=Audit, OU=Corp'], null],
])('whoever is moved to %s is out of its other sessions and of their live feed', async (what, groups, accountId) => {
  const who = `moved to ${what}`;
  accounts.set(who, { groups: ['shop-alpha'] });
  const { browser } = await signIn(who);
  const headers = { cookie: `session=${browser.session}`, origin: world.origin };
  const feed = await Client.open(`${world.origin.replace('http', 'ws')}/graphql`, undefined, headers);
  await eventually(() => feed.messages.some(({ type }) => type === 'connection_ack'));
  accounts.set(who, { groups });
  const moved = await signIn(who);
  await eventually(() => feed.closed);
  expect(feed.closed?.code).toBe(4403);
  await eventually(async () => (await viewer(browser)) === 401);
  const account = accountId === null ? null : { accountId };
  expect(await viewer(moved.browser)).toMatchObject({ account });
});

it('a sign-in that one process began, another one ends', async () => {
  const other = await world.serve(0);
  const browser = new Browser(world.origin);
  atKeyboard = 'jane';
  const { at } = await browser.open('/sign-in?to=/payments', ({ pathname }) => pathname === '/sign-in/callback');
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const there = new Browser(other);
  const { status, headers } = await there.call('GET', `${at.pathname}${at.search}`, { headers: { cookie } });
  expect([status, headers.location]).toEqual([303, '/payments']);
});

it.each([
  ['fast', 45],
  ['slow', -45],
])('takes a provider whose clock is %s', async (_what, seconds) => {
  const real = Date.now;
  // Only the provider asks between its two marks: what it signs is of another time.
  const spy = jest.spyOn(Date, 'now').mockImplementation(() => {
    const isTheirs = new Error().stack?.includes('oidc-provider') ?? false;
    return real() + (isTheirs ? seconds * 1_000 : 0);
  });
  try {
    expect((await signIn('jane')).at.pathname).toBe('/payments');
    expect(spy).toHaveBeenCalled();
  } finally {
    spy.mockRestore();
  }
});

it('while the provider is away says so, and comes back with it', async () => {
  // A port that nobody listens to may be somebody's by then: this one hangs up.
  const nobody = createServer();
  nobody.on('connection', (socket) => void socket.destroy());
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(nobody.address() as AddressInfo).port}/nobody`;
  const away = await openSignInWorld({ provider: { issuer, scopes: 'openid', groupsClaim: 'groups' }, roles: {} });
  const { answer } = await new Browser(away.origin).open('/sign-in');
  await away.close();
  nobody.close();
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
});
