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
