// What stands in the address is what is asked: the order of a list, its filters, and an entry that no row of the list is.
import { cards, newOrderId, payWithFields, shopOf } from '../support/checkout';
import { askGraph } from '../support/reports';
import { atDashboard, bookedCharge, paid } from './visit';

const visit = atDashboard({ person: 'olga' });
const { act, drawer } = visit;

const nothing = () => visit.page.getByRole('heading', { name: 'Nothing matches these filters' });
const cell = (name: string) => visit.page.getByRole('cell', { name, exact: true });

act('payments are ordered by when their reservation ends, and narrowed to those that end soon', async () => {
  const { page } = visit;
  const [held, captured] = [await paid(visit.world, 'explicit'), await paid(visit.world, 'implicit')];
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
  await nothing().waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=OLDEST`);
  await cell(captured.orderId).waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=EXPIRING_SOONEST`);
  await nothing().waitFor();
});

act('a declined payment says why, in words', async () => {
  const shop = shopOf(visit.world, 'alpha', 'implicit');
  const { orderId } = await payWithFields(visit.world, shop, {
    number: cards.insufficientFunds,
    order: { orderId: newOrderId() },
  });
  const query = 'query ($id: String) { payments(filter: { orderId: $id }) { edges { node { paymentId } } } }';
  const { payments } = await askGraph(visit.world, query, { id: orderId });
  await visit.go(`/payments/${payments.edges[0].node.paymentId}`);
  await drawer().getByText('Timeline').waitFor();
  await drawer().getByText('Declined because').first().waitFor();
  await drawer().getByText('Insufficient funds').first().waitFor();
});

act('an entry opens by its address, whatever the list beside it has', async () => {
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { orderId } = await paid(visit.world, 'implicit');
  const entryId = await bookedCharge(visit.world, { orderId, merchantId });
  await visit.go(`/payouts/entries?merchantId=${merchantId}&action=CHARGEBACK&since=day&entry=${entryId}`);
  await drawer().getByRole('link', { name: orderId }).waitFor();
  await visit.page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  await visit.go('/payouts/entries?entry=none');
  await drawer().getByText('No such entry').waitFor();
});
