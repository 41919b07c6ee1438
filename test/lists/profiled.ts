// What the database did for something, by its profiler, and whether it read too much for it.
import type { Stores } from '../support/stores';

/** One command as the profiler writes it down. */
export interface Profiled {
  ns: string;
  op: string;
  planSummary?: string;
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
  hasSortStage?: boolean;
  command: { maxTimeMS?: number; find?: string; aggregate?: string; count?: string; limit?: number; hint?: unknown };
}

/** Documents or keys that a command may read for each of a page, and besides. */
const reads = { perRow: 4, besides: 40 };
/** How many operations of a merchant are looked at now and then, for the choice of an index. */
const surveyed = 4_000;

/** The reads that `act` made. */
export async function profiled(
  { connection, databaseName }: Pick<Stores, 'connection' | 'databaseName'>,
  act: () => Promise<unknown>,
): Promise<Profiled[]> {
  const database = connection.db;
  if (!database) throw new Error('the connection is not open');
  await database.command({ profile: 2 });
  await act();
  await database.command({ profile: 0 });
  const rows = await database
    .collection('system.profile')
    .find({ ns: { $ne: `${databaseName}.system.profile` }, op: { $in: ['query', 'command'] } })
    .toArray();
  await database.dropCollection('system.profile');
  const isRead = ({ command }: Profiled) => Boolean(command.find ?? command.aggregate ?? command.count);
  return (rows as unknown as Profiled[]).filter((row) => isRead(row) && !isSurvey(row));
}

/** The survey of a merchant's operations is bounded by itself, and shared by all lists of half a minute. */
function isSurvey({ command: { limit, hint, aggregate } }: Profiled): boolean {
  return limit === surveyed || (aggregate === 'operations' && hint === 'ofMerchantByProfile');
}

/** Null, or what is wrong; `isBounded`: no collection is scanned, and the database ends it in time. */
export function wrongWith(
  { ns, planSummary = '', keysExamined = 0, docsExamined = 0, nreturned = 0, hasSortStage, command }: Profiled,
  { size, sums = 0 }: { size: number; sums?: number | undefined },
): { text: string; isBounded: boolean } | null {
  const most = Math.max(keysExamined, docsExamined);
  const isScan = planSummary.includes('COLLSCAN');
  // A page of children comes in one row of its parent.
  const rows = command.aggregate ? Math.max(nreturned, size + 1) : nreturned;
  if (!isScan && most <= Math.max(reads.perRow * rows + reads.besides, sums)) return null;
  const text = `${ns.split('.').slice(1).join('.')} ${planSummary} reads ${most} for ${nreturned}${hasSortStage ? ' and sorts' : ''}`;
  return { text, isBounded: !isScan && command.maxTimeMS !== undefined };
}
