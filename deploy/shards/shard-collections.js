// Makes two shards known to mongos and cuts the collections that are ready for it by slot, or by a key of their own, before anything is in them; run by mongosh, and harmless a second time.
const database = 'payments';
const slotCount = 1024;
const shards = ['shard-1', 'shard-2'];
const collections = ['payments', 'operations', 'checkout_sessions', 'card_entries', 'contracts', 'events',
  'virtual_accounts', 'card_transactions', 'provisioning_intents', 'idempotency_keys', 'payouts', 'payout_books',
  'journal_entries', 'journal_days', 'journal_books', 'journal_terms', 'acquirer_calls'];
/** By what is no slot: MongoDB itself spreads them as they grow, so no zone says where they lie. The index, where there is one, is that which `prepare` makes. */
const ofOwnKey = {
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
const make = (name) =>
  present.includes(name) ||
  db.getSiblingDB(database).createCollection(name, { ...zstd, indexOptionDefaults: zstd });
for (const name of collections) {
  make(name);
  for (const index of shards.keys()) {
    const from = endOf(index, index === 0 ? MinKey() : undefined);
    const to = endOf(index + 1, index + 1 === shards.length ? MaxKey() : undefined);
    sh.updateZoneKeyRange(`${database}.${name}`, from, to, `slots-${index + 1}`);
  }
  sh.shardCollection(`${database}.${name}`, { slot: 1 });
}
for (const [name, { key, index }] of Object.entries(ofOwnKey)) {
  make(name);
  // Without one that begins with the key MongoDB would make another, of the key alone.
  if (index) db.getSiblingDB(database).getCollection(name).createIndex(index, { unique: true });
  sh.shardCollection(`${database}.${name}`, key);
}
