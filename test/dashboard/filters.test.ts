// What narrows a list: several states at a time, days and amounts of one's own, and words of an address that no list knows.
import { knownSearchOf } from '../../dashboard/lists/known';
import { isSpan, spanOf } from '../../dashboard/lists/spans';
import { measure } from '../browser/looks';
import { openInbox } from '../support/checkout';
import { atDashboard, desktop, paid, phone } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act } = visit;

const nothing = () => visit.page.getByRole('heading', { name: 'Nothing matches these filters', exact: true });
const cell = (name: string) => visit.page.getByRole('cell', { name, exact: true });

test.each([
  ['day', true],
  ['2026-11-01..2026-11-05', true],
  ['..2026-11-05', true],
  ['2026-11-01..', true],
  ['..', false],
  ['2026-19-39..', false],
  ['2026-11-01', false],
  ['toString', false],
  ['a..b..c', false],
  ['2026-11-05..2026-11-01', false],
])('%s is a span: %s', (word, is) => {
  expect(isSpan(word)).toBe(is);
});

test.each([
  ['2026-11-01..2026-11-02', 'UTC', '2026-11-01T00:00:00.000Z', '2026-11-02T23:59:59.999Z'],
  ['..2026-11-02', 'Asia/Kolkata', null, '2026-11-02T18:29:59.999Z'],
  ['2026-10-25..2026-10-25', 'Europe/Copenhagen', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ['2026-03-29..', 'Europe/Copenhagen', '2026-03-28T23:00:00.000Z', null],
  ['never', 'UTC', null, null],
])('%s in %s is whole days', (since, zone, from, to) => {
  expect(spanOf(since, zone)).toEqual({ from, to });
});

test('what is not known is left out and named; the rest of the address stays', () => {
  expect(knownSearchOf({ state: 'A,x,B,y', kind: 'z', other: 'z' }, { state: ['A', 'B'], kind: ['k'] })).toEqual({
    search: { state: 'A,B', kind: undefined, other: 'z' },
    dropped: { state: 'x, y', kind: 'z' },
  });
});

const strange: readonly (readonly [path: string, name: string])[] = [
  ['/payments?state=CAPTURED&currency=euro&amount=x&since=ever&expires=later&family=f&order=o', 'CAPTURED'],
  ['/callbacks?status=foo&kind=bar&since=ever', 'foo'],
  ['/callbacks/endpoints?health=foo', 'foo'],
  ['/callbacks/origins?health=foo', 'foo'],
  ['/merchants?status=foo', 'foo'],
  ['/tokens?state=foo', 'foo'],
  ['/jobs?state=foo', 'foo'],
  ['/proposals?status=foo', 'foo'],
  ['/payouts?reconciled=foo&since=2026-19-39..', 'foo'],
  ['/payouts/balances?currency=euro&owed=foo', 'euro'],
  ['/payouts/entries?action=foo&currency=euro', 'foo'],
  ['/audit?action=foo&since=ever', 'foo'],
  ['/live?kind=foo&result=bar', 'foo'],
  ['/payments?currency=XYZ,DEM', 'XYZ, DEM'],
  ['/payments?amount=500..100', '500..100'],
  ['/payments?amount=1000000000000..', '1000000000000..'],
  ['/callbacks?since=2026-11-05..2026-11-01', '2026-11-05..2026-11-01'],
  ['/payouts?since=2026-11-05..2026-11-01', '2026-11-05..2026-11-01'],
  ['/payouts/balances?currency=XYZ', 'XYZ'],
  ['/payouts/entries?currency=XYZ&since=2026-11-05..2026-11-01', 'XYZ'],
  ['/audit?since=2026-11-05..2026-11-01', '2026-11-05..2026-11-01'],
];

for (const [path, name] of strange)
  act(`${path}: what the list does not know is left out, and said`, async () => {
    const { page } = visit;
    await visit.go(path);
    const note = page.getByRole('status').filter({ hasText: 'Left out, as this list cannot be narrowed by it' });
    await note.filter({ hasText: name }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect(await page.getByText('This could not be loaded').count()).toBe(0);
    await note.getByRole('button', { name: 'Take it out of the address' }).click();
    await note.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

const long = 'x'.repeat(3_000);
for (const path of [
  '/payments?merchantId=nobody',
  `/payments?orderId=${long}`,
  '/callbacks?merchantId=nobody&endpointId=nothing',
  `/callbacks?find=${long}`,
  '/merchants?text=nobody-has-this',
  '/tokens?merchantId=nobody',
  '/payouts?merchantId=nobody',
  '/payouts/balances?merchantId=nobody',
  '/payouts/entries?merchantId=nobody',
  '/callbacks/endpoints?origin=nowhere',
  '/audit?actor=nobody&subject=nothing',
  `/audit?actor=${long}`,
])
  act(`${path.slice(0, 60)} narrows to nothing, and that is said, with the way out`, async () => {
    const { page } = visit;
    await visit.go(path);
    await nothing().waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.waitForURL((url) => url.search === '');
  });

act('days of a merchant without entries say so', async () => {
  await visit.go('/payouts/days?merchantId=nobody');
  await visit.page.getByRole('heading', { name: 'Nothing is booked' }).waitFor();
});

act('a filter that the graph itself refuses is told as one, with a way to clear it', async () => {
  const { page } = visit;
  await visit.go(`/merchants?text=${long}`);
  await page.getByRole('heading', { name: 'Nothing can be shown with these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.locator('main tbody tr').first().waitFor();
  expect(new URL(page.url()).search).toBe('');
});

for (const path of ['/payments', '/callbacks', '/tokens', '/payouts', '/payouts/days', '/live'])
  act(`${path}: a merchant that there is not is called so, and nothing is followed of it`, async () => {
    const { page } = visit;
    await visit.go(`${path}?merchantId=nobody`);
    await page.getByRole('search', { name: 'Filters' }).getByText('No such merchant').waitFor();
    await page.getByText('Not following').first().waitFor();
    expect(await page.getByText(/Live updates were refused|Live connection ended|Not up to date/).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

act('payments are narrowed to several states, to amounts and to days of one’s own', async () => {
  const { page } = visit;
  const [held, captured] = [await paid(visit.world, 'explicit'), await paid(visit.world, 'implicit')];
  await visit.go('/payments');
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Authorized' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Captured', exact: true }).click();
  await page.keyboard.press('Escape');
  await Promise.all([cell(held.orderId).waitFor(), cell(captured.orderId).waitFor()]);
  expect(new URL(page.url()).searchParams.get('state')).toBe('Authorized,Captured');
  await page.getByRole('button', { name: 'State' }).first().click();
  await page.getByRole('menuitemcheckbox', { name: 'Captured', exact: true }).click();
  await page.keyboard.press('Escape');
  await cell(captured.orderId).waitFor({ state: 'detached' });

  await visit.go(`/payments?orderId=${held.orderId}`);
  await page.getByRole('button', { name: 'Amount' }).click();
  await page.getByRole('menuitemradio', { name: 'Amount range…' }).click();
  await page.getByRole('dialog').getByLabel('From').fill('9');
  await page.getByRole('dialog').getByLabel('To').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await page.getByText('Type amounts, the smaller one first.').waitFor();
  await page.getByRole('dialog').getByLabel('From').fill('0.01');
  await page.getByRole('dialog').getByLabel('To').fill('0.02');
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await nothing().waitFor();
  expect(new URL(page.url()).searchParams.get('amount')).toBe('1..2');

  await visit.go(`/payments?orderId=${held.orderId}`);
  await page.getByRole('button', { name: 'Created' }).click();
  await page.getByRole('menuitemradio', { name: 'Days of your own…' }).click();
  await page.getByRole('dialog').getByLabel('From').fill('2020-02-01');
  await page.getByRole('dialog').getByLabel('To').fill('2020-01-01');
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await page.getByText('The first day is after the last one.').waitFor();
  await page.getByRole('dialog').getByLabel('To').fill('2020-02-03');
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await nothing().waitFor();
  await page.getByRole('button', { name: /1 Feb 2020 – 3 Feb 2020/ }).waitFor();
});

act('the filters of payments stand on one line, chosen ones too; those that are used less behind a pill', async () => {
  const { page } = visit;
  const bar = page.getByRole('search', { name: 'Filters' });
  const lines = async () => Math.round(((await bar.boundingBox())?.height ?? 0) / 34);
  const { merchantId } = visit.world.credentials.tenants.alpha;
  await visit.go(`/payments?state=PartiallyCaptured,Captured&merchantId=${merchantId}&since=month&amount=1000..90000`);
  await bar.getByText('Last 30 days').waitFor();
  expect(await lines()).toBe(1);
  await page.setViewportSize(phone);
  expect((await measure(page)).scrollsSideways).toBe(false);
  await bar.getByRole('button', { name: 'Currency' }).waitFor();
  await page.setViewportSize(desktop);

  await visit.go('/payments');
  const more = bar.getByRole('button', { name: 'More filters' });
  await more.focus();
  expect(await bar.getByRole('button', { name: 'Currency' }).count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'EUR' }).click();
  await page.keyboard.press('Escape');
  await more.click();
  await bar.getByRole('button', { name: 'Made through' }).waitFor({ state: 'hidden' });
  await bar.getByRole('button', { name: 'Clear: Currency' }).click();
  await bar.getByRole('button', { name: 'Currency' }).waitFor({ state: 'hidden' });
  expect(await lines()).toBe(1);
});

test.each([
  ['/callbacks', 'CallbackRows', null],
  ['/payments', 'PaymentRows', 'Refund'],
  ['/payouts/entries', 'EntryRows', null],
  ['/audit', 'AuditRows', null],
])('what is opened beside %s a minute later lets its days stand', async (path, operation, opens) => {
  const inbox = openInbox(visit.world);
  const made = await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(1);
  const page = await visit.browser.newPage();
  const spans = new Set<string>();
  page.on('request', (request) => {
    const asked = request.postData() ?? '';
    if (!asked.includes(`"${operation}"`)) return;
    const { since, from } = JSON.parse(asked).variables.filter;
    spans.add(since ?? from);
  });
  // The turn of a minute that is nearest.
  const turn = Math.round(Date.now() / 60_000) * 60_000;
  await page.clock.setFixedTime(turn - 5_000);
  await page.goto(new URL(`${path}?since=week`, visit.page.url()).href);
  const first = page.getByRole('row').nth(1).getByRole('link').first();
  const row = opens ? page.locator(`main a[href^="${made.path}"]`).first() : first;
  await row.waitFor();
  await page.clock.setFixedTime(turn + 5_000);
  await row.click();
  const beside = page.getByRole('complementary');
  await beside.locator('dl').first().waitFor();
  if (opens) await beside.getByRole('button', { name: opens }).click();
  if (opens) await page.getByRole('dialog').waitFor();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect([path, spans.size]).toEqual([path, 1]);
  await page.close();
});
