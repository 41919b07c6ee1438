// The operations query over a million stored operations while operations are written: every filter alone and in pairs, every order, deep pages, against a find by id.
// BENCH_DATA_DIR names a folder that keeps the stored operations from one run to the next; BENCH_OPERATIONS says how many.
import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import type { Benchmark, Case, Goal, Sample } from '../support/benchmark';
import { type Served, sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { median } from '../support/statistics';
import { filterValues, orders, pairsOfFilters, type Query, singleFilters } from './queries';
import { type Owner, operationOf, storeOperations } from './stored-operations';

const stored = Number(process.env['BENCH_OPERATIONS'] ?? 1_000_000);
const keptDataDir = process.env['BENCH_DATA_DIR'];
const processes = 2;
const inFlight = 2;
const writesPerSecond = 100;
const byId = 'find by id';

const goals: Goal[] = [
  ...['filters alone', 'filters in pairs', 'orders'].map((of) => ({
    metric: 'p99Ms' as const,
    of,
    against: byId,
    atMost: 3,
  })),
  { metric: 'p99Ms', of: 'page 1,000', against: 'page 1', atMost: 3 },
  { metric: 'p50Ms', of: 'page 1,000', against: 'page 1', atMost: 3 },
];

export const benchmark: Benchmark = {
  title: `operations query over ${stored.toLocaleString('en')} operations, ${inFlight} in flight, ${writesPerSecond} written per second`,
  async open() {
    const product = await startProduct({ processes, env: keptDataDir ? { DATA_DIR: keptDataDir } : {} });
    const database = product.database.db('payments');
    const collection = database.collection('operations');
    const owner = ownerOf(product);
    const { isLoaded, loadSeconds } = await load(collection, owner);
    const ids = await someIds(collection);
    const values = { ...filterValues(ids[0] ?? ''), terminalId: owner.terminalIds[1] ?? '' };
    const all = [...singleFilters(values), ...pairsOfFilters(values), ...orders()];
    const explained = await explain(database, all, (query) => ask(product, `/api/v1/operations?${query}`));
    const scans = explained.filter(({ isScan }) => isScan).map(({ name }) => name);
    if (scans.length > 0) throw new Error(`these queries scan the collection: ${scans.join(', ')}`);
    const writing = startWriting(collection, owner);
    const send = (query: string) => ask(product, `/api/v1/operations?${query}`);
    const listing = (name: string, queries: Query[]) =>
      queryCase({ name, kind: 'product', served: product, send }, queries);
    // By the driver: this process does the work.
    const driver = { pids: [process.pid], databasePids: product.databasePids };
    return {
      cases: [
        findById(
          {
            name: 'find by id by the driver alone',
            kind: 'limit',
            served: driver,
            send: (id) => collection.findOne({ _id: id as never }),
          },
          ids,
        ),
        findById(
          { name: byId, kind: 'peer', served: product, send: (id) => ask(product, `/api/v1/operations/${id}`) },
          ids,
        ),
        queryCase(
          {
            name: 'find and exact count by the driver',
            kind: 'ordinary',
            served: driver,
            send: (query) => plainList(collection, owner, query),
          },
          singleFilters(values),
        ),
        listing('filters alone', singleFilters(values)),
        listing('filters in pairs', pairsOfFilters(values)),
        listing('orders', orders()),
        listing('page 1', [{ name: 'page 1', query: 'pageNumber=0' }]),
        listing('page 1,000', [{ name: 'page 1,000', query: 'pageNumber=999' }]),
      ],
      reference: byId,
      goals,
      facts: [
        `${all.length} distinct queries were explained by the database's profiler: none scans the collection`,
        dearest(explained),
        isLoaded
          ? `${stored.toLocaleString('en')} operations were stored and indexed in ${loadSeconds.toFixed(0)} s`
          : `the operations of an earlier run were used`,
      ],
      async close() {
        await writing.stop();
        await product.stop();
      },
    };
  },
};

async function load(collection: Collection, owner: Owner) {
  const from = performance.now();
  const isLoaded = await storeOperations(collection, owner, stored);
  return { isLoaded, loadSeconds: (performance.now() - from) / 1_000 };
}

function ownerOf({ credentials }: Product): Owner {
  const { merchantId, checkout } = credentials.tenants.alpha;
  const terminalIds = [checkout.implicit.terminalId, checkout.explicit.terminalId];
  return { environment: 'sandbox', accountId: 'alpha', merchantId, terminalIds };
}

async function someIds(collection: Collection): Promise<string[]> {
  const found = await collection.aggregate([{ $sample: { size: 1_000 } }, { $project: { _id: 1 } }]).toArray();
  return found.map(({ _id }) => _id);
}

async function ask({ credentials }: Product, path: string): Promise<void> {
  const headers = { 'X-API-KEY': credentials.tenants.alpha.checkout.explicit.apiKey, 'Correlation-Id': randomUUID() };
  const answer = await fetch(`${credentials.urls.rest}${path}`, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
}

interface Asked {
  name: string;
  kind: Case['kind'];
  served: Served;
  send(what: string): Promise<unknown>;
}

function findById({ name, kind, served, send }: Asked, ids: readonly string[]): Case {
  let index = 0;
  return {
    name,
    kind,
    measure: (seconds) => sampleServed(served, inFlight, seconds, () => send(ids[index++ % ids.length] ?? '')),
  };
}

/** Goes round all queries; the slowest ones by their own medians are named, since one of a hundred hides in a common p99. */
function queryCase({ name, kind, served, send }: Asked, queries: readonly Query[]): Case {
  let index = 0;
  return {
    name,
    kind,
    async measure(seconds): Promise<Sample> {
      const own = new Map<string, number[]>();
      const sample = await sampleServed(served, inFlight, seconds, () => {
        const each = queries[index++ % queries.length] as Query;
        const from = performance.now();
        return send(each.query).then(() =>
          own.set(each.name, [...(own.get(each.name) ?? []), performance.now() - from]),
        );
      });
      const slowest = [...own]
        .map(([query, ms]) => ({ query, ms: median(ms) }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, 3);
      if (queries.length > 1)
        console.log(
          `    slowest medians: ${slowest.map(({ query, ms }) => `${query} ${ms.toFixed(1)} ms`).join(', ')}`,
        );
      return { ...sample, extra: { slowestP50Ms: slowest[0]?.ms ?? 0 } };
    },
  };
}

/** How it is usually written: one index on owner and time, a find, and a count of everything that fits. */
async function plainList(collection: Collection, owner: Owner, query: string): Promise<void> {
  const names: Record<string, string> = {
    operationType: 'type',
    status: 'result',
    paymentMethod: 'method',
    paymentCircuit: 'circuit',
    operationId: '_id',
  };
  const given = [...new URLSearchParams(query)].filter(([name]) => !/Time$|Amount$|Qty$/.test(name));
  const filter = {
    merchantId: owner.merchantId,
    ...Object.fromEntries(given.map(([name, value]) => [names[name] ?? name, value])),
  };
  await Promise.all([
    collection.find(filter).sort({ time: -1 }).limit(20).toArray(),
    collection.countDocuments(filter),
  ]);
}

interface Explained {
  name: string;
  isScan: boolean;
  /** Index entries and operations read for the page and its count together. */
  keys: number;
  documents: number;
}

/** Sends each query once under the database's profiler: what it reads does not depend on how busy the machine is. */
async function explain(
  database: Db,
  queries: readonly Query[],
  send: (query: string) => Promise<void>,
): Promise<Explained[]> {
  const explained: Explained[] = [];
  const profile = database.collection('system.profile');
  for (const { name, query } of queries) {
    await database.command({ profile: 2 });
    await send(query);
    await database.command({ profile: 0 });
    const rows = await profile.find({ ns: `${database.databaseName}.operations` }).toArray();
    const sum = (member: string) => rows.reduce((total, row) => total + (row[member] ?? 0), 0);
    const isScan = rows.some(({ planSummary }) => String(planSummary).includes('COLLSCAN'));
    explained.push({ name, isScan, keys: sum('keysExamined'), documents: sum('docsExamined') });
    await profile.drop();
  }
  return explained;
}

/** What the dearest queries read. */
function dearest(explained: readonly Explained[]): string {
  const sorted = [...explained].sort((a, b) => b.keys - a.keys);
  const print = ({ name, keys, documents }: Explained) => `${name} ${keys}/${documents}`;
  const middle = sorted[sorted.length >> 1] as Explained;
  return `index entries/operations read by one query: ${sorted.slice(0, 5).map(print).join(', ')}; the middle one ${print(middle)}`;
}

function startWriting(collection: Collection, owner: Owner): { stop(): Promise<void> } {
  let index = stored;
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = collection
      .insertOne(operationOf(owner, index++, new Date()))
      .catch((error: Error) => console.error(error.message));
  }, 1_000 / writesPerSecond);
  return {
    async stop() {
      clearInterval(timer);
      await last;
    },
  };
}
