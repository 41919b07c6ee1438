// What people do at the dashboard that others would feel, on a platform of its own: merchants deactivated and applications abandoned together, callbacks recovered, two people on one correction of the books, and signing out.
import { Browser, isBack } from '../people/browser';
import { administrationOf, merchantBody } from '../support/administration';
import { openInbox } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { graph, sandboxCall } from '../support/partner';
import { askGraph, settleDay, today } from '../support/reports';
import { eventually } from '../support/stores';
import { startWorld } from '../support/world';
import { atDashboard, bookedCharge, expectClean, paid } from './visit';

const visit = atDashboard({ person: 'olga', start: startWorld });
const { act, drawer, dialog } = visit;

const nothing = () => visit.page.getByRole('heading', { name: 'Nothing matches these filters' });
const bar = () => visit.page.getByRole('toolbar', { name: 'Act on the chosen rows' });
const box = (name: string) => visit.page.getByRole('checkbox', { name: new RegExp(name) });

/** Acts on what is chosen: why, what would happen, then the job to its end. */
async function actOnChosen(button: string, confirm: string, count: number): Promise<void> {
  await bar().getByText(`${count} chosen`).waitFor();
  await expectClean(visit.page);
  await bar().getByRole('button', { name: button }).click();
  await dialog().getByRole('button', { name: 'Check first' }).click();
  await dialog().getByText('Say why').waitFor();
  await dialog().getByLabel('Reason').fill('Asked for by the partner');
  await dialog().getByRole('button', { name: 'Check first' }).click();
  await dialog().getByText('Would be done').waitFor();
  await expectClean(visit.page);
  await dialog().getByRole('button', { name: confirm }).click();
  await drawer().getByText(`${count} of ${count}`).waitFor();
  await drawer().getByText('Done', { exact: true }).first().waitFor();
}

async function signOutBy(item: string): Promise<void> {
  const { page } = visit;
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
}

act('applications are chosen on the board: their links go out again, and then they are abandoned', async () => {
  const partner = onboardingOf(visit.world);
  const names = ['Chosen One ApS', 'Chosen Two ApS'];
  for (const companyName of names) await partner.create({ company: { organizationNumber: '25313763', companyName } });
  for (const [button, confirm] of [
    ['Send the link again', 'Send 2 links again'],
    ['Abandon', 'Abandon 2 applications'],
  ] as const) {
    await visit.as('olga', '/onboarding');
    for (const name of names) await box(name).check();
    await actOnChosen(button, confirm, 2);
  }
  await visit.go('/onboarding');
  await visit.page.locator('[data-state="live"]').first().waitFor();
  const { body } = await partner.create({ company: { organizationNumber: '25313763', companyName: 'Later ApS' } });
  await visit.page.getByRole('link', { name: new RegExp(`Later ApS.*${body.id}`) }).waitFor();
  const abandoned = visit.page.getByRole('region', { name: 'Abandoned' });
  for (const name of names) await abandoned.getByText(name).waitFor();
});

act('merchants are deactivated together', async () => {
  const administration = administrationOf(visit.world, 'alpha');
  const bodies = ['a-first', 'a-second'].map((merchantId) => merchantBody({ merchantId, name: merchantId }));
  for (const body of bodies) expect((await administration.create(body)).status).toBe(201);
  await visit.as('ada', '/merchants');
  for (const { merchantId } of bodies) await box(merchantId).check();
  await actOnChosen('Deactivate', 'Deactivate 2 merchants', 2);
  await visit.go('/merchants');
  for (const { merchantId } of bodies)
    await visit.page.getByRole('row').filter({ hasText: merchantId }).getByText('Inactive').waitFor();
});

act('what can be taken back is, by the message that tells of it', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.beta;
  await visit.as('ada', `/merchants/${merchantId}`);
  const { data } = await graph(visit.world, 'query ($m: ID!) { merchant(merchantId: $m) { terminals { label } } }', {
    m: merchantId,
  });
  const [{ label }] = data.merchant.terminals;
  const row = drawer()
    .locator('div')
    .filter({ hasText: label })
    .filter({ has: page.getByRole('button') })
    .last();
  await row.getByRole('button', { name: 'Deactivate' }).click();
  await dialog().getByLabel('Reason').fill('It is being moved');
  await dialog().getByRole('button', { name: 'Deactivate' }).click();
  await row.getByText('Inactive', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Active', { exact: true }).waitFor();

  await visit.go('/payments?currency=EUR');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await dialog().getByLabel('Name').fill('All in euro');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'All in euro' }).click();
  await page.getByRole('menuitem', { name: 'Forget this view' }).click();
  await page.getByRole('button', { name: 'Views' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'All in euro' }).waitFor();
});

act('who may only look has no boxes', async () => {
  for (const path of ['/onboarding', '/merchants', '/callbacks', '/payments']) {
    await visit.as('vera', path);
    await visit.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect([path, await visit.page.getByRole('checkbox').count()]).toEqual([path, 0]);
  }
});

act('what is recovered since a moment is told in the zone of the person', async () => {
  const { page } = visit;
  const zone = async (name: string) => {
    await visit.as('sam', '/settings');
    const kept = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('SavePreferences')),
    );
    await page.getByLabel('Time zone').selectOption(name);
    await (await kept).finished();
  };
  const hourAgo = async () => Date.parse((await askGraph(visit.world, '{ viewer { now } }')).viewer.now) - 3_600_000;
  await zone('Asia/Tokyo');
  const earliest = await hourAgo();
  await visit.go('/callbacks');
  await page.getByRole('button', { name: 'Recover since…' }).click();
  const since = dialog().getByLabel('Since');
  const shown = Date.parse(`${await since.inputValue()}+09:00`);
  expect(shown).toBeGreaterThan(earliest - 60_000);
  expect(shown).toBeLessThanOrEqual(await hourAgo());
  await dialog().getByText('Asia/Tokyo').waitFor();
  await dialog().getByLabel('Reason').fill('The receiver was away');
  const asked = page.waitForRequest((request) => Boolean(request.postData()?.includes('StartJob')));
  await dialog().getByRole('button', { name: 'Check first' }).click();
  expect(Date.parse((await asked).postDataJSON().variables.input.callbacks.since)).toBe(shown);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await zone('UTC');
});

act('what a receiver missed is recovered since a moment, in its dialog', async () => {
  const { page } = visit;
  const inbox = openInbox(visit.world);
  // After three of these it is not sent again by itself.
  await sandboxCall(visit.world, 'POST', '/sandbox/receiver/faults', { status: 400, times: 3 });
  const { orderId } = await paid(visit.world, 'explicit', { notificationUrl: inbox.url });
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const callbackId = await eventually(async () => {
    await sandboxCall(visit.world, 'POST', '/sandbox/clock', { advanceMs: 60_000 });
    const query = 'query ($f: CallbackFilter) { callbacks(filter: $f, first: 1) { edges { node { callbackId } } } }';
    const { data } = await graph(visit.world, query, { f: { merchantId, status: 'REJECTED' } });
    return data.callbacks.edges[0]?.node.callbackId as string | undefined;
  });
  await visit.as('sam', `/callbacks?merchantId=${merchantId}`);
  await page.getByRole('button', { name: 'Recover since…' }).click();
  await expectClean(visit.page);
  await dialog().getByText('given up, rejected or ended').waitFor();
  const since = dialog().locator('input[type="datetime-local"]');
  const check = dialog().getByRole('button', { name: 'Check first' });
  await since.fill('');
  await check.click();
  // Both faults at once.
  await dialog().getByText('Say why').waitFor();
  await dialog().getByText('Choose a date and a time.').waitFor();
  await dialog().getByLabel('Reason').fill('Not yet');
  await since.fill('2099-01-01T00:00');
  await check.click();
  await dialog().getByText('The beginning lies after the end.').waitFor();
  await dialog().getByLabel('Reason').fill('The receiver was away');
  await since.fill('2026-01-01T00:00');
  await check.click();
  await dialog().getByText('Would be done').waitFor();
  await dialog().getByText(orderId).waitFor();
  await expectClean(visit.page);
  await dialog().getByRole('button', { name: 'Send 1 callback again' }).click();
  await drawer().getByText('Done', { exact: true }).first().waitFor();
  await drawer().getByText('The receiver was away').waitFor();
  await visit.go(`/callbacks/${callbackId}`);
  await drawer().getByText('Delivered', { exact: true }).first().waitFor();
  await drawer().getByText('by hand').waitFor();
  await inbox.atLeast(1);
});

act('two people at one visit.browser correct the books: one proposes, the other signs in and confirms', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  await visit.as('olga', `/payouts/days?merchantId=${merchantId}`);
  await page.getByRole('button', { name: 'Book an entry' }).click();
  await dialog().getByLabel('Amount').fill('25');
  await dialog().getByLabel('Reason').fill('A fee was charged twice');
  await dialog().getByRole('button', { name: 'Propose' }).click();
  await drawer().getByText('You proposed this.').waitFor();
  expect(await drawer().getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  const { pathname } = new URL(page.url());
  expect(await adjustmentsOf(merchantId)).toEqual([]);

  // Without anything forgotten in between: as two colleagues at one desk do.
  await signOutBy('Sign out');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Ada Administrator/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Hello Ada' }).waitFor();
  await visit.go(pathname);
  await drawer().getByRole('button', { name: 'Confirm' }).click();
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Confirmed and done').waitFor();
  await drawer().getByText('Confirmed', { exact: true }).waitFor();
  // What is confirmed is in the log; the books follow it.
  await eventually(async () => (await adjustmentsOf(merchantId)).length > 0);
  expect(await adjustmentsOf(merchantId)).toEqual(['2500']);
  // And the entry leads back to the two of them.
  await visit.go(`/payouts/entries?merchantId=${merchantId}&action=ADJUSTMENT`);
  await page.getByRole('row').filter({ hasText: 'Adjustment' }).getByRole('link').first().click();
  for (const told of ['A fee was charged twice', 'Olga Operator', 'Ada Administrator'])
    await drawer().getByText(told, { exact: true }).waitFor();
  await expectClean(visit.page);
  await drawer().getByRole('link', { name: 'Ledger booking' }).click();
  await page.waitForURL((url) => url.pathname === pathname);
});

/** What was booked by hand, in minor units. */
async function adjustmentsOf(merchantId: string): Promise<string[]> {
  const query = 'query ($f: LedgerEntryFilter) { ledgerEntries(filter: $f) { edges { node { money { minor } } } } }';
  const filter = { merchantIds: [merchantId], actions: ['ADJUSTMENT'] };
  const { ledgerEntries } = await askGraph(visit.world, query, { f: filter });
  return ledgerEntries.edges.map(({ node }: { node: { money: { minor: string } } }) => node.money.minor);
}

act('a balance leads to its entries, and an entry to its payment, its merchant and its payout', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { orderId, path } = await paid(visit.world, 'implicit');
  await bookedCharge(visit.world, { orderId, merchantId });
  await settleDay(visit.world, await today(visit.world));
  await visit.as('vera', '/payouts');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('heading', { level: 1, name: 'Balances' }).waitFor();
  await page
    .getByRole('row')
    .filter({ has: page.locator(`a[href$="?merchantId=${merchantId}&currency=EUR"]`) })
    .getByRole('link')
    .click();
  await page.getByRole('heading', { level: 1, name: 'Ledger entries' }).waitFor();
  await page.getByRole('row').filter({ hasText: orderId }).getByRole('link').click();
  const entry = page.url();
  for (const [name, there, told] of [
    [orderId, path, 'Timeline'],
    [/^Alpha/, `/merchants/${merchantId}`, 'Terminals'],
    [/^\d+ \w+ \d{4}$/, '/payouts/', 'What it is made of'],
  ] as const) {
    await drawer().getByRole('heading', { name: 'Ledger entry' }).waitFor();
    await expectClean(visit.page);
    await drawer().getByRole('link', { name }).click();
    await drawer().getByText(told, { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(there);
    await page.goBack();
    await page.waitForURL(entry);
  }
});

act('payouts are narrowed to those that add up, and to those that do not', async () => {
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { orderId } = await paid(visit.world, 'implicit');
  await bookedCharge(visit.world, { orderId, merchantId });
  await settleDay(visit.world, await today(visit.world));
  await visit.go(`/payouts?merchantId=${merchantId}`);
  await visit.page.getByRole('button', { name: 'Check' }).click();
  await visit.page.getByRole('menuitemradio', { name: 'Adds up' }).click();
  await visit.page.getByRole('row').filter({ hasText: 'Adds up' }).first().waitFor();
  await visit.go(`/payouts?merchantId=${merchantId}&reconciled=false`);
  await nothing().waitFor();
});

act('signing out ends the session; signing out everywhere ends all of a person', async () => {
  const { page } = visit;
  const elsewhere = new Browser(new URL(visit.world.urls.dashboard).origin);
  await elsewhere.open('/sign-in?as=sam&to=/', isBack);
  const status = async () => (await elsewhere.ask('{ viewer { id } }')).status;
  await visit.as('sam', '/');
  await signOutBy('Sign out');
  expect(await status()).toBe(200);
  await page.goto(`${elsewhere.origin}/payments`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await visit.as('sam', '/');
  await signOutBy('Sign out everywhere');
  await eventually(async () => (await status()) === 401);
});
