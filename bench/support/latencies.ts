// Calls in flight, each measured, for cases that a fixed request cannot describe.
import type { Sample } from './benchmark';
import { countCpu } from './cpu-count';
import { percentile } from './statistics';

/** Runs `call` with that many in flight until it says that there is nothing left, or the time is over. */
export async function measureCalls(
  inFlight: number,
  secondsMax: number,
  call: () => Promise<unknown> | null,
): Promise<{ latenciesMs: number[]; seconds: number }> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const worker = async () => {
    while (performance.now() - startedAt < secondsMax * 1_000) {
      const from = performance.now();
      const running = call();
      if (!running) return;
      await running;
      latenciesMs.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { latenciesMs, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Rate and percentiles of measured calls. */
export function sampleOf({ latenciesMs, seconds }: { latenciesMs: number[]; seconds: number }): Sample {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  return { rate: sorted.length / seconds, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}

/** Processes whose CPU the calls cost. */
export interface Served {
  pids: readonly number[];
  databasePids: readonly number[];
}

/** Measured calls as a sample, with the CPU of each. */
export async function sampleServed(
  { pids, databasePids }: Served,
  ...[inFlight, secondsMax, call]: Parameters<typeof measureCalls>
): Promise<Sample> {
  const counted = countCpu(pids, databasePids);
  const measured = await measureCalls(inFlight, secondsMax, call);
  return { ...sampleOf(measured), ...counted(measured.latenciesMs.length) };
}
