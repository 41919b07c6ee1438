// From a payment to the payout that pays it, over the documented paths, the levers and the graph (reporting interface; sandbox control). A program of its own: settlements of other tests would close the books of every merchant.
import { cards, payWithFields, type Shop, shopOf } from '../support/checkout';
import { askGraph, balanceWhen, bookEntry, type Reports, reportsOf, settleDay, today } from '../support/reports';
import { startWorld, type World } from '../support/world';

let world: World;
let shop: Shop;
let merchant: Reports;
let day: string;

const currency = 'NOK';
const order = (amount: string) => ({ order: { amount, currency, invoiceid: 'INV_7' }, paymentSession: { amount } });

beforeAll(async () => {
  world = await startWorld();
  shop = shopOf(world, 'beta', 'implicit');
  merchant = reportsOf(world, 'beta', 'merchantApiKey');
  day = await today(world);
});
afterAll(() => world?.stop());

/** What the payout of the day adds up to. */
const sums = {
  chargedAmount: 17_000,
  numberOfCharges: 2,
  refundedAmount: 2_500,
  numberOfRefunds: 1,
  depositedAmount: 1_000,
  numberOfDeposits: 1,
  fees: 0,
  feeVATpercent: 0,
  feeTaxRate: 0,
  feeTaxAmount: 0,
  transactionTaxDetails: [],
};

describe('a day of a merchant', () => {
  const list = async (reports: Reports, more = '') =>
    (await reports.get(`payouts?fromDate=${day}&toDate=${day}&currency=${currency}${more}`)).body;

  test('becomes balances, a payout and its actions, to the unit', async () => {
    const { orderId, finalized } = await payWithFields(world, shop, order('10000'));
    const second = await payWithFields(world, shop, { ...order('7000'), number: cards.mastercard });
    const captures = await shop.operations({ orderId: second.orderId, operationType: 'CAPTURE' });
    const refund = await shop.post('refunds', captures.body.operations[0].operationId, { amount: '2500', currency });
    expect(refund.status).toBe(200);
    await bookEntry(world, { tenant: 'beta', action: 'DEPOSIT', amount: 1_000, currency });
    await bookEntry(world, { tenant: 'beta', action: 'CHARGEBACK', amount: 600, currency });
    await bookEntry(world, { tenant: 'beta', action: 'ADJUSTMENT', amount: -50, currency });
    const before = await balanceWhen(merchant, { day, currency }, ({ debits }) => debits.count === 3);
    expect(before).toEqual({
      credits: { amount: 18_000, count: 3 },
      debits: { amount: 3_150, count: 3 },
      openingBalance: 0,
      closingBalance: 14_850,
      from: day,
      to: day,
    });

    await settleDay(world, day);
    const { numberOfPayouts, payouts } = await list(merchant);
    expect(numberOfPayouts).toBe(1);
    expect(payouts[0]).toMatchObject({
      date: day,
      currency,
      amount: 14_850,
      ...sums,
    });
    const detail = (await merchant.get(`payouts/${payouts[0].id}`)).body;
    expect(detail.numberOfPaymentActions).toBe(6);
    const actions = detail.paymentActions.map((action: Record<string, unknown>) =>
      ['paymentAction', 'amount', 'invoiceNumber'].map((name) => action[name]).join(' '),
    );
    expect(actions.sort().join()).toBe(
      'ADJUSTMENT -50 ,CHARGE 10000 INV_7,CHARGE 7000 INV_7,CHARGEBACK 600 ,DEPOSIT 1000 ,REFUND 2500 INV_7',
    );
    const charge = detail.paymentActions.find(({ reference }: { reference: string }) => reference === orderId);
    expect(charge).toMatchObject({ paymentMethod: 'VISA', paymentType: 'CARD', amount: 10_000, fee: 0 });
    expect(finalized.status).toBe(200);
    const after = await balanceWhen(merchant, { day, currency }, ({ debits }) => debits.count === 4);
    expect(after.closingBalance).toBe(0);

    // The same life in the graph, across the subgraphs.
    const { payout } = await askGraph(
      world,
      `query Payout($id: ID!) { payout(payoutId: $id) { amount reconciled merchant { merchantId name }
        actions(first: 6) { edges { node { action amount payment { state } operation { operationType payout { payoutId } } } } } } }`,
      { id: payouts[0].id },
    );
    expect(payout).toMatchObject({ amount: '14850', reconciled: true, merchant: { merchantId: shop.merchantId } });
    const lines = payout.actions.edges.map(({ node }: { node: { operation: object | null } }) => node.operation);
    expect(lines.filter(Boolean)).toHaveLength(3);
    for (const operation of lines.filter(Boolean)) expect(operation.payout.payoutId).toBe(payouts[0].id);
  });
});
