// One row of an answer: the sums of an interval and a group, and what a reader wants to know of them; pure.
import {
  type OperationResult,
  type OperationType,
  operationResults,
  operationTypes,
} from '../../shared/vocabulary/operation';
import { wordOf } from '../../shared/vocabulary/word-of';
import { type authenticationWays, type Counter, counterOf, type onboardingSteps } from './counter';
import type { Movement } from './figures';
import { type Histogram, percentileOf } from './latency';
import type { MetricDimension } from './metric-question';
import type { Sums } from './roll-up';

export type Group = Partial<Record<MetricDimension, string | null>>;

export interface MetricRow {
  start: Date;
  group: Group;
  /** By currency; what is not about money under ''. */
  sums: Map<string, Sums>;
  callbacks: { attempts: number; delivered: number; latency: Histogram };
  /** What is a merchant's and of no terminal, method, circuit or country can be told. */
  isOfMerchants: boolean;
}

export function emptyRow(start: Date, group: Group, areOfMerchants: boolean): MetricRow {
  const callbacks = { attempts: 0, delivered: 0, latency: new Map() };
  return { start, group, sums: new Map(), callbacks, isOfMerchants: areOfMerchants };
}

/** The sums of a currency, to add to. */
export function sumsIn({ sums }: MetricRow, currency: string | null): Sums {
  const known = sums.get(currency ?? '');
  if (known) return known;
  const made: Sums = new Map();
  sums.set(currency ?? '', made);
  return made;
}

export interface Volume {
  count: number;
  volume: { currency: string; minor: bigint }[];
}

type IsWantedCounter = (counter: Counter) => boolean;

/** Over the counters that are wanted. */
function volumeOf({ sums }: MetricRow, isWanted: IsWantedCounter): Volume {
  const volume: Volume['volume'] = [];
  let whole = 0;
  for (const [currency, ofCurrency] of sums) {
    let minor: bigint | null = null;
    for (const [name, sum] of ofCurrency) {
      if (!isWanted(counterOf(name))) continue;
      whole += sum.count;
      minor = (minor ?? 0n) + (sum.minor ?? 0n);
    }
    if (minor !== null && currency) volume.push({ currency, minor });
  }
  return { count: whole, volume: volume.sort(({ currency: one }, { currency: other }) => (one < other ? -1 : 1)) };
}

function countOf({ sums }: MetricRow, isWanted: IsWantedCounter): number {
  let whole = 0;
  for (const ofCurrency of sums.values())
    for (const [name, { count }] of ofCurrency) if (isWanted(counterOf(name))) whole += count;
  return whole;
}

/** Every counter with that first word, in the order of their names. */
function namedBy({ sums }: MetricRow, word: string): Counter[] {
  const names = new Set([...sums.values()].flatMap((ofCurrency) => [...ofCurrency.keys()]));
  return [...names]
    .sort()
    .map(counterOf)
    .filter((counter) => counter.word === word);
}

export interface OperationFigure extends Volume {
  type: OperationType;
  result: OperationResult;
}

export function operationFigures(row: MetricRow): OperationFigure[] {
  return namedBy(row, 'op').flatMap((counter) => {
    const words = counter.rest.split(' ');
    const type = wordOf(operationTypes, words[0]);
    const result = wordOf(operationResults, words[1]);
    return type && result ? [{ type, result, ...volumeOf(row, (other) => other === counter) }] : [];
  });
}

export function movedOf(row: MetricRow, movement: Movement): Volume {
  return volumeOf(row, (counter) => counter.movement === movement);
}

export function chargebacksOf(row: MetricRow): Volume {
  return volumeOf(row, ({ word }) => word === 'chargeback');
}

export interface DecidedCharges {
  approved: number;
  declined: number;
  approvalRate: number | null;
}

export function decidedOf({ sums }: MetricRow): DecidedCharges {
  let [approved, declined] = [0, 0];
  for (const ofCurrency of sums.values()) {
    for (const [name, { count }] of ofCurrency) {
      const { verdict } = counterOf(name);
      if (verdict === 'approved') approved += count;
      if (verdict === 'declined') declined += count;
    }
  }
  return { approved, declined, approvalRate: rateOf(approved, approved + declined) };
}

/** Most frequent first. */
export function declinesOf(row: MetricRow): { reason: string; count: number }[] {
  const all = namedBy(row, 'no').map((counter) => ({
    reason: counter.rest,
    count: countOf(row, (other) => other === counter),
  }));
  return all.sort((one, other) => other.count - one.count);
}

const isNamed =
  (word: string, rest: string): IsWantedCounter =>
  (counter) =>
    counter.word === word && counter.rest === rest;

export function authenticationOf(row: MetricRow) {
  const of = (way: (typeof authenticationWays)[number]) => countOf(row, isNamed('3ds', way));
  const [passed, failed, frictionless, exempted] = [of('challenge'), of('failed'), of('frictionless'), of('exempted')];
  const challenged = passed + failed;
  const challengeRate = rateOf(challenged, challenged + frictionless + exempted);
  return { challenged, passed, failed, frictionless, exempted, challengeRate };
}

export function funnelOf(row: MetricRow) {
  const of = (step: (typeof onboardingSteps)[number]) => countOf(row, isNamed('onboarding', step));
  return {
    created: of('created'),
    signed: of('signed'),
    approved: of('approved'),
    refused: of('refused'),
    abandoned: of('abandoned'),
  };
}

export function callbacksOf({ callbacks: { attempts, delivered, latency } }: MetricRow) {
  return {
    attempts,
    delivered,
    failed: attempts - delivered,
    successRate: rateOf(delivered, attempts),
    p50Ms: percentileOf(latency, 0.5),
    p95Ms: percentileOf(latency, 0.95),
  };
}

/** 0 up to 1; null where there is nothing to tell a rate of. */
function rateOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
