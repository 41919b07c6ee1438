// The reports over a big journal: any page of a payout with 100,000 actions, balances over a year of 1,000 merchants, and reports while events are booked.
// BENCH_ACTIONS and BENCH_MERCHANTS choose other numbers.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import type { Benchmark, Case } from '../support/benchmark';
import { bookOf, insertEntries, openBook, report, settle } from '../support/journal';
import { sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';

const actions = Number(process.env['BENCH_ACTIONS'] ?? 100_000);
const merchants = Number(process.env['BENCH_MERCHANTS'] ?? 1_000);
const inFlight = 2;
const pageSize = 100;
const day = '2026-01-15';
const year = 'fromDate=2025-01-01&toDate=2025-12-31';
const eventsPerSecond = 200;
const names = { first: 'first page', middle: 'page in the middle', last: 'last page', idle: 'payouts, journal idle' };

export const benchmark: Benchmark = {
  title: `reports: a payout of ${actions.toLocaleString('en')} actions, a year of ${merchants.toLocaleString('en')} merchants, ${inFlight} in flight`,
  async open() {
    const product = await startProduct({ processes: 2 });
    const database = product.database.db('payments');
    const book = bookOf(product, 'ISK', day);
    await insertEntries(database.collection('journal_entries'), book, actions);
    await openBook(database, book, actions);
    const closedIn = await settle(product, day);
    await storeYear(database, product);
    const { payouts } = await report(product, `payouts?fromDate=${day}&toDate=${day}&currency=ISK`, 'merchantApiKey');
    const payoutId: string = payouts[0].id;
    const pages = Math.ceil(actions / pageSize);
    const page = (name: string, number: number) =>
      readCase(product, name, `payouts/${payoutId}?pageSize=${pageSize}&pageNumber=${number}`);
    const list = `payouts?fromDate=${day}&toDate=${day}`;
    return {
      cases: [
        page(names.first, 0),
        page(names.middle, Math.floor(pages / 2)),
        page(names.last, pages - 1),
        readCase(product, 'a year of one merchant', `balances?${year}`),
        readCase(product, 'a year of all merchants', `balances?${year}`, 'partnerApiKey'),
        readCase(product, names.idle, list),
        whileBooking(database, product, readCase(product, 'payouts, journal written', list)),
      ],
      reference: names.first,
      goals: [
        { metric: 'p50Ms', of: names.middle, against: names.first, atMost: 3 },
        { metric: 'p50Ms', of: names.last, against: names.first, atMost: 3 },
        { metric: 'p99Ms', of: names.last, against: names.first, atMost: 3 },
        { metric: 'rssMb', of: names.last, against: names.first, atMost: 1.2 },
        { metric: 'p50Ms', of: 'a year of all merchants', against: 'a year of one merchant', atMost: 3 },
        { metric: 'p99Ms', of: 'payouts, journal written', against: names.idle, atMost: 2 },
      ],
      facts: [
        `the day was closed in ${closedIn.toFixed(1)} s`,
        `"written": ${eventsPerSecond} captures a second enter the event log and are booked`,
      ],
      close: () => product.stop(),
    };
  },
};

function readCase(
  product: Product,
  name: string,
  path: string,
  key: 'merchantApiKey' | 'partnerApiKey' = 'merchantApiKey',
): Case {
  return {
    name,
    kind: 'product',
    async measure(seconds) {
      const sample = await sampleServed(product, inFlight, seconds, () => report(product, path, key));
      return { ...sample, rssMb: product.pids.reduce((sum, pid) => sum + rssOf(pid), 0) };
    },
  };
}

function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

/** The same reads while captures enter the log. */
function whileBooking(database: Db, { credentials }: Product, reading: Case): Case {
  const { merchantId } = credentials.tenants.beta;
  return {
    ...reading,
    async measure(seconds) {
      let waiting = Promise.resolve<unknown>(null);
      const timer = setInterval(() => {
        const events = Array.from({ length: eventsPerSecond / 10 }, () => captureEvent(merchantId));
        waiting = waiting.then(() => database.collection('events').insertMany(events as never[])).catch(() => null);
      }, 100);
      try {
        return await reading.measure(seconds);
      } finally {
        clearInterval(timer);
        await waiting;
      }
    },
  };
}

function captureEvent(merchantId: string) {
  const data = {
    operationId: randomUUID(),
    paymentId: randomUUID(),
    operationType: 'CAPTURE',
    operationResult: 'EXECUTED',
    operationAmount: '100',
    operationCurrency: 'EUR',
    paymentMethod: 'CARD',
    paymentCircuit: 'VISA',
  };
  return {
    _id: randomUUID(),
    environment: 'sandbox',
    accountId: 'beta',
    merchantId,
    aggregateType: 'payment',
    aggregateId: randomUUID(),
    sequence: 1,
    type: 'operation.recorded',
    version: 1,
    occurredAt: new Date(),
    requestId: randomUUID(),
    data,
    position: null,
  };
}

/** Day totals of a year: of the tenant's merchant, of the others, and of the account with all of them. */
async function storeYear(database: Db, { credentials }: Product): Promise<void> {
  const days = database.collection('journal_days');
  const dates = Array.from({ length: 365 }, (_, index) =>
    new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const own = credentials.tenants.alpha.merchantId;
  const holders = Array.from(
    { length: merchants },
    (_, index) => `sandbox:merchant:${index === 0 ? own : `bench-${index}`}`,
  );
  for (const holder of [...holders, 'sandbox:account:alpha']) {
    const rows = dates.map((date) => ({
      _id: `${holder}:EUR:${date}`,
      holder,
      accountId: 'alpha',
      currency: 'EUR',
      day: date,
      creditsMinor: 500n,
      creditsCount: 5,
      debitsMinor: 20n,
      debitsCount: 5,
    }));
    await days.insertMany(rows as never[], { ordered: false, writeConcern: { w: 1, j: false } });
  }
}
