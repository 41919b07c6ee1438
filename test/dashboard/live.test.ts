// The live feed on the real platform: everything as it happens over one subscription, held back while paused, narrowed by the graph, each row a way to what it is about.
import { accessibilityFaults, measure } from '../browser/looks';
import { picture } from '../browser/pictures';
import { Browser, isBack } from '../people/browser';
import { administrationOf, merchantBody } from '../support/administration';
import { onboardingOf } from '../support/onboarding';
import { atDashboard, cutConnections, desktop, paid, phone } from './visit';

const visit = atDashboard({ person: 'vera', path: '/live' });
const { act } = visit;

const cell = (name: string) => visit.page.getByRole('cell', { name, exact: true }).first();
/** Looks for it in the feed, of which only the rows in sight are drawn: other tests make events, too. */
async function look(name: string): Promise<void> {
  const filter = visit.page.getByRole('textbox', { name: 'Filter', exact: true });
  await filter.fill(name);
  await filter.press('Enter');
}
const found = async (name: string) => {
  await look(name);
  await cell(name).waitFor();
};
const isNowhere = () => visit.page.getByText('Nothing matches these filters').waitFor();
const isLive = () => visit.page.getByRole('main').getByText('Live', { exact: true }).waitFor();

act('what happens at any merchant comes in by itself, of every kind', async () => {
  await visit.go('/live');
  await isLive();
  const [alpha, beta] = [await paid(visit.world, 'implicit'), await paid(visit.world, 'explicit', {}, 'beta')];
  const { body } = await onboardingOf(visit.world).create({
    company: { organizationNumber: '25313763', companyName: 'Watched ApS' },
  });
  for (const name of [alpha.orderId, beta.orderId, String(body.id)]) await found(name);
  await look('');
  const { page } = visit;
  // Rows that move while they are looked at stand on each other's ground.
  await page.getByRole('button', { name: 'Pause' }).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await page.getByRole('button', { name: /^Go on/ }).click();
  await picture(page, 'dashboard-live-dark', { fullPage: false });
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, 'dashboard-live-desktop', { fullPage: false });
  await page.setViewportSize(phone);
  expect((await measure(page)).scrollsSideways).toBe(false);
  await picture(page, 'dashboard-live-phone', { fullPage: false });
  await page.setViewportSize(desktop);
});

act('what comes into the audit, by its act, and the row leads to the record', async () => {
  const { page } = visit;
  await visit.go('/live?kind=audit');
  await isLive();
  const body = merchantBody({ name: 'Told by its name' });
  expect((await administrationOf(visit.world, 'alpha').create(body)).status).toBe(201);
  await look(body.merchantId);
  // It was made after the first merchants were read.
  await cell('Merchant Told by its name').waitFor();
  await page.getByRole('cell').getByTitle(body.merchantId).first().waitFor();
  await cell('Merchant created').waitFor();
  const row = page.getByRole('row').filter({ has: page.getByTitle(body.merchantId) });
  await row.first().getByRole('link').click();
  await page.getByRole('complementary').getByTitle(body.merchantId).waitFor();
});

act('what is done to a person, by the name of the person', async () => {
  await visit.go('/live?kind=audit');
  await isLive();
  const { origin } = new URL(visit.page.url());
  await new Browser(origin).open('/sign-in?as=vera&to=/', isBack);
  await found('Person Vera Viewer');
  await visit.page.getByRole('link', { name: 'Signed in, Person Vera Viewer', exact: true }).first().waitFor();
});

act('paused it holds back and counts, and loses nothing', async () => {
  const { page } = visit;
  await visit.go('/live');
  await isLive();
  const shown = await paid(visit.world, 'implicit');
  await found(shown.orderId);
  await page.getByRole('button', { name: 'Pause' }).click();
  const held = [await paid(visit.world, 'implicit'), await paid(visit.world, 'implicit')];
  await page.getByRole('button', { name: /^Go on \(([4-9]|\d\d+) waiting\)$/ }).waitFor();
  await look(held[0]?.orderId ?? '');
  await isNowhere();
  await page.getByRole('button', { name: /^Go on/ }).click();
  for (const { orderId } of [shown, ...held]) await found(orderId);
});

act('narrowed by kind, merchant and result, and a row leads to its payment', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  await visit.go(`/live?kind=payments&merchantId=${merchantId}&result=EXECUTED`);
  await isLive();
  const [other, captured] = [await paid(visit.world, 'implicit', {}, 'beta'), await paid(visit.world, 'implicit')];
  await found(captured.orderId);
  await look(other.orderId);
  await isNowhere();
  await look('');
  expect(await page.getByRole('cell', { name: 'Authorized', exact: true }).count()).toBe(0);
  await found(captured.orderId);
  await page
    .getByRole('link', { name: new RegExp(captured.orderId) })
    .first()
    .click();
  await page.waitForURL(new RegExp(captured.paymentId));
});

act('a cut connection is told, and what came meanwhile is there after it', async () => {
  const { page } = visit;
  const connections = await cutConnections(page);
  await visit.go('/live');
  await isLive();
  const before = await paid(visit.world, 'implicit');
  await found(before.orderId);
  await connections.cut();
  await page.getByRole('main').getByText('Reconnecting', { exact: true }).waitFor();
  const away = await paid(visit.world, 'implicit');
  connections.mend();
  await found(away.orderId);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
