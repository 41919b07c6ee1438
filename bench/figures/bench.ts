// Questions about figures over the roll-ups of 10,000,000 operations, through the graph over HTTP; what is refused for its size is no case. BENCH_OPERATIONS and BENCH_LANES choose other numbers.
import type { Benchmark, Case } from '../support/benchmark';
import { sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { seedRollUps } from './roll-ups';

const operations = Number(process.env['BENCH_OPERATIONS'] ?? 10_000_000);
const seeded = { operations, merchants: 50, days: 90, lanes: Number(process.env['BENCH_LANES'] ?? 1) };
const limitMs = 50;
const hourMs = 3_600_000;

interface Asked {
  interval: string;
  days: number;
  groupBy?: string[];
  filter?: object;
}

const questions = (merchantId: string): Record<string, Asked> => ({
  'today by hour': { interval: 'HOUR', days: 1 },
  'today by hour and currency': { interval: 'HOUR', days: 1, groupBy: ['CURRENCY'] },
  '30 days by day': { interval: 'DAY', days: 30 },
  '90 days by day and circuit': { interval: 'DAY', days: 90, groupBy: ['CIRCUIT'] },
  '90 days by day and country': { interval: 'DAY', days: 90, groupBy: ['COUNTRY'] },
  '7 days by hour': { interval: 'HOUR', days: 7 },
  '30 days by merchant': { interval: 'WHOLE', days: 30, groupBy: ['MERCHANT'] },
  '30 days by day and merchant': { interval: 'DAY', days: 30, groupBy: ['MERCHANT'] },
  'a merchant, 90 days by week': { interval: 'WEEK', days: 90, filter: { merchantIds: [merchantId] } },
  'a merchant, 30 days by terminal and country': {
    interval: 'WHOLE',
    days: 30,
    groupBy: ['TERMINAL', 'COUNTRY'],
    filter: { merchantIds: [merchantId] },
  },
});

const query = `query ($range: MetricRange!, $interval: MetricInterval!, $groupBy: [MetricDimension!], $filter: MetricFilter) {
  metrics(range: $range, interval: $interval, groupBy: $groupBy, filter: $filter) {
    rows { start group { merchantId terminalId circuit country currency } approved declined approvalRate captured { count volume { minor currency } } }
  }
}`;

export const benchmark: Benchmark = {
  title: `Figures of ${operations.toLocaleString('en')} operations of ${seeded.merchants} merchants in ${seeded.days} days, lanes: ${seeded.lanes}, one question at a time`,
  async open() {
    const product = await startProduct({ processes: 1 });
    const until = new Date();
    const { merchantId } = product.credentials.tenants.alpha;
    const made = await seedRollUps(product.database.db('payments'), seeded, until, merchantId);
    const authorization = `Bearer ${await product.graphToken()}`;
    const all = Object.entries(questions(merchantId));
    return {
      cases: all.map(([name, asked]) => questionCase(product, name, bodyOf(asked, until), authorization)),
      reference: 'today by hour',
      goals: all.map(([of]) => ({ metric: 'p50Ms' as const, of, atMost: limitMs })),
      facts: [`${made.count.toLocaleString('en')} roll-ups of ${made.operations.toLocaleString('en')} operations`],
      close: () => product.stop(),
    };
  },
};

function bodyOf({ days, ...asked }: Asked, until: Date): string {
  const to = Math.ceil(until.getTime() / hourMs) * hourMs;
  const range = { from: new Date(to - days * 24 * hourMs), to: new Date(to) };
  return JSON.stringify({ query, variables: { range, ...asked } });
}

function questionCase(product: Product, name: string, body: string, authorization: string): Case {
  const headers = { authorization, 'content-type': 'application/json' };
  const ask = async () => {
    const answer = await fetch(product.credentials.urls.graph, { method: 'POST', headers, body });
    return Buffer.from(await answer.arrayBuffer());
  };
  /** What reading the answer costs is the asker's own: the first is read, the others must be as long. */
  const readOne = async () => {
    const answer = await ask();
    const { data, errors } = JSON.parse(answer.toString()) as {
      data?: { metrics: { rows: unknown[] } };
      errors?: unknown;
    };
    if (errors || !data || data.metrics.rows.length === 0)
      throw new Error(`${name}: ${JSON.stringify(errors ?? data)}`);
    return { rows: data.metrics.rows.length, bytes: answer.length };
  };
  return {
    name,
    kind: 'product',
    pids: product.pids,
    async measure(seconds) {
      const { rows, bytes } = await readOne();
      const sample = await sampleServed(product, 1, seconds, async () => {
        const { length } = await ask();
        if (length !== bytes) throw new Error(`${name}: ${length} bytes instead of ${bytes}`);
      });
      return { ...sample, extra: { rows } };
    },
  };
}
