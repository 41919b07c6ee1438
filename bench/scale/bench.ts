// What an event costs from its commit to its place in the log, its callback and its entry in the books, by how many lanes the log has: processor time of the leaders and of MongoDB.
import type { Benchmark, Case } from '../support/benchmark';
import { cpuSeconds, order, rssMb, type ServerProcess, startServer } from '../support/server-process';
import { openStores } from '../support/stores';
import type { ScaleSettings } from './log.server';

/** As many in each round, whatever the rate: how full batches are is part of what an event costs. */
const eventCount = Number(process.env['BENCH_EVENTS'] ?? 10_000);
const lanes = [1, 2, 4, 8];
const writtenName = 'written alone';
const placed = (count: number) => `placed, ${count} ${count === 1 ? 'lane' : 'lanes'}`;
const withCallbacks = (count: number) => `${placed(count)}, a callback each`;
const withBooks = (count: number) => `${placed(count)}, booked`;

export const benchmark: Benchmark = {
  title: 'The event log: events of 2,000 merchants written in batches of 100, all leaders in one process',
  async open() {
    const stores = await openStores();
    const settings: ScaleSettings = {
      mongoUri: await stores.mongoUri('bench_scale'),
      redisUrl: stores.redisUrl,
    };
    const server = await startServer('scale/log.server.ts', settings);
    const databasePids = stores.pids;
    const one = (name: string, kind: Case['kind'], variant: string) =>
      fixedCase({ name, kind, variant }, server, databasePids);
    return {
      cases: [
        one(writtenName, 'limit', '0'),
        ...lanes.map((count) => one(placed(count), 'product', `${count}`)),
        ...lanes.map((count) => one(withCallbacks(count), 'product', `${count} callbacks`)),
        ...lanes.map((count) => one(withBooks(count), 'product', `${count} books`)),
      ],
      reference: writtenName,
      goals: [],
      facts: ['processor time includes writing the events; the first case tells how much that is'],
      async close() {
        await server.stop();
        await stores.close();
      },
    };
  },
};

function fixedCase(
  { name, kind, variant }: Pick<Case, 'name' | 'kind'> & { variant: string },
  server: ServerProcess,
  databasePids: number[],
): Case {
  return {
    name,
    kind,
    pids: server.pids,
    async measure() {
      await order(server, { prepare: eventCount, variant });
      const [own, databases] = [cpuSeconds(server.pids), cpuSeconds(databasePids)];
      const { seconds } = await order(server, { run: true });
      const each = (from: number | null, to: number | null) =>
        from === null || to === null ? null : ((to - from) * 1e6) / eventCount;
      return {
        rate: eventCount / seconds,
        cpuMicros: each(own, cpuSeconds(server.pids)),
        databaseCpuMicros: each(databases, cpuSeconds(databasePids)),
        rssMb: rssMb(server.pids),
      };
    },
  };
}
