// Random months of a few merchants against the reference model: 0 units off per currency and merchant, whatever comes late or twice; and the journal rebuilt from the log is the same (reporting interface).
import type { Document } from 'mongodb';
import { bookCollections } from '../../subgraphs/reporting/journal/collections.repository';
import { addDays, dayOf } from '../../subgraphs/reporting/journal/journal';
import { createDayRepository } from '../../subgraphs/reporting/payouts/day.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { type BalanceQuery, reportBalances } from '../../subgraphs/reporting/reporting.service';
import fc from '../support/properties';
import { ModelBook, type ModelFees } from './books-model';
import { dayMs, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

const names = ['one', 'two', 'other'] as const;
type Name = (typeof names)[number];
const currencies = ['EUR', 'SEK'] as const;

type Step =
  | {
      do: 'charge' | 'refund' | 'undo' | 'noise' | 'DEPOSIT' | 'CHARGEBACK' | 'ADJUSTMENT';
      who: Name;
      amount: number;
      currency: string;
      lateDays: number;
    }
  | { do: 'approve'; who: Name; charge: number; refund: number; fixed: number }
  | { do: 'days'; count: number }
  | { do: 'settle'; daysAgo: number; twice: boolean };

const who = fc.constantFrom(...names);
const movement = fc.record({
  do: fc.constantFrom('charge', 'charge', 'charge', 'refund', 'undo', 'noise', 'DEPOSIT', 'CHARGEBACK', 'ADJUSTMENT'),
  who,
  amount: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2_000_000 })),
  currency: fc.constantFrom(...currencies),
  lateDays: fc.constantFrom(0, 0, 0, 0, 1, 3),
});
const step = fc.oneof(
  { weight: 12, arbitrary: movement },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('approve'),
      who,
      charge: fc.integer({ min: 0, max: 500 }),
      refund: fc.integer({ min: 0, max: 300 }),
      fixed: fc.integer({ min: 0, max: 50 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('days'), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('settle'), daysAgo: fc.integer({ min: 0, max: 3 }), twice: fc.boolean() }),
  },
) as fc.Arbitrary<Step>;

/** The month as it runs against the program, with the model beside it. */
async function run(world: ReportingWorld, steps: readonly Step[]): Promise<Map<string, ModelBook>> {
  const books = new Map<string, ModelBook>();
  const fees = new Map<Name, ModelFees>();
  const bookOf = (name: Name, currency: string) => {
    const key = `${name} ${currency}`;
    const book = books.get(key) ?? new ModelBook(currency);
    books.set(key, book);
    return book;
  };
  for (const one of steps) {
    if (one.do === 'days') world.clock.advance(one.count * dayMs);
    else if (one.do === 'settle') {
      const date = addDays(dayOf(world.clock.now()), -one.daysAgo);
      const others = one.twice ? [await world.another()] : [];
      await Promise.all([world.reporting, ...others].map((reporting) => world.settle(date, reporting)));
      for (const book of books.values()) book.settle(date);
    } else if (one.do === 'approve') {
      await world.commit(
        world.approved(merchants[one.who], { quote: quoteOf(one), bankAccount: null, currency: 'EUR' }),
      );
      fees.set(one.who, { currency: 'EUR', charge: one.charge, refund: one.refund, chargeFixed: one.fixed });
    } else await move(world, one, bookOf(one.who, one.currency), fees.get(one.who) ?? null);
  }
  await world.feed();
  return books;
}

type Movement = Extract<Step, { lateDays: number }>;

async function move(world: ReportingWorld, one: Movement, book: ModelBook, fees: ModelFees | null): Promise<void> {
  const merchant = merchants[one.who];
  const amount = BigInt(one.amount);
  const at = new Date(world.clock.now().getTime() - one.lateDays * dayMs);
  const day = dayOf(at);
  const facts = { amount, currency: one.currency, at };
  if (one.do === 'charge') {
    await world.commit(world.operation(merchant, facts));
    return book.charge(day, one.amount, fees);
  }
  if (one.do === 'refund') {
    await world.commit(world.operation(merchant, { ...facts, operationType: 'REFUND', operationResult: 'REFUNDED' }));
    return book.refund(day, one.amount, fees);
  }
  if (one.do === 'undo') {
    await world.commit(world.operation(merchant, { ...facts, operationType: 'CANCEL', operationResult: 'VOIDED' }));
    return book.add(day, -one.amount);
  }
  if (one.do === 'noise') {
    const declined = { ...facts, operationType: 'AUTHORIZATION', operationResult: 'DECLINED' };
    const voided = { ...facts, operationType: 'VOID', operationResult: 'VOIDED' };
    return world.commit(world.operation(merchant, declined), world.operation(merchant, voided));
  }
  const signed = one.do === 'ADJUSTMENT' && one.amount % 2 === 0 ? -amount : amount;
  await world.commit(world.ledger(merchant, one.do, signed, one.currency));
  const today = dayOf(world.clock.now());
  book.add(today, one.do === 'CHARGEBACK' ? -one.amount : Number(signed));
}

function quoteOf({ charge, refund, fixed }: { charge: number; refund: number; fixed: number }) {
  const line = { itemType: 'TRANS', priceVAT: 0 };
  const lines = [
    { ...line, paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: charge },
    { ...line, paymentActionType: 'CHARGE', feeType: 'QTY', unitPrice: fixed },
    { ...line, paymentActionType: 'REFUND', feeType: 'TAMT', unitPrice: refund },
  ];
  const method = { paymentMethodProvider: 'PROVIDER_CODE_1', optional: false, selected: true, fees: lines };
  const option = { itemNo: '1', paymentType: 'CARD', paymentMethods: [method] };
  return { documentNo: '1', currency: 'EUR', signon: 0, subscription: 0, paymentOptions: [option] };
}

async function assertSame(world: ReportingWorld, books: Map<string, ModelBook>): Promise<void> {
  const payouts = createPayoutRepository(world.stores.connection);
  const days = createDayRepository(world.stores.connection);
  const range: BalanceQuery = { fromDate: '2026-02-01', toDate: dayOf(new Date(world.clock.now().getTime())) };
  for (const [key, book] of books) {
    const merchant = merchants[key.split(' ')[0] as Name];
    const owner = { environment: 'sandbox' as const, merchantId: merchant.merchantId };
    const made = await payouts.list({ owner, currency: book.currency }, { skip: 0, size: 500 });
    const plain = made.map(({ date, amountMinor, actionCount }) => ({
      date,
      amount: Number(amountMinor),
      actions: actionCount,
    }));
    const order = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
    expect(plain.sort(order)).toEqual([...book.payouts].sort(order));
    const reads = { days, payouts, openActions: undefined as never, readMerchantByNumber: async () => null };
    const report = await reportBalances(reads, world.merchantKey(merchant), { ...range, currencies: [book.currency] });
    const closings = (report[0]?.balances ?? []).map(({ day, closingMinor }) => [day, Number(closingMinor)]);
    expect(closings).toEqual([...book.closings()]);
  }
}

let world: ReportingWorld;

beforeAll(async () => {
  world = await openReportingWorld();
});
afterAll(() => world.close());

/** By collection. */
async function validatorsOfBooks(): Promise<Record<string, Document>> {
  const { connection } = world.stores;
  const found: Document[] = await connection.getClient().db(connection.name).listCollections().toArray();
  const books = found.filter(({ name }) => bookCollections.some((book) => book === name));
  return Object.fromEntries(books.map(({ name, options }) => [name, options.validator]));
}

test('a random month is 0 units off per currency and merchant, and its journal is a function of the log', async () => {
  const validators = await validatorsOfBooks();
  expect(Object.keys(validators).sort()).toEqual([...bookCollections].sort());
  expect(Object.values(validators)).not.toContain(undefined);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), async (steps) => {
      await world.empty();
      const books = await run(world, steps);
      await assertSame(world, books);
      expect((await world.reporting.checkBooks()).differences).toEqual([]);
      // The rebuilt journal takes the place of the one in use, and nothing shows.
      expect((await world.reporting.rebuild(true)).differences).toEqual([]);
      await assertSame(world, books);
      expect((await world.reporting.checkBooks()).differences).toEqual([]);
      expect(await validatorsOfBooks()).toEqual(validators);
    }),
    { numRuns: Number(process.env['MONTHS'] ?? 4) },
  );
});
