// Finalize from request to committed answer, and the first byte of its notification: against two bare commits and against the ordinary shape.
import { randomUUID } from 'node:crypto';
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { type CheckoutCalls, checkoutOf, operationIdOf, post } from '../support/checkout';
import { countCpu } from '../support/cpu-count';
import { type Count, countedSince, countOf } from '../support/database-meter';
import { measureCalls, sampleOf, sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { cpuSeconds, freePort, rssMb, startServer } from '../support/server-process';
import { percentile } from '../support/statistics';
import { storePayments } from '../support/stored-payments';
import { bytesFact } from './bytes';
import { type NotificationSink, openNotificationSink } from './notification-sink';
import type { OrdinarySettings } from './ordinary.server';

const inFlight = 16;
const processes = 2;
const limit = 'two bare commits';
const ordinary = 'express + mongoose + BullMQ';
/** Sessions made ready per second of measurement: more than can be finalized, unless BENCH_SESSIONS says fewer for a slow machine. */
const sessionsPerSecond = Number(process.env['BENCH_SESSIONS'] ?? 400);
/** Payments that are there before the first is measured, with their operations and visits. */
const storedBefore = Number(process.env['BENCH_STORED'] ?? 0);

export const benchmark: Benchmark = {
  title: `finalize of a card payment, ${inFlight} in flight, ${processes} processes, ${storedBefore.toLocaleString('en')} payments stored before`,
  async open({ only }) {
    const product = await startProduct({ processes });
    if (storedBefore > 0) await storePayments(product, storedBefore);
    const sink = await openNotificationSink();
    const ordinaryServer = await startServer('finalize/ordinary.server.ts', {
      mongoUri: product.mongoUri('bench_finalize'),
      redisUrl: product.redisUrl,
      port: await freePort(),
      notificationUrl: sink.url,
    } satisfies OrdinarySettings);
    const checkout = checkoutOf(product, { notificationUrl: `${sink.url}/product` });
    const payAndCapture = async () => checkout.capture(await checkout.pay(await checkout.build()));
    const bytes = only.length === 0 ? [await bytesFact(product, payAndCapture)] : [];
    return {
      cases: [
        bareCommits(product),
        ordinaryCase(ordinaryServer, product.databasePids, sink),
        productCase(product, sink, checkout),
      ],
      reference: limit,
      goals: [
        { metric: 'rate', of: 'product', against: ordinary, atLeast: 1.5 },
        { metric: 'p50Ms', of: 'product', against: ordinary, atMost: 0.6 },
        { metric: 'extra.cpuMs', of: 'product', atMost: 5, aim: 3 },
        { metric: 'extra.journeyCpuMs', of: 'product', atMost: 14 },
        { metric: 'extra.journeyCommands', of: 'product', atMost: 12 },
        { metric: 'extra.notificationP50Ms', of: 'product', against: ordinary, atMost: 1 },
        { metric: 'extra.notificationP50Ms', of: 'product', atMost: 100 },
        { metric: 'extra.notificationP99Ms', of: 'product', atMost: 1_000, aim: 250 },
      ],
      facts: [
        'two bare commits: an intent and an outcome of two documents, majority and journalled, by the driver alone',
        'the notification is measured from the answer of finalize to its first byte at the receiver',
        'commands and CPU of the product include its notification, its books and all that runs beside',
        ...bytes,
      ],
      async close() {
        await ordinaryServer.stop();
        await sink.close();
        await product.stop();
      },
    };
  },
};

/** What any answer that is committed twice has to wait for. */
function bareCommits(product: Product): Case {
  const database = product.database.db('bench_limit');
  const options = { writeConcern: { w: 'majority', j: true } } as const;
  const once = async () => {
    const callId = randomUUID();
    await database.collection('calls').insertOne({ _id: callId as never, state: 'ASKED' }, options);
    await product.database.withSession((session) =>
      session.withTransaction(async () => {
        await database
          .collection('calls')
          .updateOne({ _id: callId as never }, { $set: { state: 'ANSWERED' } }, { session });
        await database.collection('operations').insertOne({ callId, amount: 5_000 }, { session });
      }, options),
    );
  };
  return {
    name: limit,
    kind: 'limit',
    // The commits are made by this process, which does nothing else meanwhile.
    measure: (seconds) =>
      sampleServed({ pids: [process.pid], databasePids: product.databasePids }, inFlight, seconds, once),
  };
}

interface Finalizing {
  pids: number[];
  databasePids: number[];
  sink: NotificationSink;
  sessions: string[];
  seconds: number;
  /** Pays one session; resolves with the operation's id. */
  pay(sessionId: string): Promise<string>;
}

async function measureFinalize({ pids, databasePids, sink, sessions, seconds, pay }: Finalizing): Promise<Sample> {
  const answeredAt = new Map<string, number>();
  const counted = countCpu(pids, databasePids);
  const measured = await measureCalls(inFlight, seconds, () => {
    const sessionId = sessions.pop();
    return sessionId === undefined
      ? null
      : pay(sessionId).then((operationId) => answeredAt.set(operationId, performance.now()));
  });
  const cpu = counted(measured.latenciesMs.length);
  await sink.untilHas([...answeredAt.keys()]);
  const waits = [...answeredAt].map(([id, at]) => (sink.firstByteAt(id) ?? Number.NaN) - at).sort((a, b) => a - b);
  const extra = {
    payments: measured.latenciesMs.length,
    notificationP50Ms: percentile(waits, 0.5),
    notificationP99Ms: percentile(waits, 0.99),
  };
  return { ...sampleOf(measured), ...cpu, rssMb: rssMb(pids), extra };
}

function ordinaryCase(server: { port: number; pids: number[] }, databasePids: number[], sink: NotificationSink): Case {
  const url = `http://127.0.0.1:${server.port}`;
  return {
    name: ordinary,
    kind: 'ordinary',
    pids: server.pids,
    measure: async (seconds) => {
      const count = Math.ceil(seconds * sessionsPerSecond);
      const sessions = (await (await post(`${url}/sessions`, { count })).json()) as string[];
      const pay = async (sessionId: string) => operationIdOf(await post(`${url}/finalize`, { sessionId }));
      return measureFinalize({ pids: server.pids, databasePids, sink, sessions, seconds, pay });
    },
  };
}

function productCase(product: Product, sink: NotificationSink, checkout: CheckoutCalls): Case {
  return {
    name: 'product',
    kind: 'product',
    pids: product.pids,
    measure: async (seconds) => {
      const { sessions, ...building } = await buildSessions(product, checkout, Math.ceil(seconds * sessionsPerSecond));
      const before = await countOf(product.database);
      const redisBefore = cpuSeconds(product.databasePids.slice(1));
      const { pids, databasePids } = product;
      const sample = await measureFinalize({ pids, databasePids, sink, sessions, seconds, pay: checkout.pay });
      const finalizing = countedSince(before, await countOf(product.database));
      const count = sample.extra?.['payments'] ?? Number.NaN;
      const redisMicros = ((cpuSeconds(product.databasePids.slice(1)) ?? 0) - (redisBefore ?? 0)) * (1e6 / count);
      const cpuMs = ((sample.cpuMicros ?? 0) + (sample.databaseCpuMicros ?? 0)) / 1_000;
      const commands = finalizing.commands / count;
      printCommands('finalize', finalizing, count);
      return {
        ...sample,
        extra: {
          ...sample.extra,
          cpuMs,
          redisMs: redisMicros / 1_000,
          commands,
          transactions: finalizing.transactions / count,
          journeyCpuMs: building.cpuMs + cpuMs,
          journeyCommands: building.commands + commands,
        },
      };
    },
  };
}

/** Sessions with a card on them, and what one of them cost. */
async function buildSessions(product: Product, { build }: CheckoutCalls, count: number) {
  const pids = [...product.pids, ...product.databasePids];
  const before = await countOf(product.database);
  const cpuBefore = cpuSeconds(pids) ?? 0;
  const sessions: string[] = [];
  let left = count;
  await measureCalls(inFlight, 600, () => (left-- > 0 ? build().then((id) => sessions.push(id)) : null));
  const cpuMs = (((cpuSeconds(pids) ?? 0) - cpuBefore) * 1_000) / count;
  const building = countedSince(before, await countOf(product.database));
  printCommands('build and card', building, count);
  return { sessions, cpuMs, commands: building.commands / count };
}

function printCommands(what: string, { commands, each }: Count, count: number): void {
  const rows = Object.entries(each).sort(([, a], [, b]) => b - a);
  const words = rows
    .filter(([, total]) => total / count >= 0.01)
    .map(([name, total]) => `${name} ${(total / count).toFixed(2)}`);
  console.log(`    ${what}: ${(commands / count).toFixed(1)} commands: ${words.join(', ')}`);
}
