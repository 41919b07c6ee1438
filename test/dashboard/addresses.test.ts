// What stands in the address is what is asked: the order of a list, its filters, and an entry that no row of the list is.
import type { BrowserContext } from 'playwright-core';
import { openBrowser } from '../browser/page-world';
import { cards, newOrderId, payWithFields, shopOf } from '../support/checkout';
import { askGraph } from '../support/reports';
import { sharedWorld, type World } from '../support/world';
import { actsOf, bookedCharge, paid, type Visit, visitDashboard } from './visit';

let world: World;
let browser: BrowserContext;
let visit: Visit;

beforeAll(async () => {
  world = await sharedWorld();
  browser = await openBrowser({ locale: 'en-GB', reducedMotion: 'reduce' });
  visit = await visitDashboard(browser, world, { person: 'olga' });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const act = actsOf(() => visit);
const drawer = () => visit.page.getByRole('complementary');
const nothing = (name: string) => visit.page.getByRole('heading', { name });
const cell = (name: string) => visit.page.getByRole('cell', { name, exact: true });

act('payments are ordered by when their reservation ends, and narrowed to those that end soon', async () => {
  const { page } = visit;
  const [held, captured] = [await paid(world, 'explicit'), await paid(world, 'implicit')];
  await visit.go(`/payments?orderId=${held.orderId}`);
  await cell(held.orderId).waitFor();
  await page.getByRole('button', { name: 'Sorted by' }).click();
  await page.getByRole('menuitemradio', { name: 'Authorization ends soonest' }).click();
  await page.getByRole('columnheader', { name: 'Authorized until' }).waitFor();
  await cell(held.orderId).waitFor();
  expect(new URL(page.url()).searchParams.get('order')).toBe('EXPIRING_SOONEST');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('button', { name: 'Authorized until' }).click();
  await page.getByRole('menuitemradio', { name: 'Within 24 hours' }).click();
  await nothing('No payments here').waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=OLDEST`);
  await cell(captured.orderId).waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=EXPIRING_SOONEST`);
  await nothing('No payments here').waitFor();
});

act('a declined payment says why, in words', async () => {
  const shop = shopOf(world, 'alpha', 'implicit');
  const { orderId } = await payWithFields(world, shop, {
    number: cards.insufficientFunds,
    order: { orderId: newOrderId() },
  });
  const query = 'query ($id: String) { payments(filter: { orderId: $id }) { edges { node { paymentId } } } }';
  const { payments } = await askGraph(world, query, { id: orderId });
  await visit.go(`/payments/${payments.edges[0].node.paymentId}`);
  await drawer().getByText('Timeline').waitFor();
  await drawer().getByText('Declined because').first().waitFor();
  await drawer().getByText('Insufficient funds').first().waitFor();
});

act('an entry opens by its address, whatever the list beside it has', async () => {
  const { merchantId } = world.credentials.tenants.alpha;
  const { orderId } = await paid(world, 'implicit');
  const entryId = await bookedCharge(world, { orderId, merchantId });
  await visit.go(`/payouts/entries?merchantId=${merchantId}&action=CHARGEBACK&since=day&entry=${entryId}`);
  await drawer().getByRole('link', { name: orderId }).waitFor();
  await visit.page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  await visit.go('/payouts/entries?entry=none');
  await drawer().getByText('No such entry').waitFor();
});
