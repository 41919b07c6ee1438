// Finalize from request to committed answer, and the first byte of its notification: against two bare commits and against the ordinary shape.
import { randomUUID } from 'node:crypto';
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { checkoutOf, operationIdOf, post } from '../support/checkout';
import { countCpu } from '../support/cpu-count';
import { measureCalls, sampleOf, sampleServed } from '../support/latencies';
import { type Product, startProduct } from '../support/product';
import { freePort, rssMb, startServer } from '../support/server-process';
import { percentile } from '../support/statistics';
import { type NotificationSink, openNotificationSink } from './notification-sink';
import type { OrdinarySettings } from './ordinary.server';

const inFlight = 16;
const processes = 2;
const limit = 'two bare commits';
const ordinary = 'express + mongoose + BullMQ';
/** Sessions made ready per second of measurement: more than can be finalized, unless BENCH_SESSIONS says fewer for a slow machine. */
const sessionsPerSecond = Number(process.env['BENCH_SESSIONS'] ?? 400);

export const benchmark: Benchmark = {
  title: `finalize of a card payment, ${inFlight} in flight, ${processes} processes`,
  async open() {
    const product = await startProduct({ processes });
    const sink = await openNotificationSink();
    const ordinaryServer = await startServer('finalize/ordinary.server.ts', {
      mongoUri: product.mongoUri('bench_finalize'),
      redisUrl: product.redisUrl,
      port: await freePort(),
      notificationUrl: sink.url,
    } satisfies OrdinarySettings);
    return {
      cases: [
        bareCommits(product),
        ordinaryCase(ordinaryServer, product.databasePids, sink),
        productCase(product, sink),
      ],
      reference: limit,
      goals: [
        { metric: 'rate', of: 'product', against: ordinary, atLeast: 0.5, aim: 1 },
        { metric: 'extra.notificationP50Ms', of: 'product', against: ordinary, atMost: 1 },
        { metric: 'extra.notificationP50Ms', of: 'product', atMost: 100 },
        { metric: 'extra.notificationP99Ms', of: 'product', atMost: 1_000, aim: 250 },
      ],
      facts: [
        'two bare commits: an intent and an outcome of two documents, majority and journalled, by the driver alone',
        'the notification is measured from the answer of finalize to its first byte at the receiver',
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
  const extra = { notificationP50Ms: percentile(waits, 0.5), notificationP99Ms: percentile(waits, 0.99) };
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

function productCase(product: Product, sink: NotificationSink): Case {
  const { build, pay } = checkoutOf(product, { notificationUrl: `${sink.url}/product` });
  return {
    name: 'product',
    kind: 'product',
    pids: product.pids,
    measure: async (seconds) => {
      const sessions: string[] = [];
      let left = Math.ceil(seconds * sessionsPerSecond);
      await measureCalls(inFlight, 600, () => (left-- > 0 ? build().then((id) => sessions.push(id)) : null));
      return measureFinalize({ pids: product.pids, databasePids: product.databasePids, sink, sessions, seconds, pay });
    },
  };
}
