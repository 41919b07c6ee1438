// The search of the graph, and exports of its lists as files, over a million payments and operations (BENCH_OPERATIONS): milliseconds of a search, rows a second and memory of an export.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Benchmark, Case } from '../support/benchmark';
import { countCpu } from '../support/cpu-count';
import { sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { rssMb } from '../support/server-process';
import { placeOf, storePayments } from '../support/stored-payments';

const count = Number(process.env['BENCH_OPERATIONS'] ?? 1_000_000);
const limitMs = 50;
const small = count / 10;
const memoryEachMs = 200;

const search = `query ($text: String!) { search(text: $text, first: 20) { matchedBy found { __typename
  ... on Payment { paymentId state orderId amount currency } ... on Operation { operationId operationType } ... on Merchant { merchantId name } } } }`;
const exported = `query ($after: String, $first: Int) { payments(after: $after, first: $first) {
  edges { node { paymentId merchantId orderId state amount currency createdAt } } pageInfo { hasNextPage endCursor } } }`;

export const benchmark: Benchmark = {
  title: `Searches and exports over ${count.toLocaleString('en')} payments and as many operations`,
  async open() {
    const product = await startProduct({ processes: 1 });
    const from = performance.now();
    const { ids, indexBytes } = await storePayments(product, count);
    const loadSeconds = (performance.now() - from) / 1_000;
    const authorization = `Bearer ${await product.graphToken()}`;
    const texts = textsFor(ids);
    const [card, email] = [await indexBytes('cardKey_1_createdAt_-1'), await indexBytes('emailKey_1_createdAt_-1')];
    return {
      cases: [
        ...Object.entries(texts).map(([name, text]) => searchCase(product, name, text, authorization)),
        exportCase(product, 'export of a tenth', small, authorization),
        exportCase(product, 'export of all', count, authorization),
      ],
      reference: 'a payment by its id',
      goals: [
        ...Object.keys(texts).map((of) => ({ metric: 'p99Ms' as const, of, atMost: limitMs })),
        { metric: 'extra.2nd half ÷ 1st', of: 'export of all', atMost: 1.2 },
      ],
      facts: [
        `stored and indexed in ${loadSeconds.toFixed(0)} s`,
        `index bytes for each payment: by card ${card.toFixed(1)}, by e-mail ${email.toFixed(1)} (a quarter have one)`,
      ],
      close: () => product.stop(),
    };
  },
};

/** What is searched for in the nth search. */
function textsFor(ids: readonly string[]): Record<string, (nth: number) => string> {
  const some = (nth: number) => placeOf((nth * 104_729) % count);
  return {
    'a payment by its id': (nth) => ids[nth % ids.length] as string,
    'by its order number': (nth) => some(nth).orderId,
    'by the beginning of an order number': (nth) => some(nth).orderId.slice(0, -1),
    'by card and expiry': (nth) => {
      const { card } = some(nth);
      return `${card.lastFour} ${card.expiry}`;
    },
    'by e-mail': (nth) => `payer-${(nth * 4_004) % 300_000}@customers.example`,
    'the beginning of a name': () => 'al',
    'what nothing is called': (nth) => `nothing ${nth}`,
  };
}

async function askSearch(product: Product, text: string, authorization: string): Promise<number> {
  const answer = await fetch(product.credentials.urls.graph, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: search, variables: { text } }),
  });
  const { data, errors } = (await answer.json()) as { data?: { search: unknown[] }; errors?: unknown };
  if (errors || !data) throw new Error(`${text}: ${JSON.stringify(errors)}`);
  return data.search.length;
}

function searchCase(product: Product, name: string, text: (nth: number) => string, authorization: string): Case {
  let nth = 0;
  return {
    name,
    kind: 'product',
    pids: product.pids,
    async measure(seconds) {
      let found = 0;
      const sample = await sampleServed(product, 1, seconds, async () => {
        found += await askSearch(product, text(nth++), authorization);
      });
      if ((found === 0) !== (name === 'what nothing is called')) throw new Error(`${name}: found ${found}`);
      return sample;
    },
  };
}

/** Rows of one file; the first measure, which warms up, stops after some of them. */
function exportCase(product: Product, name: string, rows: number, authorization: string): Case {
  let isWarm = false;
  return {
    name,
    kind: 'product',
    pids: product.pids,
    async measure() {
      const wanted = isWarm ? rows : Math.min(rows, 2_000);
      isWarm = true;
      const memory = [rssMb(product.pids) ?? 0];
      const sampling = setInterval(() => void memory.push(rssMb(product.pids) ?? 0), memoryEachMs);
      const counted = countCpu(product.pids, product.databasePids);
      const startedAt = performance.now();
      const read = await exportRows(product, wanted, authorization);
      const seconds = (performance.now() - startedAt) / 1_000;
      clearInterval(sampling);
      memory.push(rssMb(product.pids) ?? 0);
      // Where memory grew with the rows the second half would peak above the first; a file of few rows ends before the first collection.
      const half = Math.ceil(memory.length / 2);
      const peaks = [memory.slice(0, half), memory.slice(half)].map((part) => Math.max(...part));
      const [first = 0, second = 0] = peaks;
      const extra = { 'peak MB': Math.max(...memory), '2nd half ÷ 1st': second / first, rows: read, seconds };
      return { rate: read / seconds, ...counted(read), extra };
    },
  };
}

/** Reads the file of all payments, as many rows as are wanted, and hangs up there. */
async function exportRows({ credentials }: Product, rows: number, authorization: string): Promise<number> {
  const headers = { authorization, 'content-type': 'application/json' };
  const asked = request(`${credentials.urls.graph}/export`, { method: 'POST', headers });
  asked.end(JSON.stringify({ query: exported, variables: { first: 100 } }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the export answered ${response.statusCode}`);
  // The first line is the head.
  let read = -1;
  for await (const chunk of response.setEncoding('latin1') as AsyncIterable<string>) {
    read += chunk.split('\n').length - 1;
    if (read >= rows) break;
  }
  asked.destroy();
  if (read < rows) throw new Error(`the file ended after ${read} rows`);
  return read;
}
