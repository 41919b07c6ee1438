// Makes two shards known to mongos and cuts the collections that are ready for it by slot, or by a key of their own, before anything is in them; run by mongosh, and harmless a second time.
const database = 'payments';
const slotCount = 1024;
const shards = ['shard-1', 'shard-2'];
/**
 * By the slot, but for those with a `key` of their own, which MongoDB itself spreads as they grow, so that no zone says where they lie. `index`: that of `prepare` which begins
 * with the key and holds all documents; without one MongoDB makes another, of the key alone.
 */
const collections = {
  payments: {}, operations: {}, checkout_sessions: {}, card_entries: {},
  contracts: { index: { slot: 1, environment: 1, merchantId: 1, contractId: 1 } },
  events: { index: { slot: 1, aggregateId: 1, sequence: 1 } },
  virtual_accounts: {},
  card_transactions: { index: { slot: 1, environment: 1, acquirerId: 1, merchantId: 1, transactionId: 1 } },
  provisioning_intents: {}, idempotency_keys: {},
  payouts: { index: { slot: 1, environment: 1, merchantId: 1, currency: 1, number: 1 } },
  payout_books: {}, journal_entries: {}, journal_days: {}, journal_books: {}, journal_terms: {}, acquirer_calls: {},
  deliveries: { key: { endpointId: 1, eventId: 1 }, index: { endpointId: 1, eventId: 1, address: 1 } },
  metric_sums: { key: { _id: 'hashed' } },
  metric_callbacks: { key: { _id: 'hashed' } },
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
for (const [name, { key, index }] of Object.entries(collections)) {
  if (!present.includes(name))
    db.getSiblingDB(database).createCollection(name, { ...zstd, indexOptionDefaults: zstd });
  for (const number of key ? [] : shards.keys()) {
    const from = endOf(number, number === 0 ? MinKey() : undefined);
    const to = endOf(number + 1, number + 1 === shards.length ? MaxKey() : undefined);
    sh.updateZoneKeyRange(`${database}.${name}`, from, to, `slots-${number + 1}`);
  }
  if (index) db.getSiblingDB(database).getCollection(name).createIndex(index, { unique: true });
  sh.shardCollection(`${database}.${name}`, key ?? { slot: 1 });
}
