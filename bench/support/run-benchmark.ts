// How a benchmark is run: interleaved rounds, ratios within a round, then the report and the kept result.
import type { Benchmark, Case, RunOptions, Samples } from './benchmark';
import { enableProfiling, profileCase } from './profiling';
import { printReport, roundText } from './report';
import { keepResult } from './result';

/** Opens, warms up, measures round by round, prints, keeps and closes. */
export async function runBenchmark(name: string, benchmark: Benchmark, options: RunOptions): Promise<void> {
  console.log(`${name}: ${benchmark.title}`);
  if (options.profile) enableProfiling();
  const bench = await benchmark.open(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void bench.close().finally(() => process.exit(130)));
  }
  try {
    const names = bench.cases.map((each) => each.name);
    const unknown = options.only.find((only) => !names.includes(only));
    if (unknown !== undefined) throw new Error(`no case "${unknown}" among: ${names.join(' | ')}`);
    const cases = bench.cases.filter((each) => options.only.length === 0 || options.only.includes(each.name));
    const samples: Samples = Object.fromEntries(cases.map((each) => [each.name, []]));
    for (const each of cases) if (!each.warmsUpItself) await each.measure(options.warmUpSeconds);
    for (let round = 0; round < options.rounds; round += 1) {
      // Another one goes first in each round, so that drift of the machine hits nobody in particular.
      const order = cases.map((_, index) => cases[(index + round) % cases.length] as Case);
      for (const each of order) {
        const sample = await each.measure(options.seconds);
        samples[each.name]?.push(sample);
        process.stdout.write(`  round ${round + 1}  ${each.name}: ${roundText(sample)}\n`);
      }
    }
    const result = keepResult(name, benchmark.title, bench, cases, samples, options);
    printReport(result);
    if (options.profile) for (const each of cases) await profileCase(each, options.seconds);
  } finally {
    await bench.close();
  }
}
