// What the dashboard says of things that went wrong or were done: callbacks that receivers refuse, the audit in words and names, and what an address names that there is not.
import { administrationOf, merchantBody } from '../support/administration';
import { openInbox } from '../support/checkout';
import { graph, sandboxCall } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { startWorld } from '../support/world';
import { atDashboard, cutConnections, desktop, paid, phone } from './visit';

const visit = atDashboard({ person: 'ada', start: startWorld });
const { act, drawer } = visit;

const row = (text: string) => visit.page.getByRole('row').filter({ hasText: text });

/** A payment whose notification the receiver refuses until it is not sent again. */
async function rejected(): Promise<{ orderId: string; callbackId: string; paymentId: string }> {
  const inbox = openInbox(visit.world);
  await sandboxCall(visit.world, 'POST', '/sandbox/receiver/faults', { status: 404, times: 3 });
  const { orderId, paymentId } = await paid(visit.world, 'explicit', { notificationUrl: inbox.url });
  const query =
    'query ($f: CallbackFilter) { callbacks(filter: $f) { edges { node { callbackId operation { orderId } } } } }';
  const callbackId = await eventually(async () => {
    await sandboxCall(visit.world, 'POST', '/sandbox/clock', { advanceMs: 60_000 });
    const { data } = await graph(visit.world, query, { f: { status: 'REJECTED' } });
    const edges: { node: { callbackId: string; operation: { orderId: string } } }[] = data.callbacks.edges;
    return edges.find(({ node }) => node.operation.orderId === orderId)?.node.callbackId;
  });
  return { orderId, callbackId, paymentId };
}

act('callbacks that receivers refuse for good wait for a person, and their endpoint says so', async () => {
  const { page } = visit;
  const { orderId, callbackId } = await rejected();
  await visit.go('/');
  const card = page.getByRole('region', { name: 'Callbacks given up' });
  await card.getByRole('link', { name: new RegExp(orderId) }).waitFor();
  await card.getByRole('link', { name: /^Callbacks given up/ }).click();
  await row(orderId).getByText('Rejected').waitFor();
  expect(await row(orderId).getByText('Rejected').getAttribute('title')).toMatch(/4xx/);
  await visit.go(`/callbacks/${callbackId}`);
  await drawer().getByText('It waits to be sent again by hand.').waitFor();
  await drawer().getByText('The receiver refused it (4xx)').waitFor();
  await drawer()
    .getByRole('link', { name: new RegExp(orderId) })
    .waitFor();
  await visit.go('/callbacks/endpoints');
  await row('1 of the last 1 rejected').getByRole('link').click();
  await drawer().getByText('1 of the last 1 rejected').waitFor();
  await drawer()
    .getByRole('link', { name: new RegExp(orderId) })
    .waitFor();
});

act('a callback is found by its order and by its own id; by what is nowhere, none', async () => {
  const { page } = visit;
  const inbox = openInbox(visit.world);
  const { orderId } = await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(1);
  await visit.go('/callbacks');
  const field = page.getByLabel('Id of a callback, operation or application');
  // By the whole number alone: what begins like it may be many orders.
  await field.fill(orderId.slice(0, -1));
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await field.fill(orderId);
  await field.press('Enter');
  await row(orderId).first().waitFor();
  await field.fill('nowhere-to-be-found');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  const { data } = await graph(visit.world, '{ callbacks(first: 1) { edges { node { callbackId } } } }');
  const [{ node }] = data.callbacks.edges;
  await field.fill(node.callbackId);
  await field.press('Enter');
  await page.waitForURL((url) => url.pathname === `/callbacks/${node.callbackId}`);
});

act('origins lead to their endpoints', async () => {
  const { page } = visit;
  await visit.go('/callbacks/origins');
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.waitForURL((url) => url.pathname === '/callbacks/endpoints' && url.searchParams.has('origin'));
  await page.getByRole('row').nth(1).waitFor();
});

act('the audit speaks in words, and is narrowed by who, what and when', async () => {
  const { page } = visit;
  await visit.as('sam', '/');
  await visit.as('ada', '/audit');
  await row('Signed in').first().waitFor();
  await page.getByRole('button', { name: 'Who' }).click();
  await page.getByRole('menuitemradio', { name: 'Sam Support' }).click();
  await page.getByRole('button', { name: 'Action' }).click();
  await page.getByRole('menuitemradio', { name: 'Signed in', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('action') === 'person.signedIn');
  await row('Sam Support').first().waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'Ada' }).count()).toBe(0);
  await row('Signed in').first().getByRole('link').click();
  await drawer().getByText('person.signedIn').waitFor();
  await drawer()
    .getByRole('link', { name: /Sam Support/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  await drawer().getByRole('heading', { name: 'Sam Support' }).waitFor();
});

act('a record of the audit opens by its address, whatever the list beside it has', async () => {
  const query = '{ auditRecords(first: 1) { edges { node { auditId } } } }';
  const { data } = await graph(visit.world, query);
  const { auditId } = data.auditRecords.edges[0].node;
  await visit.go(`/audit?since=2020-01-01..2020-01-02&record=${auditId}`);
  await visit.page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await drawer().getByText('Code of the action').waitFor();
});

act('the audit names a merchant that is none of the first hundred, in the list and beside it', async () => {
  const { page } = visit;
  const { create } = administrationOf(visit.world, 'alpha');
  const name = 'Zz behind a hundred';
  const last = merchantBody({ name });
  const first = Array.from({ length: 100 }, (_, index) => merchantBody({ name: `Aa ${index}` }));
  for (const body of [...first, last]) expect((await create(body)).status).toBe(201);
  const { merchantId } = last;
  await visit.go(`/audit?subject=${merchantId}`);
  await row('Merchant created').getByTitle(merchantId).getByText(name, { exact: true }).waitFor();
  await page.setViewportSize(phone);
  await page.getByRole('main').getByTitle(merchantId).getByText(name, { exact: true }).waitFor();
  await page.setViewportSize(desktop);
  await row('Merchant created').getByRole('link').first().click();
  await drawer()
    .getByRole('link', { name: `Merchant ${name}`, exact: true })
    .waitFor();
  // Of one that is not there any more the list has the id.
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const told = await response.text();
    const gone = told.replaceAll(/"merchant":\{[^}]*\}/g, '"merchant":null');
    await route.fulfill({ response, body: told.includes('"AuditRecord"') ? gone : told });
  });
  await visit.go(`/audit?subject=${merchantId}`);
  await row('Merchant created').getByTitle(merchantId).getByText(merchantId, { exact: true }).waitFor();
  await row('Merchant created').getByRole('link').first().click();
  await drawer()
    .getByRole('link', { name: `Merchant ${merchantId}`, exact: true })
    .waitFor();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

for (const [path, said] of [
  ['/audit?record=none', 'No such record'],
  ['/people?person=none', 'No such person'],
  ['/payouts/entries?entry=none', 'No such entry'],
  ['/jobs/none', 'No such job'],
  ['/callbacks/none', 'No such callback'],
] as const)
  act(`${path} names nothing, and the lists beside it go on living`, async () => {
    await visit.go(path);
    await drawer().getByText(said).waitFor();
    await visit.page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    expect(await visit.page.getByText('Live connection ended').count()).toBe(0);
  });

test('a screen that cannot be fetched says so in its place, and is there once it can be', async () => {
  const { page } = visit;
  await visit.go('/payments');
  await page.route('**/assets/**', (route) => route.abort());
  await page.evaluate('window.isTheSame = true');
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
  await page.locator('nav a[href="/payments"]').first().click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  expect(await page.evaluate('window.isTheSame')).toBe(true);
  // What a visit.browser itself says of what it could not fetch.
  visit.complaints.splice(0);
});

act(
  'a list tells when it was read or followed at last, by the clock of the platform; one that was never read does not',
  async () => {
    await paid(visit.world, 'implicit', {}, 'beta');
    const page = await visit.browser.newPage();
    const wrongMs = 3 * 3_600_000 + 7 * 60_000;
    await page.addInitScript(`globalThis.Date = class extends Date {
    constructor(...given) { if (given.length > 0) super(...given); else super(Date.now()); }
    static now() { return super.now() + ${wrongMs}; }
  }`);
    const connections = await cutConnections(page);
    const stale = page.getByRole('main').getByText(/^Not up to date: read at /);
    const told = async () => {
      await stale.first().waitFor();
      const texts = await stale.allTextContents();
      return [...new Set(texts.map((text) => text.slice(-8)))].join();
    };
    const clock = async () => new Date((await askGraph(visit.world, '{ viewer { now } }')).viewer.now);
    /** What was told between two moments, to a second more on either side. */
    const expectBetween = (time: string, from: Date, to: Date) => {
      const [least = '', most = ''] = [from.getTime() - 1_500, to.getTime() + 1_500].map((at) =>
        new Date(at).toLocaleTimeString('en-GB'),
      );
      const isIn = least <= most ? time >= least && time <= most : time >= least || time <= most;
      expect([isIn, least, time, most]).toEqual([true, least, time, most]);
    };
    const { merchantId } = visit.world.credentials.tenants.beta;
    await page.goto(new URL(`/payments?merchantId=${merchantId}`, visit.page.url()).href);
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.getByRole('row').nth(1).waitFor();
    await page.waitForTimeout(3_000);
    const before = await clock();
    await connections.cut();
    const followed = await told();
    expectBetween(followed, before, await clock());

    const asked = await clock();
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expectBetween(await told(), asked, await clock());

    await page.waitForTimeout(3_000);
    await page.route('**/graphql', (route) => route.abort());
    await page.goBack();
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('main').getByText('Reconnecting', { exact: true }).waitFor();
    expect(await told()).toBe(followed);

    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByText('The platform cannot be reached.').waitFor();
    await page.getByRole('main').getByText('Reconnecting', { exact: true }).waitFor();
    expect(await stale.count()).toBe(0);
    await page.close();
  },
);

test('who is signed out everywhere is asked to sign in, in every window', async () => {
  const { page } = visit;
  await visit.as('sam', '/payments');
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
  const other = await visit.browser.newPage();
  await other.goto(`${new URL(page.url()).origin}/settings`);
  await other.getByRole('button', { name: /^Your account/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out everywhere', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await other.close();
  visit.complaints.splice(0);
});
