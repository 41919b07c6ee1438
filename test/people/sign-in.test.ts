// Signing in and out by real HTTP: the flow, what it leaves in the browser and in the audit, and how a session is used and ends.
import { StreamClient } from '../gateway/stream-client';
import { Client } from '../gateway/subscription-client';
import { eventually } from '../support/stores';
import { Browser, isBack } from './browser';
import { openSignInWorld, type SignInWorld } from './sign-in-world';

let world: SignInWorld;
beforeAll(async () => {
  world = await openSignInWorld();
});
afterAll(() => world?.close());

const who = '{ viewer { id name kind email roles account { accountId } freshUntil } }';

/** Signed in as one of the five. */
async function signedIn(key: string, to = '/payments?state=open'): Promise<Browser> {
  const browser = new Browser(world.origin);
  const { at } = await browser.open(`/sign-in?as=${key}&to=${encodeURIComponent(to)}`, isBack);
  expect(`${at.pathname}${at.search}`).toBe(to);
  return browser;
}

const answered = async (browser: Browser, headers?: Record<string, string>) => {
  const { status, body } = await browser.ask(who, {}, headers);
  return [status, body.data?.viewer?.name ?? body.errors[0].extensions.code];
};

describe('a sign-in', () => {
  it.each([
    ['vera', 'Vera Viewer', ['viewer'], null],
    ['sam', 'Sam Support', ['viewer', 'support'], null],
    ['olga', 'Olga Operator', ['viewer', 'support', 'operator'], null],
    ['ada', 'Ada Administrator', ['viewer', 'support', 'operator', 'administrator'], null],
    ['tom', 'Tom Tenant', ['tenant'], { accountId: 'alpha' }],
  ])('of %s leads back to the page, with the rights of the groups', async (key, name, roles, account) => {
    const browser = await signedIn(key);
    const { body } = await browser.ask(who);
    const email = `${key}@sandbox.example`;
    expect(body.data.viewer).toMatchObject({ name, kind: 'PERSON', email, roles, account });
    expect(Date.parse(body.data.viewer.freshUntil)).toBeGreaterThan(world.clock.now().getTime() + 590_000);
  });

  it('by a click: five people stand on a page that works without a script', async () => {
    const browser = new Browser(world.origin);
    const { answer, at } = await browser.open('/sign-in?to=/tokens');
    expect(answer.text.match(/name="person" value="\w+"/g)).toHaveLength(5);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: world.origin };
    const chosen = await browser.call('POST', at.href, { headers, body: 'person=sam' });
    const { at: end } = await browser.open(String(chosen.headers.location), isBack);
    expect([end.pathname, await answered(browser)]).toEqual(['/tokens', [200, 'Sam Support']]);
  });

  it('leaves one cookie, out of reach of scripts and of other sites, and no token', async () => {
    const browser = await signedIn('vera');
    expect([...browser.cookies.keys()].filter((name) => !name.startsWith('sandbox-identity'))).toEqual(['session']);
    expect(browser.cookies.get('session')?.attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Lax']);
    expect(browser.session).toMatch(/^ps_sandbox_[\w-]{43}$/);
  });

  it('is in the audit: the roles that were new, the coming and the going', async () => {
    const browser = await signedIn('ada');
    const { id } = (await browser.ask(who)).body.data.viewer;
    await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
    const records = await world.connection.collection('audit').find({ subjectId: id }).toArray();
    const actor = `person:${id}`;
    expect(new Set(records.map(({ action }) => action))).toEqual(
      new Set(['person.rolesChanged', 'person.signedIn', 'person.signedOut']),
    );
    expect(records.every((record) => record['actor'] === actor && record['address'] === '127.0.0.1')).toBe(true);
  });

  it('says of its session until when it lives, which is no use of it', async () => {
    const browser = await signedIn('olga');
    const { status, body } = await browser.call('GET', '/sign-in/session');
    expect([status, body.person.name]).toEqual([200, 'Olga Operator']);
    expect(Date.parse(body.idleUntil) - Date.parse(body.now)).toBeLessThanOrEqual(30 * 60_000);
    expect(Date.parse(body.endsAt) - Date.parse(body.now)).toBeGreaterThan(11 * 3_600_000);
    expect((await new Browser(world.origin).call('GET', '/sign-in/session')).status).toBe(401);
  });

  it('anew ends the session before it', async () => {
    const browser = await signedIn('vera');
    const former = browser.session ?? '';
    await browser.open('/sign-in?as=vera&to=/payments&fresh=1', isBack);
    expect(browser.session).not.toBe(former);
    const old = new Browser(world.origin);
    old.cookies.set('session', { value: former, path: '/', attributes: [] });
    await eventually(async () => (await answered(old))[0] === 401);
  });

  it('in several tabs at once: each comes to its end, and old ones give way', async () => {
    const browser = new Browser(world.origin);
    const tabs: URL[] = [];
    for (let tab = 0; tab < 7; tab += 1)
      tabs.push(
        (await browser.open(`/sign-in?as=sam&to=/tab-${tab}`, ({ pathname }) => pathname.endsWith('/auth'))).at,
      );
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('sign-in-'))).toHaveLength(5);
    for (const [tab, address] of tabs.entries()) {
      if (tab < 2) continue;
      expect((await browser.open(address.href, isBack)).at.pathname).toBe(`/tab-${tab}`);
    }
  });
});

describe('a second person in the same browser', () => {
  it.each([
    ['after the first is in', async (browser: Browser) => browser.open('/sign-in?as=olga&to=/', isBack)],
    [
      'after the first has signed out',
      async (browser: Browser) => {
        await browser.open('/sign-in?as=olga&to=/', isBack);
        await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
      },
    ],
    ['after a sign-in that the first left open', async (browser: Browser) => browser.open('/sign-in?to=/')],
  ])('signs in %s', async (_when, first) => {
    const browser = new Browser(world.origin);
    await first(browser);
    for (const [key, name] of [
      ['ada', 'Ada Administrator'],
      ['olga', 'Olga Operator'],
      ['ada', 'Ada Administrator'],
    ] as const) {
      const { at } = await browser.open(`/sign-in?as=${key}&to=/payouts&fresh=1`, isBack);
      expect([at.pathname, await answered(browser)]).toEqual(['/payouts', [200, name]]);
    }
  });

  it('in another tab while the first is asked: both come to their end, and the last one counts', async () => {
    const browser = new Browser(world.origin);
    await browser.open('/sign-in?as=vera&to=/', isBack);
    const isAtProvider = ({ pathname }: URL) => pathname.endsWith('/auth');
    const first = await browser.open('/sign-in?as=olga&to=/first', isAtProvider);
    const second = await browser.open('/sign-in?as=ada&to=/second', isAtProvider);
    expect((await browser.open(second.at.href, isBack)).at.pathname).toBe('/second');
    expect(await answered(browser)).toEqual([200, 'Ada Administrator']);
    expect((await browser.open(first.at.href, isBack)).at.pathname).toBe('/first');
    expect(await answered(browser)).toEqual([200, 'Olga Operator']);
  });
});

describe('a session', () => {
  const clear = (browser: Browser, value: string) =>
    browser.cookies.set('session', { value, path: '/', attributes: [] });

  it.each<[string, (browser: Browser) => void]>([
    ['forged', (browser) => clear(browser, `ps_sandbox_${'A'.repeat(43)}`)],
    ['of another environment', (browser) => clear(browser, browser.session?.replace('sandbox', 'production') ?? '')],
    ['cut short', (browser) => clear(browser, browser.session?.slice(0, -1) ?? '')],
  ])('that is %s is none', async (_what, spoil) => {
    const browser = await signedIn('vera');
    spoil(browser);
    expect(await answered(browser)).toEqual([401, 'unauthenticated']);
  });

  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['the origin null', { origin: 'null' }],
    ['no header that a form cannot send', { 'x-requested-with': '' }],
  ])('is not taken from %s', async (_what, headers) => {
    expect(await answered(await signedIn('ada'), headers)).toEqual([403, 'forbidden']);
  });

  it('reads by GET without them, and changes nothing that way', async () => {
    const browser = await signedIn('ada');
    const headers = { 'x-requested-with': 'dashboard' };
    const get = (query: string) => browser.call('GET', `/graphql?query=${encodeURIComponent(query)}`, { headers });
    expect(await get('{ viewer { name } }')).toMatchObject({
      body: { data: { viewer: { name: 'Ada Administrator' } } },
    });
    expect((await get('mutation { signOutEverywhere { personId } }')).status).toBe(405);
    expect(await answered(browser)).toEqual([200, 'Ada Administrator']);
  });

  it.each<[string, object, number]>([
    ['its own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['an address typed by hand', { 'sec-fetch-site': 'none' }, 200],
    ['a link of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another host of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['the origin null', { origin: 'null' }, 403],
  ])('by GET from %s', async (_what, from, status) => {
    const browser = await signedIn('ada');
    const headers = { 'x-requested-with': 'dashboard', ...from };
    const query = encodeURIComponent('{ viewer { name } }');
    const answer = await browser.call('GET', `/graphql?query=${query}`, { headers });
    const told = answer.body.data?.viewer.name ?? answer.body.errors[0].extensions.code;
    expect([answer.status, told]).toEqual([status, status === 200 ? 'Ada Administrator' : 'forbidden']);
  });

  it('is not signed out by another site', async () => {
    const browser = await signedIn('vera');
    const { status } = await browser.call('POST', '/sign-out', { headers: { origin: 'https://evil.example' } });
    expect([status, await answered(browser)]).toEqual([403, [200, 'Vera Viewer']]);
  });

  it('is over where it was signed out, also at the provider, which keeps none here', async () => {
    const browser = await signedIn('vera');
    const answer = await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
    expect([answer.status, answer.body, await answered(browser)]).toEqual([
      200,
      { provider: null },
      [401, 'unauthenticated'],
    ]);
    const { answer: asked } = await browser.open('/sign-in?to=/');
    expect(asked.text.match(/name="person" value="\w+"/g)).toHaveLength(5);
  });

  it('asks for a stream of events, and nothing once it is over', async () => {
    const browser = await signedIn('vera');
    const url = `${world.origin.replace('http', 'ws')}/graphql`;
    const open = async (headers: Record<string, string>) => {
      const stream = await StreamClient.open(url, null, { headers, search: '?types=none' });
      return [stream.status, JSON.stringify(await stream.body())];
    };
    const cookie = `session=${browser.session}`;
    // Let in, and then refused for what it asks.
    expect(await open({ cookie })).toEqual([400, expect.stringContaining('GRAPHQL_VALIDATION_FAILED')]);
    expect(await open({})).toEqual([401, expect.stringContaining('unauthenticated')]);
    await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
    expect(await open({ cookie })).toEqual([401, expect.stringContaining('unauthenticated')]);
  });

  async function connected(browser: Browser): Promise<void> {
    const url = `${world.origin.replace('http', 'ws')}/graphql`;
    const socket = await Client.open(url, undefined, { cookie: `session=${browser.session}`, origin: world.origin });
    await eventually(() => socket.messages.some(({ type }) => type === 'connection_ack'));
    socket.close();
  }

  it('opens a WebSocket of our own pages only, and its end closes it within a second', async () => {
    const browser = await signedIn('sam');
    const url = `${world.origin.replace('http', 'ws')}/graphql`;
    const cookie = `session=${browser.session}`;
    const foreign = await Client.open(url, undefined, { cookie, origin: 'https://evil.example' });
    await eventually(() => foreign.closed);
    expect(foreign.closed?.code).toBe(4403);
    const ours = await Client.open(url, undefined, { cookie, origin: world.origin });
    await eventually(() => ours.messages.some(({ type }) => type === 'connection_ack'));
    await browser.call('POST', '/sign-out', { headers: { origin: world.origin } });
    await eventually(() => ours.closed);
    expect(ours.closed).toMatchObject({ code: 4403 });
  });

  it('is known to every process, and ends in each of them', async () => {
    const other = await world.serve(0);
    const browser = await signedIn('vera');
    const headers = { cookie: `session=${browser.session}`, origin: world.origin, 'x-requested-with': 'dashboard' };
    const there = () => new Browser(other).call('POST', '/graphql', { headers, body: { query: who } });
    expect((await there()).body.data.viewer.name).toBe('Vera Viewer');
    const { body } = await browser.ask('mutation { signOutEverywhere { name } }');
    expect(body).toEqual({ data: { signOutEverywhere: { name: 'Vera Viewer' } } });
    await eventually(async () => (await there()).status === 401);
  });

  it('lives on while it is used, ends when it is idle, and at the end of its day', async () => {
    const [used, idle] = [await signedIn('olga'), await signedIn('olga')];
    for (let passed = 0; passed < 3; passed += 1) {
      world.clock.advance(20 * 60_000);
      expect(await answered(used)).toEqual([200, 'Olga Operator']);
    }
    expect(await answered(idle)).toEqual([401, 'unauthenticated']);
    for (let passed = 0; passed < 34; passed += 1) {
      world.clock.advance(20 * 60_000);
      await answered(used);
    }
    expect(await answered(used)).toEqual([401, 'unauthenticated']);
  });

  it.each([
    ['what a page asks by itself', (browser: Browser) => browser.ask(who, {}, { 'x-attended': 'no' })],
    ['a live connection that comes again', connected],
  ])('%s is no use of it', async (_name, happen) => {
    const browser = await signedIn('olga');
    world.clock.advance(20 * 60_000);
    await happen(browser);
    world.clock.advance(11 * 60_000);
    expect(await answered(browser)).toEqual([401, 'unauthenticated']);
  });
});

it('nothing secret of all this is in the log', async () => {
  const browser = await signedIn('ada');
  const secrets = browser.visited.flatMap((address) => {
    const { searchParams } = new URL(address);
    return ['code', 'state', 'code_challenge', 'nonce'].flatMap((name) => searchParams.get(name) ?? []);
  });
  expect(secrets.length).toBeGreaterThan(3);
  const logged = world.logged();
  expect(logged).toContain('signed in');
  expect([...secrets, browser.session].filter((secret) => logged.includes(String(secret)))).toEqual([]);
  expect(logged).not.toMatch(/ps_sandbox_|eyJ/);
});
