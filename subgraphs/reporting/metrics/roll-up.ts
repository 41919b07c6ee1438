// Roll-ups: the sums of figures by hour and by day, at three levels, so that any question reads few of them; pure.
import type { Environment } from '../../shared/callers/caller';
import type { LogLane } from '../journal/read-log';
import type { Figure, FigureKey } from './figures';

/**
 * PLATFORM: everything, a part for each lane of the log, so that no two leaders write the same one. MERCHANT: a merchant. Both by currency, with their own
 * sums by circuit and by country of the card. DETAIL: each combination of everything that figures are kept by.
 */
export const levels = ['PLATFORM', 'MERCHANT', 'DETAIL'] as const;
export type Level = (typeof levels)[number];

export const grains = ['HOUR', 'DAY'] as const;
export type Grain = (typeof grains)[number];

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lengths: Readonly<Record<Grain, number>> = { HOUR: hourMs, DAY: dayMs };

/** In UTC. */
export function grainStart(grain: Grain, at: Date): Date {
  return new Date(Math.floor(at.getTime() / lengths[grain]) * lengths[grain]);
}

/** Whose sums they are; at the level of the platform nobody's. */
export type RollUpKey = { [Part in keyof FigureKey]: FigureKey[Part] | null };

export interface Sum {
  count: number;
  /** Absent: it is not about money. */
  minor?: bigint;
}

/** By name of the counter. */
export type Sums = Map<string, Sum>;

export interface RollUp {
  /** `rollUpId`. */
  id: string;
  environment: Environment;
  level: Level;
  grain: Grain;
  start: Date;
  key: RollUpKey;
  sums: Sums;
  /** Of operations only: counters named `<method> <circuit>|<counter>`. */
  circuits: Sums;
  /** Of operations only: counters named `<country>|<counter>`, without a name where the country is not known. */
  countries: Sums;
}

/** Ids of a level and grain follow each other in time. */
export function rollUpId(
  { environment, level, grain }: Pick<RollUp, 'environment' | 'level' | 'grain'>,
  start: Date,
  parts: readonly (string | null)[] = [],
): string {
  let id = `${environment}:${level}:${grain}:${start.toISOString().slice(0, 13)}`;
  for (const part of parts) id += `:${part?.replaceAll(':', '%3A') ?? ''}`;
  return id;
}

/** What the figures of one batch of a lane add, one for each roll-up that they touch. */
export function rollUpsOf(environment: Environment, lane: LogLane, figures: readonly Figure[]): RollUp[] {
  const touched = new Map<string, RollUp>();
  for (const figure of figures) {
    for (const level of levels) {
      for (const grain of grains) addTo(touched, { environment, level, grain }, lane, figure);
    }
  }
  return [...touched.values()];
}

const nobody = { accountId: null, merchantId: null, terminalId: null, method: null, circuit: null, country: null };

function addTo(
  touched: Map<string, RollUp>,
  kind: Pick<RollUp, 'environment' | 'level' | 'grain'>,
  lane: LogLane,
  { key: whole, at, counted }: Figure,
): void {
  const { level, grain } = kind;
  const key = keyAt(level, whole);
  const start = grainStart(grain, at);
  const id = rollUpId(kind, start, level === 'PLATFORM' ? [lanePart(lane), key.currency] : partsOf(level, key));
  const known = touched.get(id);
  const rollUp = known ?? { ...kind, id, start, key, sums: new Map(), circuits: new Map(), countries: new Map() };
  if (!known) touched.set(id, rollUp);
  for (const { name, minor } of counted) {
    add(rollUp.sums, name, 1, minor);
    if (level === 'DETAIL') continue;
    if (!whole.method) continue;
    add(rollUp.circuits, `${whole.method} ${whole.circuit ?? ''}|${name}`, 1, minor);
    add(rollUp.countries, `${whole.country ?? ''}|${name}`, 1, minor);
  }
}

function keyAt(level: Level, whole: FigureKey): RollUpKey {
  if (level === 'DETAIL') return whole;
  const { accountId, merchantId, currency } = whole;
  return level === 'MERCHANT' ? { ...nobody, accountId, merchantId, currency } : { ...nobody, currency };
}

function partsOf(level: Level, { merchantId, currency, terminalId, method, circuit, country }: RollUpKey) {
  return level === 'MERCHANT' ? [merchantId, currency] : [merchantId, currency, terminalId, method, circuit, country];
}

function lanePart({ layout, lane }: LogLane): string {
  return `${layout}-${lane}`;
}

export function add(sums: Sums, name: string, count: number, minor?: bigint): void {
  const sum = sums.get(name);
  if (!sum) return void sums.set(name, { count, minor });
  sum.count += count;
  if (minor !== undefined) sum.minor = (sum.minor ?? 0n) + minor;
}
