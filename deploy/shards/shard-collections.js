// Makes two shards known to mongos and cuts the collections that are ready for it by slot, before anything is in them; run by mongosh, and harmless a second time.
const database = 'payments';
const slotCount = 1024;
const shards = ['shard-1', 'shard-2'];
const collections = ['payments', 'operations', 'checkout_sessions', 'card_entries', 'contracts', 'events',
  'virtual_accounts', 'card_transactions', 'provisioning_intents', 'idempotency_keys', 'payouts', 'payout_books',
  'journal_entries', 'journal_days', 'journal_books', 'journal_terms', 'acquirer_calls'];

/** As `prepare` makes a collection: its blocks and its indexes in a smaller form. */
const zstd = { storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } } };
const present = db.getSiblingDB(database).getCollectionNames();
const endOf = (index, outermost) => ({ slot: outermost ?? (index * slotCount) / shards.length });

for (const [index, shard] of shards.entries()) {
  sh.addShard(`${shard}/${shard}:27017`);
  sh.addShardToZone(shard, `slots-${index + 1}`);
}
sh.enableSharding(database, shards[0]);
for (const name of collections) {
  if (!present.includes(name))
    db.getSiblingDB(database).createCollection(name, { ...zstd, indexOptionDefaults: zstd });
  for (const index of shards.keys()) {
    const from = endOf(index, index === 0 ? MinKey() : undefined);
    const to = endOf(index + 1, index + 1 === shards.length ? MaxKey() : undefined);
    sh.updateZoneKeyRange(`${database}.${name}`, from, to, `slots-${index + 1}`);
  }
  sh.shardCollection(`${database}.${name}`, { slot: 1 });
}
