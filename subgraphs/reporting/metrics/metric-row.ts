// One row of an answer: the sums of an interval and a group, and what a reader wants to know of them; pure.
import {
  type OperationResult,
  type OperationType,
  operationResults,
  operationTypes,
} from '../../shared/vocabulary/operation';
import { wordOf } from '../../shared/vocabulary/word-of';
import { movementOf, verdictOf } from './figures';
import { type Histogram, percentileOf } from './latency';
import type { MetricDimension } from './metric-question';
import { add, emptySums, type Sums } from './roll-up';

export type Group = Partial<Record<MetricDimension, string | null>>;

export interface MetricRow {
  start: Date;
  group: Group;
  /** By currency; what is not about money under ''. */
  sums: Map<string, Sums>;
  callbacks: { attempts: number; delivered: number; latency: Histogram };
}

export function emptyRow(start: Date, group: Group): MetricRow {
  return { start, group, sums: new Map(), callbacks: { attempts: 0, delivered: 0, latency: new Map() } };
}

export function addToRow(row: MetricRow, currency: string | null, name: string, count: number, minor?: bigint): void {
  const sums = row.sums.get(currency ?? '') ?? emptySums();
  row.sums.set(currency ?? '', sums);
  add(sums, name, count, minor);
}

export interface Volume {
  count: number;
  volume: { currency: string; minor: bigint }[];
}

/** Over the counters that `isWanted` names. */
function volumeOf({ sums }: MetricRow, isWanted: (name: string) => boolean): Volume {
  let count = 0;
  const volume: Volume['volume'] = [];
  for (const [currency, { counts, minor }] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = [...counts.keys()].filter(isWanted);
    count += names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    if (names.length > 0 && currency)
      volume.push({ currency, minor: names.reduce((sum, name) => sum + (minor.get(name) ?? 0n), 0n) });
  }
  return { count, volume };
}

function countOf(row: MetricRow, isWanted: (name: string) => boolean): number {
  return volumeOf(row, isWanted).count;
}

/** Every counter with that first word, and the rest of its name, in the order of the names. */
function namedBy({ sums }: MetricRow, word: string): string[] {
  const names = new Set([...sums.values()].flatMap(({ counts }) => [...counts.keys()]));
  const prefix = `${word} `;
  return [...names]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
}

function operationOf(name: string): [type: string, result: string] | null {
  const [word, type = '', result = ''] = name.split(' ');
  return word === 'op' ? [type, result] : null;
}

export interface OperationFigure extends Volume {
  type: OperationType;
  result: OperationResult;
}

export function operationFigures(row: MetricRow): OperationFigure[] {
  return namedBy(row, 'op').flatMap((rest) => {
    const words = rest.split(' ');
    const type = wordOf(operationTypes, words[0]);
    const result = wordOf(operationResults, words[1]);
    return type && result ? [{ type, result, ...volumeOf(row, (name) => name === `op ${rest}`) }] : [];
  });
}

const isMovement = (wanted: ReturnType<typeof movementOf>) => (name: string) => {
  const operation = operationOf(name);
  return operation !== null && movementOf(...operation) === wanted;
};

export function movedOf(row: MetricRow, movement: 'captured' | 'refunded' | 'undone'): Volume {
  return volumeOf(row, isMovement(movement));
}

export function chargebacksOf(row: MetricRow): Volume {
  return volumeOf(row, (name) => name === 'chargeback');
}

export function decidedOf(row: MetricRow): { approved: number; declined: number; approvalRate: number | null } {
  const counted = (verdict: 'approved' | 'declined') =>
    countOf(row, (name) => {
      const operation = operationOf(name);
      return operation !== null && verdictOf(...operation) === verdict;
    });
  const [approved, declined] = [counted('approved'), counted('declined')];
  return { approved, declined, approvalRate: rateOf(approved, approved + declined) };
}

/** Most frequent first. */
export function declinesOf(row: MetricRow): { reason: string; count: number }[] {
  const all = namedBy(row, 'no').map((reason) => ({ reason, count: countOf(row, (name) => name === `no ${reason}`) }));
  return all.sort((one, other) => other.count - one.count);
}

export function authenticationOf(row: MetricRow) {
  const of = (way: string) => countOf(row, (name) => name === `3ds ${way}`);
  const [passed, failed, frictionless, exempted] = [of('challenge'), of('failed'), of('frictionless'), of('exempted')];
  const challenged = passed + failed;
  const challengeRate = rateOf(challenged, challenged + frictionless + exempted);
  return { challenged, passed, failed, frictionless, exempted, challengeRate };
}

export function funnelOf(row: MetricRow) {
  const of = (step: string) => countOf(row, (name) => name === `onboarding ${step}`);
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
