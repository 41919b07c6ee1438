// What V8 does otherwise while a process starts. Nearly all that a start allocates survives, so V8 grows its young generation to the most (32 MB, which
// it never gives back) and leaves the old one half full of garbage; and it optimizes loops that never run again, at a fifth of the start's CPU. None of
// this is let happen: measured 182 MB idle before, and 2.0 s of CPU where it is 1.6 now, see docs/benchmarks.md.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 2_000;
/** Busy for less of the time than that, a process does not notice a pause of a tenth of a second. */
const restingUtilization = 0.1;
/** The first collection finds the garbage, the second gives back the pages. */
const collections = 2;

/** From now on the young generation does not grow. */
export function stayYoung(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** It grows with the load again, and what the start has left is collected when the process rests. */
export function growUp(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let left = collections;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > restingUtilization) return;
    collect();
    left -= 1;
    if (left === 0) clearInterval(timer);
  }, lookMs).unref();
}

/** From now on nothing more is optimized. */
export function startUnoptimized(): void {
  setFlagsFromString('--no-opt');
}

/** What turns out to be hot from now on is. */
export function optimize(): void {
  setFlagsFromString('--opt');
}
