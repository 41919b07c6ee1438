// A provider of another make (oauth2-mock-server), which signs what it is told to: what a person brings from there is taken only as OpenID Connect says.
import { OAuth2Server } from 'oauth2-mock-server';
import { Browser } from './browser';
import { client, openSignInWorld, type SignInWorld } from './sign-in-world';

type Claims = Record<string, unknown>;

const provider = new OAuth2Server();
/** What the next ID tokens say besides, or instead. */
let told: Claims = {};
let world: SignInWorld;

beforeAll(async () => {
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.issuer.url = `http://127.0.0.1:${provider.address().port}`;
  provider.service.on('beforeTokenSigning', ({ payload }: { payload: Claims }) => Object.assign(payload, told));
  world = await openSignInWorld({
    provider: { issuer: provider.issuer.url, scopes: 'openid profile groups', groupsClaim: 'groups' },
    roles: { 'payments-operators': 'operator' },
  });
});
afterAll(async () => {
  await world?.close();
  await provider.stop();
});

afterEach(() => void jest.restoreAllMocks());

async function signIn(claims: Claims) {
  told = { sub: 'johndoe', groups: ['payments-operators'], ...claims };
  const browser = new Browser(world.origin);
  const isHome = (at: URL) => at.origin === world.origin && !at.pathname.startsWith('/sign-in');
  const { answer, at } = await browser.open('/sign-in?to=/payments', isHome);
  return { browser, answer, at };
}

async function viewer(browser: Browser) {
  const { body } = await browser.ask('{ viewer { name roles freshUntil } }');
  return body.data.viewer;
}

it('signs in, and says who it is by the ID token', async () => {
  const { browser, at } = await signIn({ name: 'John Doe' });
  expect(at.pathname).toBe('/payments');
  expect(await viewer(browser)).toMatchObject({ name: 'John Doe', roles: ['viewer', 'support', 'operator'] });
});

it('goes on when it signs with a key that is new', async () => {
  await provider.issuer.keys.generate('RS256');
  // Keys that it showed less than a minute ago are not asked for again: a token of nobody's making costs no call.
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 61_000);
  // It takes one key after the other.
  for (const name of ['John the First', 'John the Second']) {
    const { browser } = await signIn({ name });
    expect((await viewer(browser)).name).toBe(name);
  }
});

const seconds = () => Math.floor(Date.now() / 1_000);

it.each<[string, () => Claims]>([
  ['is for another client', () => ({ aud: `${client.clientId}-of-somebody-else` })],
  ['is for us among others, without saying who asked', () => ({ aud: [client.clientId, 'somebody'] })],
  ['is of another provider', () => ({ iss: 'https://elsewhere.example' })],
  ['answers another question', () => ({ nonce: 'of-another-visit' })],
  ['has run out', () => ({ iat: seconds() - 7_200, exp: seconds() - 3_600 })],
  ['names nobody', () => ({ sub: undefined })],
])('refuses an ID token that %s', async (_what, claims) => {
  const { browser, answer } = await signIn(claims());
  expect([answer.status, browser.session]).toEqual([400, undefined]);
});

it('refuses whom it sends without a group that means something here', async () => {
  const { browser, answer } = await signIn({ groups: ['strangers'] });
  expect([answer.status, browser.session]).toEqual([403, undefined]);
});
