// One run as data: medians, best rounds, spread and ratios, kept in bench/results/<name>.json (not committed; docs/benchmark-log.md keeps them, docs/benchmarks.md the newest of each).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Bench, Case, Goal, Metric, RunOptions, Sample, Samples } from './benchmark';
import { median, spread } from './statistics';

export interface CaseResult {
  name: string;
  kind: Case['kind'];
  rate: { median: number; best: number; spread: number };
  /** Median over rounds of this case's rate divided by the reference's in the same round. */
  ratio: number;
  bestRatio: number;
  p50Ms: number | null;
  p99Ms: number | null;
  /** Median and lowest. */
  cpuMicros: [number, number] | null;
  databaseCpuMicros: number | null;
  /** Of server and databases together, and what it is of the reference's in the same round. */
  allCpuMicros: number | null;
  cpuRatio: number | null;
  rssMb: number | null;
  extra: Record<string, number>;
}

interface GoalResult extends Goal {
  reached: number;
  isMet: boolean;
}

export interface Result {
  name: string;
  title: string;
  date: string;
  machine: string;
  options: { rounds: number; seconds: number; warmUpSeconds: number; note: string };
  facts: string[];
  reference: string;
  cases: CaseResult[];
  goals: GoalResult[];
}

const folder = join(__dirname, '../results');
const runsKeptMax = 20;

/** Computes the result, appends it to the file of this benchmark and returns it. */
export function keepResult(
  name: string,
  title: string,
  bench: Bench,
  cases: Case[],
  samples: Samples,
  { rounds, seconds, warmUpSeconds, note }: RunOptions,
): Result {
  const result: Result = {
    name,
    title,
    date: new Date().toISOString(),
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    options: { rounds, seconds, warmUpSeconds, note },
    facts: bench.facts,
    reference: bench.reference,
    cases: cases.map((each) => caseResult(each, samples, bench.reference)),
    goals: bench.goals.flatMap((goal) => goalResult(goal, samples)),
  };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll('/', '-')}.json`);
  writeFileSync(path, `${JSON.stringify([...keptRuns(path), result].slice(-runsKeptMax), null, 2)}\n`);
  return result;
}

function keptRuns(path: string): Result[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Result[];
  } catch {
    return [];
  }
}

function caseResult({ name, kind }: Case, samples: Samples, reference: string): CaseResult {
  const own = samples[name] ?? [];
  const rates = own.map((sample) => sample.rate);
  const referenceRates = (samples[reference] ?? []).map((sample) => sample.rate);
  const numbers = (read: (sample: Sample) => number | null | undefined) =>
    own.map(read).filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  const middle = (values: number[]) => (values.length > 0 ? median(values) : null);
  const cpu = numbers((sample) => sample.cpuMicros);
  const referenceCpu = (samples[reference] ?? []).map(allCpuOf);
  const extras = [...new Set(own.flatMap((sample) => Object.keys(sample.extra ?? {})))];
  return {
    name,
    kind,
    rate: { median: median(rates), best: Math.max(...rates), spread: spread(rates) },
    ratio: median(rates.map((rate, round) => rate / (referenceRates[round] ?? Number.NaN))),
    bestRatio: Math.max(...rates) / Math.max(...referenceRates),
    p50Ms: middle(numbers((sample) => sample.p50Ms)),
    p99Ms: middle(numbers((sample) => sample.p99Ms)),
    cpuMicros: cpu.length > 0 ? [median(cpu), Math.min(...cpu)] : null,
    databaseCpuMicros: middle(numbers((sample) => sample.databaseCpuMicros)),
    allCpuMicros: middle(numbers(allCpuOf)),
    cpuRatio: middle(
      own.map((sample, round) => allCpuOf(sample) / (referenceCpu[round] ?? Number.NaN)).filter(Number.isFinite),
    ),
    rssMb: middle(numbers((sample) => sample.rssMb)),
    extra: Object.fromEntries(extras.map((key) => [key, median(numbers((sample) => sample.extra?.[key]))])),
  };
}

function goalResult(goal: Goal, samples: Samples): GoalResult[] {
  const own = samples[goal.of] ?? [];
  const other = goal.against === undefined ? null : (samples[goal.against] ?? []);
  if (own.length === 0 || other?.length === 0) return [];
  const ratios = own.map(
    (sample, round) => figure(sample, goal.metric) / (other ? figure(other[round] as Sample, goal.metric) : 1),
  );
  const reached = median(ratios);
  const isMet =
    reached >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && reached <= (goal.atMost ?? Number.POSITIVE_INFINITY);
  return [{ ...goal, reached, isMet }];
}

/** NaN where a case counts none. */
function allCpuOf({ cpuMicros, databaseCpuMicros }: Sample): number {
  return typeof cpuMicros === 'number' ? cpuMicros + (databaseCpuMicros ?? 0) : Number.NaN;
}

function figure(sample: Sample, metric: Metric): number {
  if (metric === 'allCpuMicros') return allCpuOf(sample);
  const value = metric.startsWith('extra.') ? sample.extra?.[metric.slice('extra.'.length)] : sample[metric as 'rate'];
  return value ?? Number.NaN;
}
