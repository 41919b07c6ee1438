// The five people of a running sandbox, by the addresses of its credentials file: what each sees and may, and that a tenant's person sees its own only.
import { sharedWorld, type World } from '../support/world';
import { Browser, isBack } from './browser';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world?.stop());

async function signedIn(role: string): Promise<Browser> {
  const { signIn } = world.credentials.people.find((person) => person.role === role) ?? { signIn: '' };
  const browser = new Browser(new URL(world.urls.dashboard).origin);
  const { at } = await browser.open(signIn, isBack);
  expect(at.href).toBe(world.urls.dashboard);
  return browser;
}

const merchants = ['merchant-alpha-1', 'merchant-beta-1'];
const both = `{ ${merchants.map((id, index) => `m${index}: merchant(merchantId: "${id}") { merchantId balances(from: "2026-01-01", to: "2026-01-02") { currency } }`).join(' ')} }`;

it('are one for each role, and stand in the credentials file with the dashboard', () => {
  const people = world.credentials.people.map(({ role, tenant }) => [role, tenant]);
  const staff = ['viewer', 'support', 'operator', 'administrator'].map((role) => [role, undefined]);
  expect(people).toEqual([...staff, ['tenant', 'alpha']]);
  expect(world.urls.dashboard).toBe(`${new URL(world.urls.graph).origin}/`);
});

it.each([
  ['viewer', merchants],
  ['administrator', merchants],
  ['tenant', [merchants[0], undefined]],
])('%s sees %j', async (role, seen) => {
  const { body } = await (await signedIn(role)).ask(both);
  expect([body.data.m0?.merchantId, body.data.m1?.merchantId]).toEqual(seen);
});

it.each([
  ['viewer', 'forbidden'],
  ['support', 'forbidden'],
  ['operator', 'notFound'],
  ['administrator', 'notFound'],
  // No contract of a tenant has it.
  ['tenant', 'GRAPHQL_VALIDATION_FAILED'],
])('%s who refunds what is not there: %s', async (role, code) => {
  const refund = 'mutation { refundOperation(operationId: "00000000-0000-4000-8000-000000000000") { __typename } }';
  const { body } = await (await signedIn(role)).ask(refund);
  expect(body.errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([code]);
});

it('a link of another site begins no export, follows no events and reads no schema in a name', async () => {
  const browser = await signedIn('administrator');
  const query = `query ($first: Int, $after: String) { merchants(first: $first, after: $after) {
    edges { node { merchantId } } pageInfo { hasNextPage endCursor } } }`;
  const paths = [`/graphql/export?query=${encodeURIComponent(query)}`, '/graphql/schema.graphql'];
  const statuses = async (site: string, asked = paths) =>
    Promise.all(
      asked.map(async (path) => (await browser.call('GET', path, { headers: { 'sec-fetch-site': site } })).status),
    );
  expect(await statuses('cross-site', [...paths, '/graphql/events'])).toEqual([403, 403, 403]);
  expect(await statuses('same-origin')).toEqual([200, 200]);
});

it('a session that was signed out is spent for everything', async () => {
  const browser = await signedIn('administrator');
  const { session } = browser;
  await browser.call('POST', '/sign-out', { headers: { origin: browser.origin } });
  browser.cookies.set('session', { value: String(session), path: '/', attributes: [] });
  const answers = [
    await browser.ask('{ viewer { id } }'),
    await browser.ask('mutation { signOutEverywhere { personId } }'),
    await browser.call('GET', '/graphql/schema.graphql'),
    await browser.call('GET', '/sign-in/session'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
});
