// The collections that are ready to be cut into shards, nearly all of them by the slot. Every filter on them names what they are cut by, and every unique index begins with it.

/** How documents are put on shards: what has the same key, or a key (its hash, where it is hashed) between the ends of one range, lies on one shard. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** Ranges of slots: all of a slot lies on one shard. */
const slotKey: ShardKey = { slot: 1 };

export interface ShardedCollection {
  name: string;
  /** Absent: by the slot. Of another key no document needs a slot, and ranges of slots say nothing about it. */
  ownKey?: ShardKey;
  /** Unique, of all its documents, and begins with the key: MongoDB wants an index that does, and where there is none makes one more, of the key alone. */
  index?: ShardKey;
  /** Unique indexes of releases before, which did not begin with the slot: they hold until every document has one. */
  formerUnique: readonly string[];
  /** What has no slot ends by itself within a day, and does not tell whose it is: it is given none. */
  isPassing?: true;
  /** Where the merchant stands, found by this field; absent: in the document itself. */
  owner?: { collection: string; field: string };
  /** Whose it is says this field, as `slotOfHolder` reads it. */
  holder?: string;
}

/** Sums are added to by their ids, once for each event, and read by people: spread evenly, and without a second field that each addition would have to be found by. */
const idKey: ShardKey = { _id: 'hashed' };

export function shardKeyOf({ ownKey }: Pick<ShardedCollection, 'ownKey'>): ShardKey {
  return ownKey ?? slotKey;
}

export const shardedCollections: readonly ShardedCollection[] = [
  { name: 'payments', formerUnique: ['environment_1_merchantId_1_orderId_1'] },
  { name: 'operations', formerUnique: [] },
  { name: 'checkout_sessions', formerUnique: [] },
  { name: 'card_entries', formerUnique: [], owner: { collection: 'checkout_sessions', field: '_id' } },
  {
    name: 'contracts',
    index: { slot: 1, environment: 1, merchantId: 1, contractId: 1 },
    formerUnique: ['environment_1_merchantId_1_contractId_1', 'tokenHash_1'],
  },
  { name: 'events', index: { slot: 1, aggregateId: 1, sequence: 1 }, formerUnique: ['aggregateId_1_sequence_1'] },
  {
    name: 'virtual_accounts',
    formerUnique: ['environment_1_acquirerId_1_merchantId_1_cardHash_1'],
  },
  {
    name: 'card_transactions',
    index: { slot: 1, environment: 1, acquirerId: 1, merchantId: 1, transactionId: 1 },
    formerUnique: ['environment_1_acquirerId_1_merchantId_1_transactionId_1', 'cryptogramHash_1'],
  },
  { name: 'provisioning_intents', formerUnique: [] },
  { name: 'idempotency_keys', formerUnique: [], isPassing: true },
  {
    name: 'payouts',
    index: { slot: 1, environment: 1, merchantId: 1, currency: 1, number: 1 },
    formerUnique: ['environment_1_merchantId_1_currency_1_number_1'],
  },
  { name: 'payout_books', formerUnique: [] },
  { name: 'journal_entries', formerUnique: ['environment_1_merchantId_1_currency_1_serial_1_day_1'] },
  { name: 'journal_days', formerUnique: [], holder: 'holder' },
  { name: 'journal_books', formerUnique: [] },
  { name: 'journal_terms', formerUnique: [] },
  { name: 'acquirer_calls', formerUnique: ['requestKey_1'], owner: { collection: 'payments', field: 'paymentId' } },
  {
    name: 'deliveries',
    ownKey: { endpointId: 1, eventId: 1 },
    index: { endpointId: 1, eventId: 1, address: 1 },
    formerUnique: [],
  },
  { name: 'metric_sums', ownKey: idKey, formerUnique: [] },
  { name: 'metric_callbacks', ownKey: idKey, formerUnique: [] },
];

/** Those whose documents lie where their slots do. */
export const slottedCollections = shardedCollections.filter(({ ownKey }) => ownKey === undefined);
