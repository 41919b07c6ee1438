// What a database holds, as one short text for each collection: equal before and after means that no call has written anything.
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';

/** What the workers write, sooner or later, whether somebody calls or not. */
const ofWorkers: ReadonlySet<string> = new Set([
  'leases',
  'callback_endpoints',
  'deliveries',
  'received_callbacks',
  'mails',
  'settlement_schedule',
  'journal_entries',
  'journal_days',
  'journal_books',
  'journal_state',
  'audit_waiting',
  'audit_chain',
  'audit_heads',
  'event_lanes',
  'event_segments',
]);

/** Neither a refused call nor a look changes anything, but both are kept, and of a look the log tells. */
const ofChanges: Readonly<Record<string, object>> = {
  audit: { action: { $not: /\.(refused|throttled|shown)$/ } },
  events: { 'data.action': { $not: /\.shown$/ } },
};

export async function databasePrint({ db }: Pick<Connection, 'db'>): Promise<Record<string, string>> {
  if (!db) throw new Error('the connection is not open');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const printed = names
    .filter((name) => !ofWorkers.has(name))
    .sort()
    .map(async (name) => {
      // The place of an event in the log is given by a worker.
      const documents = await db
        .collection(name)
        .find(ofChanges[name] ?? {}, { projection: { position: 0 } })
        .sort({ _id: 1 })
        .toArray();
      const hash = createHash('sha256').update(JSON.stringify(documents)).digest('hex').slice(0, 16);
      return [name, `${documents.length} ${hash}`] as const;
    });
  return Object.fromEntries(await Promise.all(printed));
}
