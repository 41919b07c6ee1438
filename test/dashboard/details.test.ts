// What people read and type first at the dashboard, on the real platform: fields that have the focus when a dialog opens, and details told in words rather than in codes.
import { measure } from '../browser/looks';
import { newClient } from '../journeys/audit-acts';
import { administrationOf, merchantBody } from '../support/administration';
import { cards, newOrderId, openInbox, paymentServiceOf, payOnPage, payWithFields, shopOf } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { atDashboard, desktop, openLiveList, paid, phone } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act, drawer, dialog } = visit;

/** The value of a fact by its name. */
const fact = (name: string) =>
  drawer()
    .locator('dl > div')
    .filter({ has: visit.page.getByText(name, { exact: true }) })
    .locator('dd')
    .first();
/** Of what has the focus. */
const focused = (name: string) => visit.page.evaluate<string>(`document.activeElement.${name}`);

act('the palette takes what is typed, however it was opened, and gives the focus back', async () => {
  const { page } = visit;
  const opener = page.getByRole('button', { name: /^Search/ });
  for (const open of [() => page.keyboard.press('Control+k'), () => page.keyboard.press('/'), () => opener.click()]) {
    // Also while it is still being fetched.
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    // However often it is asked for: by its link, and by the program.
    await page.route('**/assets/palette-*.js', (route) => arrived.then(() => route.continue()));
    const asked = page.waitForRequest('**/assets/palette-*.js');
    await visit.go('/settings');
    await open();
    await page.keyboard.type('au');
    await asked;
    arrive();
    await dialog().getByRole('option', { name: 'Audit' }).waitFor();
    await page.keyboard.type('d');
    expect(await dialog().getByRole('combobox').inputValue()).toBe('aud');
    await dialog().getByRole('option', { name: 'Audit' }).waitFor();
    await page.unroute('**/assets/palette-*.js');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  }
  expect(await focused('textContent')).toContain('Search');
});

act('each dialog opens in its first field, which is typed into at once', async () => {
  const { page } = visit;
  const payment = await paid(visit.world, 'implicit');
  const { merchantId } = visit.world.credentials.tenants.alpha;
  for (const [path, open, label] of [
    [payment.path, () => drawer().getByRole('button', { name: 'Refund' }).click(), 'Amount'],
    [`/merchants/${merchantId}`, () => drawer().getByRole('button', { name: 'Issue a key' }).click(), 'Label'],
    [`/payouts/days?merchantId=${merchantId}`, () => page.getByRole('button', { name: 'Book an entry' }).click(), ''],
    ['/callbacks', () => page.getByRole('button', { name: 'Recover since…' }).click(), ''],
  ] as const) {
    await visit.go(path);
    await open();
    await dialog().waitFor();
    expect([path, await focused('tagName')]).toEqual([path, expect.stringMatching(/^(INPUT|TEXTAREA|SELECT)$/)]);
    if (label) {
      await page.keyboard.type('12');
      expect(await dialog().getByLabel(label).first().inputValue()).toBe('12');
    }
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  }
});

act('a payment says what became of 3-D Secure, with what, and of which country', async () => {
  for (const [challenge, told, answered] of [
    ['FAIL', 'Challenge failed or ran out', 'Challenge failed'],
    ['CANCEL', 'Cancelled during the challenge', 'Challenge cancelled by the payer'],
    ['PASS', 'Challenge passed', 'Challenge passed'],
  ] as const) {
    const { orderId } = await payWithFields(visit.world, shopOf(visit.world, 'alpha', 'explicit'), {
      order: { orderId: newOrderId() },
      number: cards.challenge as string,
      challenge,
    });
    await visit.go(await addressOf(orderId));
    await drawer().getByText('Timeline').waitFor();
    expect([challenge, await fact('3-D Secure').textContent()]).toEqual([challenge, told]);
    const moments = await drawer().getByRole('listitem').allTextContents();
    const asked = moments.findIndex((moment) => moment.includes('Payer asked by the issuer (3-D Secure)'));
    expect(moments[asked + 1]).toContain(answered);
    expect(await fact('Card country').textContent()).toBe('Italy');
    expect(await fact('Instrument').textContent()).toMatch(/3155$/);
  }
  await drawer().locator('summary').first().click();
  expect(await fact('Authorization code').textContent()).toMatch(/^\d{6}$/);
  await drawer().locator('details').getByText('Acquirer called').waitFor();
  expect(
    await drawer()
      .getByText(/cardCountry|threeDS|authorizationCode/)
      .count(),
  ).toBe(0);
});

async function addressOf(orderId: string): Promise<string> {
  const query =
    'query ($orderId: String) { payments(filter: { orderId: $orderId }, first: 1) { edges { node { paymentId } } } }';
  const { data } = await graph(visit.world, query, { orderId });
  return `/payments/${data.payments.edges[0].node.paymentId}`;
}

act('nothing is offered that would move nothing: not on one payment, nor on the chosen ones', async () => {
  const { page } = visit;
  const service = await paymentServiceOf(visit.world, 'alpha');
  const { body } = await service.create({ processing: 'Authorize' });
  await payOnPage(visit.world, body.paymentId, cards.visa as string);
  await visit.go(`/payments/${body.paymentId}`);
  await drawer().getByRole('button', { name: 'Void' }).waitFor();
  await drawer().getByRole('button', { name: 'Capture' }).waitFor();
  expect(await drawer().getByRole('button', { name: 'Refund' }).count()).toBe(0);
  const { orderId } = await paid(visit.world, 'implicit');
  await visit.go(`/payments?orderId=${orderId}`);
  await page.getByRole('row').filter({ hasText: orderId }).getByRole('checkbox').check();
  const bar = page.getByRole('toolbar');
  await bar.getByText('1 chosen').waitFor();
  expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Refund', '']);
  await bar.getByRole('button').last().click();
});

act('who refunded stands with the refund, and a time names its second and its zone', async () => {
  const { path } = await paid(visit.world, 'implicit');
  await visit.go(path);
  await drawer().getByRole('button', { name: 'Refund' }).click();
  await dialog().getByLabel('Reason').fill('It came back');
  await dialog()
    .getByRole('button', { name: /^Refund/ })
    .click();
  await drawer().getByText('Refunded · Ada Administrator · It came back').waitFor();
  const title = await visit.page.locator('tbody time').first().getAttribute('title');
  expect(title).toMatch(/^\w{3}, \d{1,2} \w+ \d{4}(,| at) \d{1,2}:\d\d:\d\d \D/);
});

act('a proposal tells its amount once, as money', async () => {
  await visit.go(`/payouts/days?merchantId=${visit.world.credentials.tenants.alpha.merchantId}`);
  await visit.page.getByRole('button', { name: 'Book an entry' }).click();
  await dialog().getByLabel('Amount').fill('25');
  await dialog().getByLabel('Reason').fill('A fee was charged twice');
  await dialog().getByRole('button', { name: 'Propose' }).click();
  await drawer().getByText('You proposed this.').waitFor();
  expect(await drawer().locator('ins').allInnerTexts()).toEqual(['Adjustment', expect.stringMatching(/^EUR.25\.00$/)]);
  expect(await drawer().getByText(/2500/).count()).toBe(0);
  expect((await drawer().textContent())?.match(/EUR.25\.00/g)).toHaveLength(1);
});

act('a chargeback leaves the balance, in its row and in what would change', async () => {
  const { page } = visit;
  await visit.go(`/payouts/days?merchantId=${visit.world.credentials.tenants.alpha.merchantId}`);
  await page.getByRole('button', { name: 'Book an entry' }).click();
  await dialog().getByRole('heading', { name: 'Book an entry: Alpha Outfitters' }).waitFor();
  await dialog().getByLabel('Kind').selectOption('chargeback');
  await dialog().getByLabel('Amount').fill('17');
  await dialog().getByLabel('Reason').fill('The bank took it back');
  await dialog().getByRole('button', { name: 'Propose' }).click();
  await drawer().getByText('You proposed this.').waitFor();
  expect(await drawer().locator('ins').allInnerTexts()).toEqual(['Chargeback', expect.stringMatching(/^-EUR.17\.00$/)]);
  // The colour of what comes in is not that of what goes.
  const colours = await page.evaluate<string[]>(
    `[...document.querySelectorAll('aside ins')].map((each) => getComputedStyle(each).color)`,
  );
  expect(new Set(colours).size).toBe(2);
  const row = page.getByRole('row').filter({ hasText: '-EUR' }).filter({ hasText: '17.00' }).first();
  await row.getByText('Chargeback').waitFor();
});

act("an application's prices are money and shares", async () => {
  const method = {
    paymentMethodProvider: 'PROVIDER_CODE_1',
    optional: false,
    selected: true,
    fees: [
      { paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 150, priceVAT: 0, itemType: 'TRANS' },
      { paymentActionType: 'CHARGE', feeType: 'QTY', unitPrice: 25, priceVAT: 0, itemType: 'TRANS' },
    ],
  };
  const options = [{ itemNo: '1', paymentType: 'CARD', paymentMethods: [method] }];
  const quote = { documentNo: 'Q1', currency: 'DKK', signon: 50_000, subscription: 9_900, paymentOptions: options };
  const { body } = await onboardingOf(visit.world).create({ quote });
  await visit.go(`/onboarding/${body.id}`);
  for (const told of [/^DKK.500\.00$/, /^DKK.99\.00$/, '1.5% of the amount', /^DKK.0\.25 each time$/])
    await drawer().getByText(told).waitFor();
});

act('an attempt that failed is red in the feed, and its reply is shown as it came', async () => {
  const inbox = openInbox(visit.world);
  await openLiveList(visit, '/live?kind=callbacks');
  await sandboxCall(visit.world, 'POST', '/sandbox/receiver/faults', { status: 500, times: 1 });
  const { orderId } = await paid(visit.world, 'explicit', { notificationUrl: inbox.url });
  const chip = visit.page.getByRole('row').getByText('Refused by the receiver').first();
  await chip.waitFor();
  expect(await chip.getAttribute('class')).toMatch(/bad/);
  const callbackId = await eventually(async () => {
    const query = `query ($id: ID!) { payment(paymentId: $id) {
      callbacks(first: 1) { edges { node { callbackId attempts { result } } } } } }`;
    const { data } = await graph(visit.world, query, { id: (await addressOf(orderId)).split('/').at(-1) });
    const [edge] = data.payment.callbacks.edges;
    return edge?.node.attempts.length > 0 ? (edge.node.callbackId as string) : undefined;
  });
  // As a receiver of a merchant would answer; the sandbox's own says nothing.
  const stored = JSON.stringify('{\\"error\\":\\"busy\\"}');
  await visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll('"excerpt":null', `"excerpt":${stored}`),
    });
  });
  await visit.go(`/callbacks/${callbackId}`);
  const reply = drawer().locator('figure').filter({ hasText: 'Response, shortened' }).locator('pre').first();
  expect(await reply.textContent()).toBe('{\n  "error": "busy"\n}');
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
});

act('people of an account see of the platform’s staff and programs what they are, and never an id', async () => {
  const { page } = visit;
  const body = merchantBody({ merchantId: `told-${newOrderId()}` });
  expect((await administrationOf(visit.world, 'alpha').create(body)).status).toBe(201);
  await visit.as('ada', `/merchants/${body.merchantId}`);
  await drawer().getByRole('button', { name: 'Deactivate' }).first().click();
  await dialog().getByLabel('Reason').fill('A drill');
  await dialog().getByRole('button', { name: 'Deactivate' }).click();
  await drawer().getByText('Inactive', { exact: true }).first().waitFor();
  const activate = `mutation ($id: ID!) { setMerchantStatus(merchantId: $id, status: ACTIVE, reason: "Over") { name } }`;
  expect((await graph(visit.world, activate, { id: body.merchantId })).errors).toBe(undefined);
  await visit.as('tom', `/audit?subject=${body.merchantId}`);
  const rows = page.getByRole('row').filter({ hasText: 'Merchant status changed' });
  await rows.filter({ hasText: 'Platform staff' }).waitFor();
  await rows.filter({ hasText: 'Platform program' }).waitFor();
  await expectNoIds();
  // One that was made since, and looked.
  const look = `query ($id: ID!) {
    payment(paymentId: $id) { operations(first: 1) { edges { node { operationId customerInfo } } } } }`;
  const token = await accessTokenOf(visit.world, await newClient(visit.world, { scopes: ['graph:viewer'] }));
  const { paymentId } = await paid(visit.world, 'implicit');
  const { operationId } = (await graph(visit.world, look, { id: paymentId }, token)).data.payment.operations.edges[0]
    .node;
  await visit.go(`/audit?subject=${operationId}`);
  await page.getByRole('row').filter({ hasText: 'Platform program' }).waitFor();
  await expectNoIds();
});

/** Neither shown nor told on hover. */
async function expectNoIds(): Promise<void> {
  const main = visit.page.getByRole('main');
  expect(await main.textContent()).not.toMatch(/person:|graph-admin|client_/);
  for (const titled of ['[title^="person:"]', '[title="graph-admin"]', '[title^="client_"]'])
    expect([titled, await main.locator(titled).count()]).toEqual([titled, 0]);
}

act('a dialog tells of each field what is wrong, at once', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { path } = await paid(visit.world, 'implicit');
  for (const [as, at, open, confirm, said] of [
    ['olga', `/payouts/days?merchantId=${merchantId}`, 'Book an entry', /^Propose/, 'Type an amount such as 12.34.'],
    ['ada', path, 'Refund', /^Refund/, /^Type an amount up to EUR/],
  ] as const) {
    await visit.as(as, at);
    await page.getByRole('main').getByRole('button', { name: open, exact: true }).click();
    await dialog().getByLabel('Amount').fill('');
    await dialog().getByRole('button', { name: confirm }).click();
    await dialog().getByText('Say why').waitFor();
    expect([at, await dialog().locator('[aria-invalid="true"]').count()]).toEqual([at, 2]);
    await dialog().getByText(said).last().waitFor();
    await page.keyboard.press('Escape');
  }
});

act('balances by day stand whole on a phone', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  await page.setViewportSize(phone);
  await visit.as('ada', `/payouts/days?merchantId=${merchantId}`);
  await page.getByRole('heading', { name: 'EUR' }).waitFor();
  const wide = `[...document.querySelectorAll('main *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto').length`;
  expect(await page.evaluate<number>(wide)).toBe(0);
  expect((await measure(page)).scrollsSideways).toBe(false);
  await page.setViewportSize(desktop);
});
