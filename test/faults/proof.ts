// A proof: a seeded run against whole programs, in a small size with every test run and in any size by `npm run proof -- <name>` (docs/proof.md).
import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createRandom, type Random } from './random';

/** How much a proof does, as named counts. */
export type Size = Record<string, number>;
/** What it measured, in the order in which it is shown. */
export type Figures = Record<string, number | string>;

export interface ProofRun<S extends Size> {
  size: S;
  /** With every test run, among all others. */
  isSmoke: boolean;
  random: Random;
  /** What `random` began with, for tools that draw by themselves. */
  seed: number;
}

interface Sizes<S extends Size> {
  smoke: S;
  full: S;
}

/** Only a run that hangs is ended by these. */
const smokeMsMax = 900_000;
const fullMsMax = 4 * 3_600_000;
/** Of the smoke size, so that two test runs do the same. */
const smokeSeed = 20_261_121;

/** How long something promised within `promisedMs` may take: that long in a run by name, more among all the other tests of a run. */
export function timeLimitMs(promisedMs: number): number {
  return process.env['PROOF_SIZE'] === undefined ? promisedMs * 4 : promisedMs;
}

const startedAtMs = performance.now();
/** What part of its rounds the proof of this process did. */
let partDone = 1;

/** The rounds that are done: all, unless PROOF_MINUTES end before (the run counts as the part of its size that was done). */
export function* whileTimeLasts<Round>(rounds: readonly Round[]): Generator<Round> {
  const minutes = Number(process.env['PROOF_MINUTES'] ?? Number.POSITIVE_INFINITY);
  for (const [done, round] of rounds.entries()) {
    partDone = done / rounds.length;
    if (done > 0 && performance.now() - startedAtMs > minutes * 60_000) return;
    yield round;
  }
  partDone = 1;
}

/** Declares the test of one proof; `run` throws when a promise was broken and returns the figures otherwise. */
export function proof<S extends Size>(
  name: string,
  sizes: Sizes<S>,
  run: (context: ProofRun<S>) => Promise<Figures>,
): void {
  const factor = process.env['PROOF_SIZE'];
  const seed = Number(process.env['PROOF_SEED'] ?? (factor === undefined ? smokeSeed : randomInt(1, 2 ** 31)));
  const size = factor === undefined ? sizes.smoke : scaled(sizes.full, Number(factor));
  const replay = `npm run proof -- ${name} --seed ${seed} --size ${factor ?? 'smoke'}`;

  test(
    `${name} (seed ${seed})`,
    async () => {
      const startedAt = Date.now();
      try {
        const figures = await run({ size, isSmoke: factor === undefined, random: createRandom(seed), seed });
        const seconds = Math.round((Date.now() - startedAt) / 1_000);
        const shownSize = factor === undefined ? 'smoke' : String(Number((Number(factor) * partDone).toPrecision(2)));
        const record = { name, seed, size: shownSize, figures: { ...figures, seconds } };
        process.stdout.write(`${JSON.stringify(record)}\n`);
        if (process.env['PROOF_RECORD']) appendFileSync(process.env['PROOF_RECORD'], `${JSON.stringify(record)}\n`);
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        throw new Error(`${name} failed with seed ${seed}. Again: ${replay}\n${reason}`, { cause: error });
      }
    },
    factor === undefined ? smokeMsMax : fullMsMax,
  );
}

/** A proof that `npm test` leaves out: what it adds to the one that runs there is worth its time by name alone. */
export const namedProof: typeof proof = (...given) => {
  if (process.env['PROOF_RECORD']) proof(...given);
};

function scaled<S extends Size>(full: S, factor: number): S {
  const entries = Object.entries(full).map(([key, count]) => [key, Math.max(1, Math.round(count * factor))]);
  return Object.fromEntries(entries) as S;
}

/** Fails with the first few of what should not be there. */
export function expectNone(what: string, found: readonly unknown[]): void {
  if (found.length === 0) return;
  const shown = found.slice(0, 5).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  throw new Error(`${found.length} ${what}:\n  ${shown.join('\n  ')}`);
}

/** The value below which that share of the values lies; 0 without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
