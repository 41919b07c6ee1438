// A case of the fan-out benchmark: connects all subscribers, sends bursts of events, and measures until the last delivery.
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Case } from '../support/benchmark';
import { cpuSeconds, order, rssMb, type ServerProcess } from '../support/server-process';
import { median } from '../support/statistics';
import type { ClientsAnswer, ClientsOrder } from './clients.server';

export interface FanOutCase {
  name: string;
  kind: Case['kind'];
  /** For each process of subscribers the one that it connects to. */
  ports: number[];
  path: string;
  messages: string[];
  pids: number[];
  /** Gets `count` events ready; what it returns makes them known. */
  prepare(count: number): Promise<() => Promise<void>>;
  /** The whole way of an event, where there is more to it: from before its commit. */
  commit?(): Promise<void>;
}

const burst = 10;
const singles = 5;
const burstsMin = 3;
const probeMs = 500;
const quietMs = 1_500;
const listenMsMax = 30_000;

export function fanOutCase(clients: readonly ServerProcess[], subscribers: number, each: FanOutCase): Case {
  const tellOne = (client: ServerProcess, message: ClientsOrder) =>
    (order(client, message) as unknown as Promise<ClientsAnswer>).catch((error: Error) => {
      throw new Error(`${each.name}: ${error.message}`);
    });
  const tell = async (message: ClientsOrder) =>
    together(await Promise.all(clients.map((one) => tellOne(one, message))));

  async function connect(): Promise<void> {
    const { ports, path, messages } = each;
    await Promise.all(
      clients.map((client, index) => tellOne(client, { connect: { port: ports[index] as number, path, messages } })),
    );
  }

  /** Milliseconds from making them known to the last delivery. */
  async function happen(count: number): Promise<{ lastMs: number; sample: string }> {
    const makeKnown = await each.prepare(count);
    return until(count, makeKnown);
  }

  async function until(count: number, act: () => Promise<void>): Promise<{ lastMs: number; sample: string }> {
    await tell({ expect: count });
    const actedAt = performance.timeOrigin + performance.now();
    await act();
    const { lastMs, sample } = await tell({ result: true });
    return { lastMs: lastMs - actedAt, sample };
  }

  /** A subscription has no answer of its own: events happen until everyone has seen one, and then nothing for a while. */
  async function untilEveryoneListens(): Promise<void> {
    const deadline = performance.now() + listenMsMax;
    for (;;) {
      await (await each.prepare(1))();
      await new Promise((done) => setTimeout(done, probeMs));
      const { reached } = await tell({ count: true });
      if (reached === subscribers) break;
      if (performance.now() > deadline) throw new Error(`${each.name}: only ${reached} of ${subscribers} listen`);
    }
    await new Promise((done) => setTimeout(done, quietMs));
  }

  return {
    name: each.name,
    kind: each.kind,
    pids: each.pids,
    async measure(seconds) {
      await connect();
      try {
        await untilEveryoneListens();
        const { sample } = await happen(1);
        if (!sample.includes('"type":"next"') || sample.includes('"errors"'))
          throw new Error(`${each.name} sent ${sample}`);
        const bursts: number[] = [];
        const before = cpuSeconds(each.pids);
        const deadline = performance.now() + seconds * 1_000;
        while (bursts.length < burstsMin || performance.now() < deadline) bursts.push((await happen(burst)).lastMs);
        const after = cpuSeconds(each.pids);
        const memory = rssMb(each.pids);
        const last: number[] = [];
        const whole: number[] = [];
        for (let index = 0; index < singles; index += 1) {
          last.push((await happen(1)).lastMs);
          if (each.commit) whole.push((await until(1, each.commit)).lastMs);
        }
        return {
          rate: (burst * subscribers * 1_000) / median(bursts),
          cpuMicros:
            before === null || after === null ? null : ((after - before) * 1e6) / (bursts.length * burst * subscribers),
          rssMb: memory,
          extra: {
            'last delivery ms': median(last),
            'message bytes': Buffer.byteLength(sample),
            ...withoutUndefined({ 'commit to last ms': whole.length > 0 ? median(whole) : undefined }),
          },
        };
      } finally {
        await tell({ disconnect: true });
      }
    },
  };
}

/** What all processes of subscribers have seen. */
function together(answers: readonly ClientsAnswer[]): Pick<ClientsAnswer, 'lastMs' | 'sample' | 'reached'> {
  return {
    lastMs: Math.max(...answers.map(({ lastMs }) => lastMs)),
    sample: answers[0]?.sample ?? '',
    reached: answers.reduce((sum, { reached }) => sum + reached, 0),
  };
}
