// Closing a day of a million journal entries, against the rate at which this MongoDB inserts such entries. BENCH_ENTRIES says how many.
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Benchmark } from '../support/benchmark';
import { countCpu } from '../support/cpu-count';
import { bookOf, insertEntries, openBook, settle } from '../support/journal';
import { startProduct } from '../support/product';

const count = Number(process.env['BENCH_ENTRIES'] ?? 1_000_000);
/** Entries of the limit case, which needs no million to find its rate. */
const limitCount = Math.min(count, 50_000);
const day = '2026-01-15';
const limit = 'insert of entries';
/** One book a round; nothing else is booked in them. */
const currencies = ['AED', 'AFN', 'ALL', 'AMD', 'AOA', 'ARS', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BHD', 'BIF', 'BMD'];

export const benchmark: Benchmark = {
  title: `settlement of ${count.toLocaleString('en')} journal entries`,
  async open() {
    const product = await startProduct({ processes: 2 });
    const database = product.database.db('payments');
    const entries = database.collection('journal_entries');
    const scratch = database.collection('bench_entries');
    await scratch.createIndexes(
      (await entries.indexes()).map(({ key, unique, partialFilterExpression }) => ({
        key,
        ...withoutUndefined({ unique, partialFilterExpression }),
      })),
    );
    const left = [...currencies];
    return {
      cases: [
        {
          name: limit,
          kind: 'limit',
          async measure() {
            await scratch.deleteMany({});
            const counted = countCpu([process.pid], product.databasePids);
            const rate = await insertEntries(scratch, bookOf(product, 'XAF', day), limitCount);
            return { rate, ...counted(limitCount) };
          },
        },
        {
          name: 'settlement',
          kind: 'product',
          async measure() {
            const currency = left.shift();
            if (!currency) throw new Error(`more than ${currencies.length} rounds`);
            const book = bookOf(product, currency, day);
            await insertEntries(entries, book, count);
            await openBook(database, book, count);
            const counted = countCpu(product.pids, product.databasePids);
            const seconds = await settle(product, day);
            return { rate: count / seconds, ...counted(count), extra: { seconds } };
          },
        },
      ],
      reference: limit,
      goals: [{ metric: 'rate', of: 'settlement', against: limit, atLeast: 1 }],
      facts: ['entries are inserted with the indexes of the journal, majority and journal, 2,000 at once'],
      close: () => product.stop(),
    };
  },
};
