// Unique indexes of the collections that are ready for shards: each begins with the shard key, so that a shard can hold it alone; ids are random, which needs no index over all.
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { createJournalRepository } from '../../subgraphs/reporting/journal/journal.repository';
import { createCallbackSumRepository } from '../../subgraphs/reporting/metrics/callback-sum.repository';
import { createRollUpRepository } from '../../subgraphs/reporting/metrics/roll-up.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { isUuid, slotOfId } from '../../subgraphs/shared/ids';
import { shardedCollections, shardKeyOf } from '../../subgraphs/shared/store/sharded-collections';
import { createProvisioningIntentRepository } from '../../subgraphs/tokenization/tokens/provisioning-intent.repository';
import { createVirtualAccountRepository } from '../../subgraphs/tokenization/tokens/virtual-account.repository';
import { createCardTransactionRepository } from '../../subgraphs/tokenization/transactions/card-transaction.repository';
import { type CheckoutWorld, card, openCheckoutWorld } from '../payments/checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
  const { product } = world.stores;
  await createEventLogRepository(product).prepare(1);
  const tokenization = [
    createVirtualAccountRepository(product),
    createCardTransactionRepository(product),
    createProvisioningIntentRepository(product),
  ];
  const keys = createIdempotent({ connection: product, clock: world.clock, vault: world.vault });
  const payouts = createPayoutRepository(product);
  await createJournalRepository(product).prepare('sandbox');
  await createRollUpRepository(product).prepare();
  const more = [createCallbackRepository(product), createCallbackSumRepository(product)];
  for (const repository of [...tokenization, keys, payouts, ...more]) await repository.ensureIndexes();
});
afterAll(() => world?.close());

const indexesOf = (name: string) => world.stores.connection.collection(name).indexes();

test.each(shardedCollections)('$name', async ({ name, formerUnique, ownKey, index: ofKey }) => {
  const unique = (await indexesOf(name)).filter((index) => index.unique);
  const begin = JSON.stringify(Object.entries(shardKeyOf({ ownKey })));
  const others = unique.filter(({ key }) => !JSON.stringify(Object.entries(key)).startsWith(begin.slice(0, -1)));
  expect(others).toEqual([]);
  const whole = unique.filter(({ partialFilterExpression, sparse }) => !partialFilterExpression && !sparse);
  expect(whole.map(({ key }) => key)).toEqual(ofKey ? [ofKey] : []);
  const names = (await indexesOf(name)).map((index) => index.name);
  expect(names.filter((index) => formerUnique.includes(String(index)))).toEqual([]);
});

test('what must be there once is refused within its slot, or at its endpoint', async () => {
  const unique = await Promise.all(shardedCollections.map(async ({ name }) => [name, await indexesOf(name)] as const));
  const kept = unique.flatMap(([name, indexes]) =>
    indexes.filter((index) => index.unique).map(({ key }) => `${name}: ${Object.keys(key).join(', ')}`),
  );
  expect(kept).toEqual([
    'payments: slot, environment, merchantId, orderId',
    'contracts: slot, environment, merchantId, contractId',
    'events: slot, aggregateId, sequence',
    'virtual_accounts: slot, environment, acquirerId, merchantId, cardHash',
    'card_transactions: slot, environment, acquirerId, merchantId, transactionId',
    'card_transactions: slot, cryptogramHash',
    'payouts: slot, environment, merchantId, currency, number',
    'journal_entries: slot, environment, merchantId, currency, serial, day',
    'acquirer_calls: slot, requestKey',
    'deliveries: endpointId, eventId, address',
  ]);
});

test('two documents never have one id, on whatever shards they are: ids are random, tell their slot, and nobody else chooses them', async () => {
  const { data } = await world.build({}, {}, { caller: world.explicit });
  await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card('4000000000000077') });
  await world.run('FinalizeCheckout', { sessionId: data.sessionId }, { caller: world.explicit });
  for (const name of ['payments', 'operations', 'checkout_sessions', 'card_entries', 'acquirer_calls', 'events']) {
    const [found] = await world.documents(name);
    expect([name, isUuid(found?._id), found?.slot]).toEqual([name, true, expect.any(Number)]);
    // A card's entry has the id of its session.
    expect([name, slotOfId(found?._id)]).toEqual([name, found?.slot]);
  }
});
