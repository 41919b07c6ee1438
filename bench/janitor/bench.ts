// What the platform does by itself: captures that are due, sessions that nobody touches any more, and the payouts of a day with many merchants.
import type { Collection, Db, Document, Filter } from 'mongodb';
import { dueDay } from '../../subgraphs/reporting/payouts/schedule.service';
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { countCpu } from '../support/cpu-count';
import { bookOf, openBooks, settle } from '../support/journal';
import { measureCalls } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { inTurn, openShops } from './shops';

/** Of each kind and round. */
const count = Number(process.env['BENCH_DUE'] ?? 5_000);
const bookCount = 10_000;
const processes = 2;
/** As many as there are processes, so that each works at all of it. */
const lanes = Number(process.env['BENCH_LANES'] ?? processes);
const preparing = 16;
const pollMs = 100;
const names = {
  captures: 'due captures',
  sessions: 'idle sessions',
  payouts: 'payouts of a day',
  night: 'payouts of a night',
};
/** One a round: a day is closed once. */
const days = ['2026-01-15', '2026-01-16', '2026-01-17', '2026-01-18', '2026-01-19', '2026-01-20'];

export const benchmark: Benchmark = {
  title: `the janitor: ${count} due captures, ${count} idle sessions, a day of ${bookCount} merchants`,
  async open() {
    const product = await startProduct({ processes, env: { LANES: String(lanes) } });
    const database = product.database.db('payments');
    const keys = await openShops(product, lanes);
    return {
      cases: [
        captures(product, database, keys),
        sessions(product, database, keys),
        payouts(product, database),
        night(product, database),
      ],
      reference: names.captures,
      goals: [
        { metric: 'rate', of: names.captures, atLeast: 1_000 },
        { metric: 'rate', of: names.sessions, atLeast: 1_000 },
        { metric: 'rate', of: names.payouts, atLeast: 5_000 },
        { metric: 'rate', of: names.night, atLeast: 5_000 },
      ],
      facts: [
        'captures and sessions are measured from when the first is seen dealt with, payouts from when the day is to be closed, until none is left',
        `${processes} processes, ${lanes} lanes; captures and sessions are of as many merchants in each lane`,
        'a day is closed by the lever, which is one call to one process, a night by the leaders of all lanes',
      ],
      close: () => product.stop(),
    };
  },
};

function captures(product: Product, database: Db, keys: readonly string[]): Case {
  const shop = inTurn(product, keys, { captureType: 'DEFERRED' });
  const payments = database.collection('payments');
  const due = { state: 'Authorized', captureDueAt: { $type: 'date' } } as const;
  return {
    name: names.captures,
    kind: 'product',
    pids: product.pids,
    async measure() {
      await many(async () => {
        const { build, pay } = shop();
        return pay(await build());
      });
      await payments.updateMany(due, { $set: { captureDueAt: new Date(0) } });
      const left = await begun(() => payments.countDocuments(due));
      return timed(product, async () => {
        await untilNone(payments, due);
        return left;
      });
    },
  };
}

function sessions(product: Product, database: Db, keys: readonly string[]): Case {
  const shop = inTurn(product, keys);
  const rows = database.collection('checkout_sessions');
  const open = { state: { $ne: 'PAYMENT_COMPLETE' } };
  return {
    name: names.sessions,
    kind: 'product',
    pids: product.pids,
    async measure() {
      await many(() => shop().build());
      await rows.updateMany(open, { $set: { touchedAt: new Date(0), idleCheckAt: new Date(0) } });
      const left = await begun(() => rows.countDocuments(open));
      return timed(product, async () => {
        await untilNone(rows, open);
        return left;
      });
    },
  };
}

function payouts(product: Product, database: Db): Case {
  const left = [...days];
  return {
    name: names.payouts,
    kind: 'product',
    pids: product.pids,
    async measure() {
      const day = left.shift();
      if (!day) throw new Error(`more than ${days.length} rounds`);
      await openBooks(database, bookOf(product, 'ISK', day), bookCount);
      return timed(product, async () => {
        await settle(product, day, bookCount);
        return bookCount;
      });
    },
  };
}

function night(product: Product, database: Db): Case {
  const made = database.collection('payouts');
  return {
    name: names.night,
    kind: 'product',
    pids: product.pids,
    async measure() {
      const date = dueDay(new Date());
      const ofDay = { environment: 'sandbox', date };
      const before = await made.countDocuments(ofDay);
      await openBooks(database, bookOf(product, 'NOK', date), bookCount);
      return timed(product, async () => {
        // As if the day had not been closed yet.
        await database.collection('settlement_schedule').deleteMany({});
        await until(async () => (await made.countDocuments(ofDay)) === before + bookCount);
        return bookCount;
      });
    },
  };
}

async function many(prepare: () => Promise<unknown>): Promise<void> {
  let left = count;
  await measureCalls(preparing, 600, () => (left-- > 0 ? prepare() : null));
}

/** Once the janitor, which looks every half second to five seconds, has begun: how many are left. */
async function begun(countLeft: () => Promise<number>): Promise<number> {
  let left = count;
  await until(async () => {
    left = await countLeft();
    return left < count;
  });
  if (left === 0) throw new Error('all were dealt with before one was seen so: BENCH_DUE wants to be more');
  return left;
}

function untilNone(collection: Collection, filter: Filter<Document>): Promise<void> {
  return until(async () => (await collection.findOne(filter, { projection: { _id: 1 } })) === null);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pollMs));
}

/** `run` resolves with how many it has seen done. */
async function timed({ pids, databasePids }: Product, run: () => Promise<number>): Promise<Sample> {
  const counted = countCpu(pids, databasePids);
  const from = performance.now();
  const done = await run();
  const seconds = (performance.now() - from) / 1_000;
  return { rate: done / seconds, ...counted(done) };
}
