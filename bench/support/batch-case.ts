// A case whose server does a batch on order: operations per second, and CPU per operation.
import type { Case } from './benchmark';
import { countCpu } from './cpu-count';
import { order, rssMb, type ServerProcess } from './server-process';

export interface BatchCase {
  name: string;
  kind: Case['kind'];
  server: ServerProcess;
  databasePids?: number[];
  /** Processes whose CPU per operation is printed beside the rest, by name. */
  apart?: Record<string, number[]>;
  /** A batch is so many operations or a multiple of it. */
  unit?: number;
  /** Told to the server with the order to prepare. */
  variant?: string;
}

const firstGuessPerSecond = 1_000;

/** The size of a batch follows the rate of the one before, so that a round takes about as long as asked for. */
export function batchCase({
  name,
  kind,
  server,
  databasePids = [],
  apart = {},
  unit = 1,
  variant = '',
}: BatchCase): Case {
  let ratePerSecond = firstGuessPerSecond;
  return {
    name,
    kind,
    pids: server.pids,
    async measure(seconds) {
      const count = Math.ceil((ratePerSecond * seconds) / unit) * unit;
      await order(server, { prepare: count, variant });
      const counted = countCpu(server.pids, databasePids);
      const countedApart = Object.entries(apart).map(([label, pids]) => [label, countCpu(pids)] as const);
      const took = (await order(server, { run: true })).seconds;
      ratePerSecond = count / took;
      const extra = countedApart.flatMap(([label, countOf]) => {
        const { cpuMicros } = countOf(count);
        return cpuMicros == null ? [] : [[`${label} CPU µs`, cpuMicros] as const];
      });
      return {
        rate: ratePerSecond,
        ...counted(count),
        rssMb: rssMb(server.pids),
        extra: Object.fromEntries(extra),
      };
    },
  };
}
