// CPU per operation, which two rounds can be compared by on a machine that others use too.
import type { Sample } from './benchmark';
import { cpuSeconds } from './server-process';

/** Counts from now on; what it returns tells what each of so many operations took since. No databases: none are counted. */
export function countCpu(
  pids: readonly number[],
  databasePids: readonly number[] = [],
): (operations: number) => Pick<Sample, 'cpuMicros' | 'databaseCpuMicros'> {
  const before = [cpuSeconds(pids), cpuSeconds(databasePids)] as const;
  const each = (from: number | null, to: number | null, operations: number) =>
    from === null || to === null ? null : ((to - from) * 1e6) / operations;
  return (operations) => ({
    cpuMicros: pids.length > 0 ? each(before[0], cpuSeconds(pids), operations) : null,
    databaseCpuMicros: databasePids.length > 0 ? each(before[1], cpuSeconds(databasePids), operations) : null,
  });
}
