// Documents of releases before get their slots while others are written, and the unique indexes of before go when none is without (`npm run database:slots`).
import { newId } from '../../subgraphs/shared/ids';
import { giveAllSlots } from '../../subgraphs/shared/store/give-slots';
import { shardedCollections } from '../../subgraphs/shared/store/sharded-collections';
import { slotOf } from '../../subgraphs/shared/store/slot';
import { openStores, type Stores } from '../support/stores';

type Row = { _id: string; slot?: number } & Record<string, unknown>;

/** More than one write's worth. */
const count = 1_203;
const merchants = ['merchant-1', 'merchant-2', 'merchant-3'];
const ofMerchant = (index: number) => merchants[index % merchants.length] as string;

let stores: Stores;
const rows = (name: string) => stores.connection.collection<Row>(name);
const database = () => {
  const { db } = stores.connection;
  if (!db) throw new Error('the connection is not open');
  return db;
};

beforeEach(async () => {
  stores = await openStores();
  const payments = Array.from({ length: count }, (_, index) => ({
    _id: newId(),
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: ofMerchant(index),
    orderId: String(index),
  }));
  await rows('payments').insertMany(payments as never);
  await rows('acquirer_calls').insertMany(
    payments.slice(0, 5).map(({ _id }) => ({ _id: newId(), paymentId: _id, requestKey: _id })) as never,
  );
  await rows('contracts').insertOne({
    _id: newId(),
    environment: 'sandbox',
    merchantId: 'merchant-2',
    contractId: 'c',
  });
  await rows('events').insertMany([
    { _id: newId(), accountId: 'alpha', merchantId: 'merchant-2', aggregateId: 'a', sequence: 1 },
    { _id: newId(), accountId: 'alpha', merchantId: null, aggregateId: 'b', sequence: 1 },
  ]);
  const owner = { environment: 'sandbox', accountId: 'alpha', merchantId: 'merchant-2', acquirerId: 'q' };
  await rows('virtual_accounts').insertOne({ _id: newId(), ...owner, cardHash: 'h' });
  await rows('card_transactions').insertOne({ _id: newId(), ...owner, transactionId: 't', cryptogramHash: 'h' });
  const book = { environment: 'sandbox', merchantId: 'merchant-2', currency: 'EUR', number: 1 };
  await rows('payouts').insertOne({ _id: newId(), accountId: 'alpha', ...book });
  await rows('payout_books').insertOne({ _id: 'sandbox:merchant-2:EUR', ...book });
  await rows('journal_entries').insertOne({ _id: newId(), accountId: 'alpha', ...book, serial: 1, day: '2026-03-01' });
  await rows('journal_days').insertMany([
    { _id: 'of a merchant', holder: 'sandbox:merchant:merchant-2', accountId: 'alpha' },
    { _id: 'of an account', holder: 'sandbox:account:alpha', accountId: 'alpha' },
  ]);
  await rows('journal_books').insertOne({ _id: 'sandbox:merchant-2:EUR', accountId: 'alpha', ...book });
  await rows('journal_terms').insertOne({
    _id: 'sandbox:merchant-2',
    environment: 'sandbox',
    merchantId: 'merchant-2',
  });
  await rows('payments').createIndex({ environment: 1, merchantId: 1, orderId: 1 }, { unique: true });
  await rows('contracts').createIndex({ environment: 1, merchantId: 1, contractId: 1 }, { unique: true });
  await rows('contracts').createIndex({ tokenHash: 1 }, { unique: true });
  await rows('events').createIndex({ aggregateId: 1, sequence: 1 }, { unique: true });
  await rows('virtual_accounts').createIndex(
    { environment: 1, acquirerId: 1, merchantId: 1, cardHash: 1 },
    { unique: true },
  );
  await rows('card_transactions').createIndex(
    { environment: 1, acquirerId: 1, merchantId: 1, transactionId: 1 },
    { unique: true },
  );
  await rows('card_transactions').createIndex({ cryptogramHash: 1 }, { unique: true });
  await rows('payouts').createIndex({ environment: 1, merchantId: 1, currency: 1, number: 1 }, { unique: true });
  await rows('journal_entries').createIndex(
    { environment: 1, merchantId: 1, currency: 1, serial: 1, day: 1 },
    { unique: true },
  );
  await rows('acquirer_calls').createIndex({ requestKey: 1 }, { unique: true, sparse: true });
});
afterEach(() => stores.close());

const uniqueLeft = async (name: string) => (await rows(name).indexes()).filter((index) => index.unique);

test('all of them, and calls by their payments; what has one keeps it; a second time there is nothing to do', async () => {
  await rows('payments').insertOne({ _id: newId(), merchantId: 'merchant-1', slot: 7 });
  const done = await giveAllSlots(database());
  expect(done.filter(({ given, dropped }) => given + dropped.length > 0)).toEqual([
    { name: 'payments', given: count, left: 0, dropped: ['environment_1_merchantId_1_orderId_1'] },
    { name: 'contracts', given: 1, left: 0, dropped: ['environment_1_merchantId_1_contractId_1', 'tokenHash_1'] },
    { name: 'events', given: 2, left: 0, dropped: ['aggregateId_1_sequence_1'] },
    {
      name: 'virtual_accounts',
      given: 1,
      left: 0,
      dropped: ['environment_1_acquirerId_1_merchantId_1_cardHash_1'],
    },
    {
      name: 'card_transactions',
      given: 1,
      left: 0,
      dropped: ['environment_1_acquirerId_1_merchantId_1_transactionId_1', 'cryptogramHash_1'],
    },
    { name: 'payouts', given: 1, left: 0, dropped: ['environment_1_merchantId_1_currency_1_number_1'] },
    { name: 'payout_books', given: 1, left: 0, dropped: [] },
    {
      name: 'journal_entries',
      given: 1,
      left: 0,
      dropped: ['environment_1_merchantId_1_currency_1_serial_1_day_1'],
    },
    { name: 'journal_days', given: 2, left: 0, dropped: [] },
    { name: 'journal_books', given: 1, left: 0, dropped: [] },
    { name: 'journal_terms', given: 1, left: 0, dropped: [] },
    { name: 'acquirer_calls', given: 5, left: 0, dropped: ['requestKey_1'] },
  ]);
  const payments = await rows('payments')
    .find({ slot: { $ne: 7 } })
    .toArray();
  const wrong = payments.filter(
    ({ slot, merchantId }) => slot !== slotOf({ merchantId: String(merchantId), accountId: 'alpha' }),
  );
  expect([payments.length, wrong]).toEqual([count, []]);
  const ofEvents = await rows('events').find().sort({ aggregateId: 1 }).toArray();
  expect(ofEvents.map(({ slot }) => slot)).toEqual(
    ['merchant-2', null].map((merchantId) => slotOf({ merchantId, accountId: 'alpha' })),
  );
  const ofDays = await rows('journal_days').find().sort({ _id: 1 }).toArray();
  expect(ofDays.map(({ slot }) => slot)).toEqual(
    ['merchant-2', null].map((merchantId) => slotOf({ merchantId, accountId: 'alpha' })),
  );
  for (const call of await rows('acquirer_calls').find().toArray())
    expect(call.slot).toBe((await rows('payments').findOne({ _id: String(call['paymentId']) }))?.slot);
  for (const { name } of shardedCollections.filter(({ formerUnique }) => formerUnique.length > 0))
    expect([name, await uniqueLeft(name)]).toEqual([name, []]);
  const again = await giveAllSlots(database());
  expect(again.map(({ given, left, dropped }) => given + left + dropped.length)).toEqual(again.map(() => 0));
});

test('while others write: what comes meanwhile without a slot gets one too', async () => {
  let isOver = false;
  const writing = (async () => {
    for (let index = 0; !isOver; index += 1)
      await rows('payments').insertOne({ _id: newId(), merchantId: ofMerchant(index), orderId: `later ${index}` });
  })();
  const [first] = await giveAllSlots(database()).finally(() => {
    isOver = true;
  });
  await writing;
  expect(first?.given).toBeGreaterThanOrEqual(count);
  // Whoever still adds such is told by what the second walk found; the index stays for them.
  if (first?.left) expect(await uniqueLeft('payments')).toHaveLength(1);
  await giveAllSlots(database());
  expect(await rows('payments').countDocuments({ slot: null } as object)).toBe(0);
});

test('a key of a repeated request does not tell whose it is, and ends within a day: it is told and left', async () => {
  await rows('idempotency_keys').insertMany([{ _id: 'of before' }, { _id: 'of now', slot: 3 }]);
  const done = await giveAllSlots(database());
  expect(done.find(({ name }) => name === 'idempotency_keys')).toMatchObject({ given: 0, left: 1 });
  expect(await rows('idempotency_keys').findOne({ _id: 'of before' })).toEqual({ _id: 'of before' });
});

test('a callback lies where its endpoint is: it is given none', async () => {
  await rows('deliveries').insertOne({ _id: 'of before', merchantId: 'merchant-1', endpointId: 'e', eventId: 'v' });
  expect((await giveAllSlots(database())).map(({ name }) => name)).not.toContain('deliveries');
  expect((await rows('deliveries').findOne({ _id: 'of before' }))?.slot).toBeUndefined();
});

test('a call whose payment is gone is left, and so is the index that holds it', async () => {
  await rows('acquirer_calls').insertOne({ _id: newId(), paymentId: newId(), requestKey: 'lost' });
  const done = await giveAllSlots(database());
  expect(done.find(({ name }) => name === 'acquirer_calls')).toEqual({
    name: 'acquirer_calls',
    given: 5,
    left: 1,
    dropped: [],
  });
  expect(await uniqueLeft('acquirer_calls')).toHaveLength(1);
});
