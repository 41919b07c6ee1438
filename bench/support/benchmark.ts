// What a benchmark is: limit, ordinary shape and product as cases of one run, the samples they give and the goals they are held to.

/** What one case did in one round. */
export interface Sample {
  /** Operations per second: requests, deliveries, tokens. For `start` it is 1000 / milliseconds. */
  rate: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU microseconds of the server side per operation. */
  cpuMicros?: number | null;
  /** CPU microseconds of the databases per operation, where a case uses them. */
  databaseCpuMicros?: number | null;
  rssMb?: number | null;
  /** Other figures worth printing, by name. */
  extra?: Record<string, number>;
}

export interface Case {
  name: string;
  /** `limit`: the physical bound; `ordinary`: how it is usually built; `product`: this program; `peer`: anything else worth seeing. */
  kind: 'limit' | 'ordinary' | 'product' | 'peer';
  measure(seconds: number): Promise<Sample>;
  /** Not measured for a while before the rounds. */
  warmsUpItself?: boolean;
  /** Server processes, for `--profile`. */
  pids?: number[];
}

/** `allCpuMicros`: CPU of server and databases together per operation. */
export type Metric = 'rate' | 'p50Ms' | 'p99Ms' | 'rssMb' | 'allCpuMicros' | `extra.${string}`;

/** The median over rounds of one case's figure, divided by another's in the same round; without `against` the figure itself. */
export interface Goal {
  metric: Metric;
  of: string;
  against?: string;
  atLeast?: number;
  atMost?: number;
  /** The better figure that we would like. */
  aim?: number;
}

/** The cases of one run and everything that was opened for them. */
export interface Bench {
  cases: Case[];
  /** Which case the printed ratios refer to. */
  reference: string;
  goals: Goal[];
  /** Facts about the set-up, printed with the result. */
  facts: string[];
  close(): Promise<void>;
}

export interface RunOptions {
  rounds: number;
  seconds: number;
  /** Each case is measured for so long before the rounds, and forgotten: a process compiles what it runs often for a minute and more. */
  warmUpSeconds: number;
  /** Names of cases to run; empty for all. */
  only: string[];
  note: string;
  /** One more round of each case under the CPU profiler. */
  profile: boolean;
}

export interface Benchmark {
  title: string;
  open(options: RunOptions): Promise<Bench>;
}

/** Samples by case name, one per round. */
export type Samples = Record<string, Sample[]>;
