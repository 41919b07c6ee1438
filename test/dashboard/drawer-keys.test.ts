// The focus of what is open beside a list: it comes with whatever opened it, stays while rows are walked, and goes back to the row.
import { focusRing } from '../browser/looks';
import { onboardingOf } from '../support/onboarding';
import { eventually } from '../support/stores';
import { atDashboard, bookedCharge, openLiveList, paid } from './visit';

const visit = atDashboard({ person: 'vera' });
const { act, drawer } = visit;

beforeAll(async () => {
  for (let count = 0; count < 4; count += 1) await paid(visit.world, 'explicit', {}, 'beta');
});

const heading = (name: string) => drawer().getByRole('heading', { name, exact: true, level: 2 });
const list = () => `/payments?merchantId=${visit.world.credentials.tenants.beta.merchantId}`;

const hasFocus = (of: ReturnType<typeof heading>) =>
  eventually(async () => (await of.evaluate((own) => own === own.ownerDocument.activeElement)) || undefined);
/** Of what has the focus: where it leads to. */
const leadsTo = () => visit.page.evaluate<string | null>("document.activeElement?.getAttribute('href')");
const isRinged = () => visit.page.evaluate<boolean>("document.activeElement?.matches(':focus-visible') ?? false");
const opened = () => new URL(visit.page.url()).pathname;

async function closed(): Promise<void> {
  await visit.page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
}

act('opened by j and Enter it has the focus; the walk goes on, and Esc gives the focus to the row', async () => {
  const { page } = visit;
  await openLiveList(visit, list());
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await hasFocus(heading('Payment'));
  expect(await isRinged()).toBe(true);
  const second = opened();
  await page.keyboard.press('j');
  await page.waitForURL((url) => url.pathname !== second);
  const third = opened();
  await hasFocus(heading('Payment'));
  await closed();
  expect(await leadsTo()).toContain(third);
  await page.keyboard.press('k');
  await eventually(async () => (await leadsTo())?.includes(second) || undefined);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === second);
  await hasFocus(heading('Payment'));
  await page.keyboard.press('Tab');
  expect(await drawer().evaluate((own) => own.contains(own.ownerDocument.activeElement))).toBe(true);
  await closed();
  expect(await leadsTo()).toContain(second);
});

act('opened by Enter on the link of a row, and closed by its button', async () => {
  const { page } = visit;
  await openLiveList(visit, list());
  const link = page.getByRole('row').nth(3).getByRole('link').first();
  await link.focus();
  await page.keyboard.press('Enter');
  await hasFocus(heading('Payment'));
  const address = opened();
  await drawer().getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await drawer().waitFor({ state: 'detached' });
  expect(await leadsTo()).toContain(address);
});

act('opened by a pointer it has the focus without a ring, and the keys go on from that row', async () => {
  const { page } = visit;
  await openLiveList(visit, list());
  await page.getByRole('row').nth(2).click();
  await hasFocus(heading('Payment'));
  expect(await isRinged()).toBe(false);
  const second = opened();
  await drawer().getByRole('button', { name: 'Close' }).click();
  await drawer().waitFor({ state: 'detached' });
  expect(await leadsTo()).toContain(second);
  await page.keyboard.press('j');
  await eventually(async () => {
    const to = await leadsTo();
    return (to !== null && !to.includes(second)) || undefined;
  });
  const third = await leadsTo();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => third?.startsWith(url.pathname) ?? false);
  await hasFocus(heading('Payment'));
});

act('opened from the palette it has the focus, and gives it back to what had it before', async () => {
  const { page } = visit;
  const { orderId, path } = await paid(visit.world, 'explicit');
  await visit.go('/settings');
  await page.getByRole('link', { name: 'Settings', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(orderId);
  await page.getByRole('dialog').getByRole('option').filter({ hasText: orderId }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path);
  await hasFocus(heading('Payment'));
  await closed();
  expect(await page.evaluate<boolean>('document.activeElement !== document.body')).toBe(true);
});

act('a card of the board has the focus again', async () => {
  const { page } = visit;
  await onboardingOf(visit.world).create({ company: { organizationNumber: '25313763', companyName: 'Walked to ApS' } });
  await visit.go('/onboarding');
  const card = page.getByRole('main').locator('li a').first();
  await card.focus();
  await page.keyboard.press('Enter');
  await drawer().waitFor();
  await eventually(
    async () => (await drawer().evaluate((own) => own.contains(own.ownerDocument.activeElement))) || undefined,
  );
  const address = opened();
  await closed();
  expect(await leadsTo()).toContain(address);
});

act('an act whose button goes with it, done by keys alone, leaves the focus with what it was done to', async () => {
  const { page } = visit;
  const { path } = await paid(visit.world, 'explicit');
  await visit.as('olga', path);
  await drawer().getByRole('button', { name: 'Void' }).focus();
  await page.keyboard.press('Enter');
  await visit.dialog().getByLabel('Reason').waitFor();
  await page.keyboard.type('The customer called');
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await drawer().getByText('Cancelled').first().waitFor();
  await drawer().getByRole('button', { name: 'Void' }).waitFor({ state: 'detached' });
  await hasFocus(heading('Payment'));
  await closed();
});

act('opened from the palette over a screen without its list, it leaves the focus with the screen', async () => {
  const { page } = visit;
  const { orderId, path } = await paid(visit.world, 'implicit');
  await visit.go('/');
  await page.keyboard.press('Control+k');
  await visit.dialog().getByRole('combobox').fill(orderId);
  await visit.dialog().getByRole('option').filter({ hasText: orderId }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === path);
  await hasFocus(heading('Payment'));
  await closed();
  expect(await page.evaluate<boolean>('document.activeElement !== document.body')).toBe(true);
});

act('opened by its address it has no line around its title, also after a page that keys were pressed on', async () => {
  const { page } = visit;
  const { path } = await paid(visit.world, 'implicit', {}, 'beta');
  await openLiveList(visit, list());
  await page.keyboard.press('j');
  const came = async () => {
    await drawer().getByText('Timeline').waitFor();
    expect(await focusRing(page)).toBe(0);
  };
  await visit.go(path);
  await came();
  await page.reload();
  await came();
  await closed();
  // Opened again it was opened here.
  await page.getByRole('main').locator(`a[href^="${path}"]`).focus();
  await page.keyboard.press('Enter');
  await hasFocus(heading('Payment'));
  expect(await focusRing(page)).toBeGreaterThan(0);
});

act('the first one of a page has the focus also where its address has the same path', async () => {
  const { page } = visit;
  const { orderId } = await paid(visit.world, 'implicit');
  await bookedCharge(visit.world, { orderId, merchantId: visit.world.credentials.tenants.alpha.merchantId });
  await visit.as('ada', '/');
  const title = drawer().getByRole('heading', { level: 2 }).first();
  for (const path of ['/audit?since=30d', '/payouts/entries', '/people']) {
    await openLiveList(visit, path);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await hasFocus(title);
    await page.reload();
    await title.waitFor();
    expect([path, await focusRing(page)]).toEqual([path, 0]);
    await openLiveList(visit, path);
    await page.getByRole('row').nth(1).click();
    await hasFocus(title);
  }
});
