// What the database did for something, by its profiler, and whether it read too much for it.
import { newId } from '../../subgraphs/shared/ids';
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
  command: {
    maxTimeMS?: number;
    find?: string;
    aggregate?: string;
    count?: string;
    distinct?: string;
    limit?: number;
    hint?: unknown;
    comment?: string;
  };
}

/** Documents or keys that a command may read for each of a page, and besides. */
const allowance = { perRow: 4, perCounted: 2, besides: 40 };
/** How many operations of a merchant are looked at now and then, for the choice of an index. */
const surveyed = 4_000;

/** What `act` resolved with, and the reads that it made. The profiler stays on: to begin its collection anew for each question costs more than the question. */
export async function profiled<Result>(
  { connection, databaseName }: Pick<Stores, 'connection' | 'databaseName'>,
  act: () => Promise<Result>,
): Promise<{ result: Result; reads: Profiled[] }> {
  const database = connection.db;
  if (!database) throw new Error('the connection is not open');
  await database.command({ profile: 2 });
  const comment = newId();
  await database.command({ find: 'nothing', limit: 1, comment });
  const result = await act();
  const latestFirst = database
    .collection<Profiled>('system.profile')
    .find({ ns: { $ne: `${databaseName}.system.profile` }, op: { $in: ['query', 'command'] } })
    .sort({ $natural: -1 })
    .batchSize(20);
  const made: Profiled[] = [];
  for await (const row of latestFirst) {
    if (row.command.comment === comment)
      return { result, reads: made.filter((each) => isRead(each) && !isSurvey(each)).reverse() };
    made.push(row);
  }
  throw new Error('the profiler has forgotten where it began');
}

const isRead = ({ command }: Profiled) =>
  Boolean(command.find ?? command.aggregate ?? command.count ?? command.distinct);

/** The survey of a merchant's operations is bounded by itself, and shared by all lists of half a minute. */
function isSurvey({ command: { limit, hint, aggregate } }: Profiled): boolean {
  return limit === surveyed || (aggregate === 'operations' && hint === 'ofMerchantByProfile');
}

/** Null, or what is wrong; `isBounded`: no collection is scanned, and the database ends it in time. */
export function wrongWith(
  { ns, planSummary = '', keysExamined = 0, docsExamined = 0, nreturned = 0, hasSortStage, command }: Profiled,
  { size, counted = 0, sums = 0 }: { size: number; counted?: number | undefined; sums?: number | undefined },
): { text: string; isBounded: boolean } | null {
  const most = Math.max(keysExamined, docsExamined);
  const isScan = planSummary.includes('COLLSCAN');
  // A page of children comes in one row of its parent.
  const rows = command.aggregate ? Math.max(nreturned, size + 1) : nreturned;
  const allowed = Math.max(allowance.perRow * rows, allowance.perCounted * counted) + allowance.besides;
  if (!isScan && most <= Math.max(allowed, sums)) return null;
  const text = `${ns.split('.').slice(1).join('.')} ${planSummary} reads ${most} for ${nreturned}${hasSortStage ? ' and sorts' : ''}`;
  return { text, isBounded: !isScan && command.maxTimeMS !== undefined };
}
