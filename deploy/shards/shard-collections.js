// Makes two shards known to mongos and cuts the collections that are ready for it by slot, or by a key of their own, before anything is in them; run by mongosh, and harmless a second time.
const database = 'payments';
const slotCount = 1024;
const shards = ['shard-1', 'shard-2'];
/** Of the slot, with the index of `prepare` that begins with it and holds all documents, where there is one: without such an index MongoDB would make another, of the key alone. */
const bySlot = {
  payments: null, operations: null, checkout_sessions: null, card_entries: null,
  contracts: { slot: 1, environment: 1, merchantId: 1, contractId: 1 },
  events: { slot: 1, aggregateId: 1, sequence: 1 },
  virtual_accounts: null,
  card_transactions: { slot: 1, environment: 1, acquirerId: 1, merchantId: 1, transactionId: 1 },
  provisioning_intents: null, idempotency_keys: null,
  payouts: { slot: 1, environment: 1, merchantId: 1, currency: 1, number: 1 },
  payout_books: null, journal_entries: null, journal_days: null, journal_books: null, journal_terms: null,
  acquirer_calls: null,
};
/** By what is no slot: MongoDB itself spreads them as they grow, so no zone says where they lie. */
const ofOwnKey = {
  deliveries: { key: { endpointId: 1, eventId: 1 }, index: { endpointId: 1, eventId: 1, address: 1 } },
  metric_sums: { key: { _id: 'hashed' }, index: null },
  metric_callbacks: { key: { _id: 'hashed' }, index: null },
};

/** As `prepare` makes a collection: its blocks and its indexes in a smaller form. */
const zstd = { storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } } };
const present = db.getSiblingDB(database).getCollectionNames();
const endOf = (index, outermost) => ({ slot: outermost ?? (index * slotCount) / shards.length });

for (const [index, shard] of shards.entries()) {
  sh.addShard(`${shard}/${shard}:27017`);
  sh.addShardToZone(shard, `slots-${index + 1}`);
}
sh.enableSharding(database, shards[0]);
const cut = (name, key, index) => {
  if (index) db.getSiblingDB(database).getCollection(name).createIndex(index, { unique: true });
  sh.shardCollection(`${database}.${name}`, key);
};
const make = (name) =>
  present.includes(name) ||
  db.getSiblingDB(database).createCollection(name, { ...zstd, indexOptionDefaults: zstd });
for (const [name, index] of Object.entries(bySlot)) {
  make(name);
  for (const number of shards.keys()) {
    const from = endOf(number, number === 0 ? MinKey() : undefined);
    const to = endOf(number + 1, number + 1 === shards.length ? MaxKey() : undefined);
    sh.updateZoneKeyRange(`${database}.${name}`, from, to, `slots-${number + 1}`);
  }
  cut(name, { slot: 1 }, index);
}
for (const [name, { key, index }] of Object.entries(ofOwnKey)) {
  make(name);
  cut(name, key, index);
}
