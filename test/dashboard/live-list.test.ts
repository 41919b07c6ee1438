// The list of payments as somebody reads it while it lives: rows change where they stand, new ones come in at rest and wait otherwise, counted; a break is told, and hides nothing.
import { accessibilityFaults, measure } from '../browser/looks';
import { newOrderId, payWithFields, shopOf } from '../support/checkout';
import { graph } from '../support/partner';
import { eventually } from '../support/stores';
import { atDashboard, cutConnections, desktop, openLiveList, paid, phone } from './visit';

const visit = atDashboard({ person: 'vera' });
const { act } = visit;

const main = () => visit.page.getByRole('main');
const cell = (orderId: string) => visit.page.getByRole('cell', { name: orderId, exact: true });
const row = (orderId: string) => visit.page.getByRole('row').filter({ hasText: orderId });
const says = (text: string | RegExp) => main().getByText(text, { exact: true }).waitFor();

/** The payments of one merchant, of which no other test makes many; live. */
const openList = (search = `?merchantId=${visit.world.credentials.tenants.beta.merchantId}`) =>
  openLiveList(visit, `/payments${search}`);

const voided = (paymentId: string) =>
  graph(
    visit.world,
    'mutation ($paymentId: ID!) { voidPayment(paymentId: $paymentId, input: { reason: "A drill" }) { operationId } }',
    { paymentId },
  );

const topOf = async (orderId: string) => (await row(orderId).boundingBox())?.y;

act('payments of every merchant come in by themselves, over one subscription', async () => {
  await openList('');
  for (const tenant of ['alpha', 'beta'] as const) {
    const { orderId } = await paid(visit.world, 'implicit', {}, tenant);
    // Before the next: those of other test files push it on.
    await cell(orderId).waitFor();
  }
});

act('a payment that changes elsewhere changes where it stands', async () => {
  const [older, newer] = [
    await paid(visit.world, 'explicit', {}, 'beta'),
    await paid(visit.world, 'explicit', {}, 'beta'),
  ];
  await openList();
  await row(older.orderId).getByText('Authorized', { exact: true }).waitFor();
  const { data } = await voided(older.paymentId);
  expect(data.voidPayment.operationId).toEqual(expect.any(String));
  await row(older.orderId).getByText('Cancelled', { exact: true }).waitFor();
  const [at, before] = await Promise.all([topOf(older.orderId), topOf(newer.orderId)]);
  expect(before).toBeLessThan(at ?? 0);
});

act('paused, nothing moves and what waits is counted; it goes on with all of it', async () => {
  const { page } = visit;
  await openList();
  await page.getByRole('button', { name: 'Pause' }).click();
  const held = [await paid(visit.world, 'implicit', {}, 'beta'), await paid(visit.world, 'implicit', {}, 'beta')];
  await page.getByRole('button', { name: /^Go on \(([2-9]|\d\d+) waiting\)$/ }).waitFor();
  for (const { orderId } of held) expect(await cell(orderId).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: /^Go on/ }).click();
  for (const { orderId } of held) await cell(orderId).waitFor();
});

act('nothing slips away under who reads further down: new ones wait, and come when they are asked for', async () => {
  const { page } = visit;
  const many = await Promise.all(Array.from({ length: 12 }, () => paid(visit.world, 'implicit', {}, 'beta')));
  await page.setViewportSize({ ...desktop, height: 420 });
  await openList();
  await page.getByRole('row').nth(many.length).waitFor();
  const scroller = `document.querySelector('section:has(> table)')`;
  await page.evaluate(`${scroller}.scrollTo({ top: 180 })`);
  const read = many.map(({ orderId }) => orderId);
  const tops = async () =>
    Promise.all(read.map(async (orderId) => ((await row(orderId).count()) ? topOf(orderId) : null)));
  const before = await tops();
  expect(before.some(Boolean)).toBe(true);
  const fresh = await paid(visit.world, 'implicit', {}, 'beta');
  await page.getByRole('button', { name: /^\d+ new$/ }).waitFor();
  expect(await tops()).toEqual(before);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: /^\d+ new$/ }).click();
  await cell(fresh.orderId).waitFor();
  expect(await page.evaluate(`${scroller}.scrollTop`)).toBe(0);
  await page.setViewportSize(desktop);
});

act('an old payment that changes before it was read is no new one, and stands once when it is', async () => {
  const { page, world } = visit;
  const shop = shopOf(world, 'beta', 'explicit');
  // An amount of their own: no payment of another test is in the list.
  const amount = '700113';
  const pay = () =>
    payWithFields(world, shop, { order: { orderId: newOrderId(), amount }, paymentSession: { amount } });
  const oldest = await pay();
  for (const _ of [1, 2, 3, 4, 5]) await Promise.all(Array.from({ length: 10 }, pay));
  // Too low for the last rows to be read ahead.
  await page.setViewportSize({ ...desktop, height: 320 });
  await openList(`?merchantId=${shop.merchantId}&amount=${amount}..${amount}`);
  const inAll = page.locator('header').getByTitle('51 in all', { exact: true });
  await inAll.waitFor();
  const first = page.getByRole('row').nth(1).getByRole('link').first();
  const before = await first.getAttribute('href');
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('51');
  const { data } = await graph(
    world,
    'query ($orderId: String) { payments(filter: { orderId: $orderId }, first: 1) { edges { node { paymentId } } } }',
    { orderId: oldest.orderId },
  );
  // What happens to the newest is told after it.
  for (const paymentId of [data.payments.edges[0].node.paymentId, before?.split(/[/?]/)[2] ?? ''])
    expect((await voided(paymentId)).data.voidPayment.operationId).toEqual(expect.any(String));
  await page.getByRole('row').nth(1).getByText('Cancelled', { exact: true }).waitFor();
  expect([await first.getAttribute('href'), await inAll.count()]).toEqual([before, 1]);
  await eventually(async () => {
    await page.evaluate(`document.querySelector('section:has(> table)').scrollTo({ top: 1e6 })`);
    return (await cell(oldest.orderId).count()) > 0;
  });
  await row(oldest.orderId).getByText('Cancelled', { exact: true }).waitFor();
  const rowCount = await page.getByRole('table').getAttribute('aria-rowcount');
  expect([await row(oldest.orderId).count(), rowCount, await inAll.count()]).toEqual([1, '52', 1]);
  await page.setViewportSize(desktop);
});

act('the row that the keys stand on stays theirs when others come before it', async () => {
  const { page } = visit;
  await paid(visit.world, 'implicit', {}, 'beta');
  await openList();
  await page.getByRole('row').nth(1).waitFor();
  await page.mouse.move(0, 0);
  await page.keyboard.press('j');
  // Whichever it is: those of other test files may stand first.
  const walked = page.locator('tr[data-walked="true"] a');
  const address = await walked.getAttribute('href');
  const next = await paid(visit.world, 'implicit', {}, 'beta');
  await page.getByRole('button', { name: /^\d+ new$/ }).click();
  await cell(next.orderId).waitFor();
  expect(await walked.getAttribute('href')).toBe(address);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === new URL(address ?? '', url).pathname);
});

act(
  'what happened while the connection was away is in the list after it, and how old the list is was told',
  async () => {
    const connections = await cutConnections(visit.page);
    await openList();
    const before = await paid(visit.world, 'implicit', {}, 'beta');
    await cell(before.orderId).waitFor();
    await connections.cut();
    await says('Reconnecting');
    await says(/^Not up to date: read at /);
    const away = [await paid(visit.world, 'implicit', {}, 'beta'), await paid(visit.world, 'implicit', {}, 'beta')];
    connections.mend();
    for (const { orderId } of away) await cell(orderId).waitFor();
    await says('Live');
    expect(
      await main()
        .getByText(/^Not up to date/)
        .count(),
    ).toBe(0);
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('a list that is come back to while the platform is out of reach stands as it was read, and says so', async () => {
  const { page, complaints } = visit;
  const { orderId } = await paid(visit.world, 'implicit', {}, 'beta');
  await openList();
  await cell(orderId).waitFor();
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await visit.browser.setOffline(true);
  await page.goBack();
  await says(/^Not up to date: read at/);
  await cell(orderId).waitFor();
  expect(await page.getByText('This could not be loaded').count()).toBe(0);
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  await page.goBack();
  await cell(orderId).waitFor();
  await visit.browser.setOffline(false);
  // The connection that comes back has it read again.
  await main()
    .getByText(/^Not up to date: read at/)
    .first()
    .waitFor({ state: 'detached' });
  await cell(orderId).waitFor();
  // What a visit.browser itself says of what it could not fetch.
  complaints.splice(0);
});

/** Without the files that these are named by, and without a network, until it is called off. */
async function cutOff(files: string): Promise<() => Promise<void>> {
  await visit.page.route(files, (route) => route.abort());
  await visit.browser.setOffline(true);
  return async () => {
    await visit.page.unroute(files);
    await visit.browser.setOffline(false);
    // What a browser itself says of what it could not fetch.
    visit.complaints.splice(0);
  };
}

const away = () => visit.page.getByText('The platform cannot be reached.');
const beside = () => visit.page.getByRole('complementary');

act('what is opened first while the network is away says so beside the list, and comes with it', async () => {
  const { page } = visit;
  const { orderId, path } = await paid(visit.world, 'implicit', {}, 'beta');
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await openList();
    const comeBack = await cutOff('**/assets/payment-drawer-*.js');
    await page.locator(`main a[href^="${path}"]`).first().click();
    await beside().getByText('The platform cannot be reached.').waitFor();
    expect((await away().boundingBox())?.y).toBeLessThan(size.height);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await beside().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/payments');
    await page.locator(`main a[href^="${path}"]`).first().click();
    await beside().getByText('The platform cannot be reached.').waitFor();
    await comeBack();
    await beside().getByText('Timeline').waitFor();
    await beside().getByText(orderId).first().waitFor();
  }
  await page.setViewportSize(desktop);
});

act('what could not be reached is asked for once more when the network is back', async () => {
  const { page } = visit;
  const [first, second] = [
    await paid(visit.world, 'implicit', {}, 'beta'),
    await paid(visit.world, 'implicit', {}, 'beta'),
  ];
  await openList();
  await page.locator(`main a[href^="${first.path}"]`).first().click();
  await beside().getByText('Timeline').waitFor();
  const comeBack = await cutOff('**/assets/jobs-screen-*.js');
  await page.locator(`main a[href^="${second.path}"]`).first().click();
  await beside().getByText('The platform cannot be reached.').waitFor();
  const asked: string[] = [];
  const note = (request: { postData(): string | null }) => void asked.push(request.postData() ?? '');
  page.on('request', note);
  await comeBack();
  await beside().getByText('Timeline').waitFor();
  await page.waitForTimeout(3_000);
  // What is open is read besides once it is followed, whenever it is opened.
  expect(asked.filter((each) => each.includes('query PaymentLife(')).length).toBeLessThanOrEqual(2);
  page.off('request', note);

  // A whole screen.
  const comeBackAgain = await cutOff('**/assets/jobs-screen-*.js');
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await away().waitFor();
  await comeBackAgain();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
});

act('a phone says on every screen that it is cut off, once, and beside what is open there too', async () => {
  const { page } = visit;
  const connections = await cutConnections(page);
  const { path } = await paid(visit.world, 'implicit', {}, 'beta');
  const told = page.getByText('Reconnecting', { exact: true }).filter({ visible: true });
  await page.setViewportSize({ width: 375, height: 812 });
  for (const place of ['/', '/onboarding', '/payments', '/live', path]) {
    await visit.go(place);
    await page.locator('[data-state="live"]').first().waitFor({ state: 'attached' });
    await connections.cut();
    await told.first().waitFor();
    const [box, ...more] = await Promise.all((await told.all()).map((each) => each.boundingBox()));
    expect([place, more.length, box?.y]).toEqual([place, 0, 0]);
    expect((await measure(page)).scrollsSideways).toBe(false);
    connections.mend();
    await eventually(async () => (await told.count()) === 0);
  }
  await connections.cut();
  await told.waitFor();
  expect((await page.getByRole('complementary').boundingBox())?.y).toBe((await told.boundingBox())?.height);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(desktop);
});
