// Settlement of books that are not as others are: fees beyond any amount, and what cannot be closed (2.6 of the decision register).
import { amountMinorMax } from '../../subgraphs/shared/money';
import { merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

let world: ReportingWorld;
const { one } = merchants;

beforeAll(async () => {
  world = await openReportingWorld();
});
beforeEach(() => world.empty());
afterAll(() => world.close());

const today = start.toISOString().slice(0, 10);

test('a fee that was agreed beyond any amount is what the merchant owes, and never a credit', async () => {
  const fees = [{ paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 8_384_883_669_860_000, itemType: 'TRANS' }];
  const paymentMethods = [{ paymentMethodProvider: 'P', selected: true, fees }];
  const quote = { currency: 'EUR', paymentOptions: [{ paymentType: 'CARD', paymentMethods }] };
  await world.commit(world.approved(one, { quote }), world.operation(one, { amount: 22_000_000n, at: start }));
  expect(await world.settle(today)).toEqual([]);
  const entry = await world.stores.connection.collection('journal_entries').findOne({}, { useBigInt64: true });
  expect(entry).toMatchObject({ flexibleFeeMinor: amountMinorMax });
  expect((await world.reporting.checkBooks()).differences).toEqual([]);
});

test('a book that cannot be closed is named, and keeps none of the others from its payout', async () => {
  const merchantIds = Array.from({ length: 501 }, (_, index) => `m-${String(index).padStart(3, '0')}`);
  const [first = ''] = merchantIds;
  const charge = (merchantId: string) => world.operation({ ...one, merchantId }, { amount: 1_000n, at: start });
  await world.commit(charge(first));
  expect(await world.settle(today)).toHaveLength(1);
  // As a restored backup may leave it: the next payout is given a number that the log has already.
  await world.stores.connection.collection('payout_books').updateOne({ merchantId: first }, { $set: { number: 0 } });
  await world.commit(...merchantIds.map(charge));
  await expect(world.settle(today)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(new RegExp(`:${first}:EUR: `)),
  });
  expect(await world.stores.connection.collection('payouts').countDocuments()).toBe(merchantIds.length);
});
