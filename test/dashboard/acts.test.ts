// What people do at the dashboard, on the real platform: money, callbacks, approvals by two, keys; who may not is not let.
import { readFileSync } from 'node:fs';
import { administrationOf, merchantBody } from '../support/administration';
import { newOrderId } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { sandboxCall } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { atDashboard, expectClean, paid } from './visit';

const visit = atDashboard({ person: 'olga' });
const { act, drawer, dialog } = visit;

/** The open dialog has no accessibility fault, in light nor in the dark. */
async function expectCleanDialog(): Promise<void> {
  await dialog().waitFor();
  await expectClean(visit.page);
}

act('the sandbox says so on every screen, and what its clock says once it was moved', async () => {
  await sandboxCall(visit.world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
  await visit.as('olga', '/payments');
  await visit.page.getByText(/^Sandbox: no real money moves here · Platform’s clock: \w/).waitFor();
});

act('today is the day of the platform, wherever the clock of the person stands', async () => {
  const page = await visit.browser.newPage();
  await page.clock.setFixedTime(Date.now() - 3 * 86_400_000);
  const asked = page.waitForRequest((request) => Boolean(request.postData()?.includes('FiguresToday')));
  await page.goto(new URL('/', visit.page.url()).href);
  const { today } = (await asked).postDataJSON().variables;
  const { now } = (await askGraph(visit.world, '{ viewer { now } }')).viewer;
  expect(now >= today.from && now < today.to).toBe(true);
  await page.close();
});

act('a list is taken away as a file, with its filters', async () => {
  const { orderId } = await paid(visit.world, 'implicit');
  await visit.as('olga', `/payments?orderId=${orderId}`);
  await visit.page.getByRole('cell', { name: orderId, exact: true }).waitFor();
  const [download] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.page.getByRole('link', { name: 'Export' }).click(),
  ]);
  const rows = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect([download.suggestedFilename(), rows.length]).toEqual(['payments.csv', 2]);
  expect(rows[1]).toContain(orderId);
  await visit.as('vera', `/payments?orderId=${orderId}`);
  await visit.page.getByRole('cell', { name: orderId, exact: true }).waitFor();
  expect(await visit.page.getByRole('link', { name: 'Export' }).count()).toBe(0);
});

act('balances and entries are taken away as files', async () => {
  const { merchantId } = visit.world.credentials.tenants.alpha;
  await paid(visit.world, 'implicit');
  for (const [path, name] of [
    [`/payouts/balances?merchantId=${merchantId}&currency=EUR`, 'merchantBalances.csv'],
    [`/payouts/entries?merchantId=${merchantId}&action=CHARGE&since=day`, 'ledgerEntries.csv'],
  ] as const) {
    await visit.as('olga', path);
    await visit.page.getByRole('row').nth(1).waitFor();
    const [download] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.page.getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    expect(readFileSync(await download.path(), 'utf8')).toContain(merchantId);
  }
});

act('a merchant is found by a part of its name and by its status; both stand in the address', async () => {
  const { page } = visit;
  const administration = administrationOf(visit.world, 'alpha');
  const word = newOrderId();
  const [north, south] = ['north', 'south'].map((merchantId) => `${merchantId}-${word}`) as [string, string];
  for (const merchantId of [north, south])
    expect((await administration.create(merchantBody({ merchantId, name: `Shop ${merchantId}` }))).status).toBe(201);
  const found = (merchantId: string) => page.getByRole('row').filter({ hasText: `Shop ${merchantId}` });
  await visit.as('ada', '/merchants');
  await page.getByRole('textbox', { name: 'Name, id or number' }).fill(`SHOP NORTH-${word}`);
  await page.keyboard.press('Enter');
  await found(north).waitFor();
  await found(south).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('text')).toBe(`SHOP NORTH-${word}`);
  await visit.go(`/merchants?text=${word}`);
  for (const merchantId of [north, south]) await found(merchantId).waitFor();
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Inactive' }).click();
  await page.getByText('Nothing matches these filters').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('INACTIVE');
});

act('an operator captures a part, then refunds some of it; the drawer tells the whole life', async () => {
  const { page } = visit;
  const { path } = await paid(visit.world, 'explicit');
  await visit.as('olga', path);
  await drawer().getByRole('button', { name: 'Capture' }).click();
  await dialog().getByLabel('Amount').fill('30');
  await dialog()
    .getByRole('button', { name: /^Capture/ })
    .click();
  await dialog().getByText('Say why').waitFor();
  await dialog().getByLabel('Reason').fill('Two of three boxes were sent');
  await dialog()
    .getByRole('button', { name: /^Capture/ })
    .click();
  await page.getByText('EUR 30.00 captured').waitFor();
  await drawer().getByRole('button', { name: 'Refund' }).click();
  await dialog().getByLabel('Amount').fill('31');
  await dialog().getByLabel('Reason').fill('One came back broken');
  await dialog()
    .getByRole('button', { name: /^Refund/ })
    .click();
  await dialog().getByText('Type an amount up to EUR 30.00.').waitFor();
  await expectCleanDialog();
  // Emptied it is empty: what stood there first does not come back.
  await dialog().getByLabel('Amount').fill('');
  expect(await dialog().getByLabel('Amount').inputValue()).toBe('');
  await dialog().getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog().getByText('Type an amount up to EUR 30.00.').waitFor();
  await dialog().getByLabel('Amount').fill('12.50');
  await dialog().getByRole('button', { name: 'Refund EUR 12.50' }).click();
  await page.getByText('EUR 12.50 refunded').waitFor();
  await drawer().getByText('One came back broken').first().waitFor();
  await drawer().getByText('Refund EUR 12.50').waitFor();
});

/** The focus is in this field, which is wrong and says so. */
async function expectWrong(label: string, said: RegExp): Promise<void> {
  const field = dialog().getByLabel(label, { exact: true });
  await eventually(() => field.evaluate((element) => element.matches(':focus')));
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const note = await field.getAttribute('aria-describedby');
  expect(await dialog().locator(`[id="${note}"]`).textContent()).toMatch(said);
}

act('what was not sent for a wrong field has the focus in it, in the first of several', async () => {
  const { page } = visit;
  const { alpha } = visit.world.credentials.tenants;
  const submit = (name: string | RegExp) => dialog().getByRole('button', { name }).click();
  const { path } = await paid(visit.world, 'explicit');
  await visit.as('olga', path);
  await drawer().getByRole('button', { name: 'Capture' }).click();
  await dialog().getByLabel('Amount').fill('');
  await submit(/^Capture/);
  await expectWrong('Amount (EUR)', /^Type an amount up to/);
  await dialog().getByLabel('Amount').fill('1');
  await submit(/^Capture/);
  await expectWrong('Reason', /^Say why/);
  // Found wrong once more, it has the focus once more.
  await submit(/^Capture/);
  await expectWrong('Reason', /^Say why/);

  await visit.go(`/payouts/days?merchantId=${alpha.merchantId}`);
  await page.getByRole('button', { name: 'Book an entry' }).click();
  await submit('Propose');
  await expectWrong('Amount', /^Type an amount/);

  await visit.go(`/callbacks?merchantId=${alpha.merchantId}`);
  await page.getByRole('button', { name: 'Recover since…' }).click();
  await submit('Check first');
  await expectWrong('Reason', /^Say why/);
  await dialog().locator('input[type="datetime-local"]').fill('');
  await submit('Check first');
  await expectWrong('Since', /^Choose a date and a time/);

  await visit.as('ada', `/merchants/${alpha.merchantId}`);
  await drawer().getByRole('button', { name: 'Issue a key' }).click();
  await submit('Issue a key');
  await expectWrong('Label', /\w/);
});

act('an authorization is voided', async () => {
  const { path } = await paid(visit.world, 'explicit');
  await visit.as('olga', path);
  await drawer().getByRole('button', { name: 'Void' }).click();
  await dialog().getByLabel('Reason').fill('The customer called');
  await dialog().getByRole('button', { name: /^Void/ }).click();
  await drawer().getByText('Cancelled').first().waitFor();
});

act('who may only look finds no way to money', async () => {
  const { path } = await paid(visit.world, 'explicit');
  await visit.as('vera', path);
  await drawer().getByText('Timeline').waitFor();
  for (const act of ['Capture', 'Void'])
    expect(await drawer().getByRole('button', { name: act }).isDisabled()).toBe(true);
});

act('one person books, another confirms; the first one cannot', async () => {
  const { page } = visit;
  await visit.as('olga', `/payouts/days?merchantId=${visit.world.credentials.tenants.alpha.merchantId}`);
  await page.getByRole('button', { name: 'Book an entry' }).click();
  await expectCleanDialog();
  await dialog().getByLabel('Amount').fill('25');
  await dialog().getByLabel('Reason').fill('A fee was charged twice');
  await dialog().getByRole('button', { name: 'Propose' }).click();
  await drawer().getByText('You proposed this.').waitFor();
  const { pathname } = new URL(page.url());
  await visit.as('ada', '/proposals');
  await page
    .getByRole('row')
    .filter({ hasText: /EUR\s25\.00/ })
    .filter({ hasText: 'Alpha Outfitters' })
    .first()
    .waitFor();
  await visit.go(pathname);
  await drawer().getByRole('button', { name: 'Confirm' }).click();
  await expectCleanDialog();
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Confirmed and done').waitFor();
  await drawer().getByText('Confirmed', { exact: true }).waitFor();
});

act('an application is proposed for approval, and a second person approves it', async () => {
  const { page } = visit;
  const partner = onboardingOf(visit.world);
  const { body } = await partner.create({ company: { organizationNumber: '25313763', companyName: 'Approved ApS' } });
  await partner.lever(body.id, 'OPEN', 'SIGN');
  await visit.as('olga', `/onboarding/${body.id}`);
  await drawer().getByRole('button', { name: 'Propose approval' }).click();
  await dialog().getByLabel('Reason').fill('All papers are there');
  await dialog().getByRole('button', { name: 'Propose approval' }).click();
  await drawer().getByRole('link', { name: 'Look at the proposal' }).waitFor();
  await visit.as('ada', `/onboarding/${body.id}`);
  await drawer().getByRole('link', { name: 'Look at the proposal' }).click();
  await drawer().getByRole('button', { name: 'Confirm' }).click();
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Confirmed and done').waitFor();
  await visit.go(`/onboarding/${body.id}`);
  await drawer().getByText('Approved', { exact: true }).first().waitFor();
});

/** Once what is due by now is drawn. */
const drawn = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

act('a key is shown once, and revoked', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.beta;
  await visit.as('ada', '/merchants');
  await page.locator(`main a[href^="/merchants/${merchantId}"]`).click();
  await drawer().getByRole('button', { name: 'Issue a key' }).click();
  const label = newOrderId();
  await dialog().getByLabel('Label').fill(label);
  await dialog().getByRole('button', { name: 'Issue a key' }).click();
  await dialog().getByText('This is shown once.').waitFor();
  await expectCleanDialog();
  // A browser lets its second Esc in a row be prevented by nobody.
  for (const _ of [1, 2, 3]) {
    await page.keyboard.press('Escape');
    await page.evaluate(drawn);
  }
  await dialog().getByText('This is shown once.').waitFor();
  await dialog().evaluate((element) => (element as unknown as { close(): void }).close());
  await page.evaluate(drawn);
  await dialog().getByText('This is shown once.').waitFor();
  // Nor the keys of the list and of the whole program: the secret would leave with what is open.
  for (const key of ['ArrowDown', 'j', 'ArrowUp', 'g', 'p', '/', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.evaluate(drawn);
    expect(new URL(page.url()).pathname).toBe(`/merchants/${merchantId}`);
    expect(await dialog().count()).toBe(1);
  }
  await dialog().getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.getByText('This is shown once.').count()).toBe(0);
  const row = drawer().getByRole('listitem').filter({ hasText: label });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await dialog().getByLabel('Reason').fill('It stood in a mail');
  await dialog().getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked', { exact: true }).waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
});

act('an agreement of a merchant is as short as other ids, and copied whole', async () => {
  const { page } = visit;
  const agreementId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('MerchantLife')) return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    json.data.merchant.agreements = [{ ...json.data.merchant.agreements[0], agreementId }];
    return route.fulfill({ response, json });
  });
  await visit.go(`/merchants/${visit.world.credentials.tenants.beta.merchantId}`);
  await drawer()
    .getByRole('button', { name: `Copy ${agreementId}` })
    .getByText('0a1b2c3d…3c4d', { exact: true })
    .waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
