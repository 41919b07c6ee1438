// Every way to come back from the provider that is no sign-in, and every address that is no page of ours to come back to.
import { EncryptJWT } from 'jose';
import { eventually } from '../support/stores';
import { Browser, isBack } from './browser';
import { openSignInWorld, type SignInWorld } from './sign-in-world';

let world: SignInWorld;
beforeAll(async () => {
  world = await openSignInWorld();
});
afterAll(() => world?.close());

describe('what is no way in', () => {
  /** On the way back from the provider, with a good code. */
  async function onTheWay(to = '/payments') {
    const browser = new Browser(world.origin);
    const isCallback = ({ pathname }: URL) => pathname === '/sign-in/callback';
    const { at } = await browser.open(`/sign-in?as=olga&to=${encodeURIComponent(to)}`, isCallback);
    return { browser, at };
  }
  const handshakeOf = (browser: Browser) => {
    const name = [...browser.cookies.keys()].find((each) => each.startsWith('sign-in-')) ?? '';
    return { name, cookie: browser.cookies.get(name) };
  };

  it.each<[string, (way: Awaited<ReturnType<typeof onTheWay>>) => void | Promise<void>]>([
    ['another state', ({ at }) => at.searchParams.set('state', `${at.searchParams.get('state')}x`)],
    ['no state', ({ at }) => at.searchParams.delete('state')],
    ['a state that never was', ({ at }) => at.searchParams.set('state', `${'0'.repeat(16)}.x`)],
    ['another code', ({ at }) => at.searchParams.set('code', 'guessed')],
    ['another issuer', ({ at }) => at.searchParams.set('iss', 'https://evil.example')],
    ['a browser that did not begin it', ({ browser }) => browser.cookies.clear()],
    [
      'a cookie that was changed',
      ({ browser }) => {
        const { cookie } = handshakeOf(browser);
        if (cookie) cookie.value = `${cookie.value.slice(0, -4)}AAAA`;
      },
    ],
    [
      'a cookie that was made elsewhere',
      async ({ browser, at }) => {
        const { cookie } = handshakeOf(browser);
        const claims = {
          state: at.searchParams.get('state'),
          nonce: 'n',
          verifier: 'v'.repeat(43),
          to: '/',
          isFresh: false,
        };
        const sealed = new EncryptJWT(claims)
          .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
          .setExpirationTime('5m');
        if (cookie) cookie.value = await sealed.encrypt(new Uint8Array(32));
      },
    ],
    [
      "another sign-in's nonce and verifier",
      async ({ browser, at }) => {
        const other = await onTheWay();
        const { name } = handshakeOf(browser);
        const { cookie } = handshakeOf(other.browser);
        // Its cookie under our name, its state with our code.
        const state = String(other.at.searchParams.get('state'));
        browser.cookies.delete(name);
        browser.cookies.set(`sign-in-${state.slice(0, 16)}`, { value: cookie?.value ?? '', path: '/', attributes: [] });
        at.searchParams.set('state', state);
      },
    ],
  ])('%s', async (_what, spoil) => {
    const way = await onTheWay();
    await spoil(way);
    const { answer } = await way.browser.open(way.at.href);
    expect([answer.status, way.browser.session]).toEqual([400, undefined]);
    expect(answer.text).toContain('href="/sign-in"');
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'sha256-/);
  });

  it('a code a second time', async () => {
    const { browser, at } = await onTheWay();
    const kept = handshakeOf(browser);
    await browser.open(at.href, isBack);
    const again = new Browser(world.origin);
    if (kept.cookie) again.cookies.set(kept.name, kept.cookie);
    const { answer } = await again.open(at.href);
    expect([answer.status, again.session]).toEqual([400, undefined]);
  });

  it('a no of the provider, told in words', async () => {
    const { browser, at } = await onTheWay();
    at.searchParams.delete('code');
    at.searchParams.set('error', 'access_denied');
    const { answer } = await browser.open(at.href);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('You did not sign in')]);
    await eventually(async () => (await world.audited('signIn.refused')).length > 0);
  });

  it.each([
    ['//evil.example/x', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/sign-in?to=/x', '/'],
    [`/${'x'.repeat(3_000)}`, '/'],
    ['/payments/1?tab=a#b', '/payments/1?tab=a#b'],
  ])('the address %j leads back to %j', async (to, end) => {
    const { browser, at } = await onTheWay(to);
    const { headers } = await browser.call('GET', at.href);
    expect(headers.location).toBe(end);
  });
});
