// A question about figures: what may be asked, into which intervals it falls, and which roll-ups answer it; pure.
import { DomainError } from '../../shared/errors';
import { assertKnownWords } from '../../shared/list-filter';
import type { FigureKey } from './figures';
import { type Grain, grainStart, hourMs, type Level } from './roll-up';

const dayMs = 24 * hourMs;

/** WHOLE: one interval, the range itself. */
export const metricIntervals = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'WHOLE'] as const;
export type MetricInterval = (typeof metricIntervals)[number];

export const metricDimensions = ['MERCHANT', 'TERMINAL', 'METHOD', 'CIRCUIT', 'CURRENCY', 'COUNTRY'] as const;
export type MetricDimension = (typeof metricDimensions)[number];

/** Where a figure has each dimension. */
export const partOfDimension = {
  MERCHANT: 'merchantId',
  TERMINAL: 'terminalId',
  METHOD: 'method',
  CIRCUIT: 'circuit',
  CURRENCY: 'currency',
  COUNTRY: 'country',
} as const satisfies Record<MetricDimension, keyof FigureKey>;

/** Each: any of these values; absent or null: whatever value. */
export interface MetricFilter {
  merchantIds?: readonly string[] | null;
  terminalIds?: readonly string[] | null;
  methods?: readonly string[] | null;
  circuits?: readonly string[] | null;
  currencies?: readonly string[] | null;
  countries?: readonly string[] | null;
}

const filterOfDimension = {
  MERCHANT: 'merchantIds',
  TERMINAL: 'terminalIds',
  METHOD: 'methods',
  CIRCUIT: 'circuits',
  CURRENCY: 'currencies',
  COUNTRY: 'countries',
} as const satisfies Record<MetricDimension, keyof MetricFilter>;

export interface MetricQuestion {
  /** Whole hours. */
  from: Date;
  to: Date;
  interval: MetricInterval;
  groupBy: readonly MetricDimension[];
  filter: MetricFilter;
}

const metricDaysMax = 400;
const intervalsMax = 1_000;
const filterValuesMax = 100;

/** Refuses with `invalidInput`; the range is widened to whole hours. */
export function readQuestion(asked: {
  range: { from: Date; to: Date };
  interval: MetricInterval;
  groupBy?: readonly MetricDimension[] | null;
  filter?: MetricFilter | null;
}): MetricQuestion {
  const from = grainStart('HOUR', asked.range.from);
  const to = grainStart('HOUR', new Date(asked.range.to.getTime() + hourMs - 1));
  const groupBy = [...new Set(asked.groupBy ?? [])];
  const filter = asked.filter ?? {};
  if (from >= to) throw refusal('range', 'range.to has to be later than range.from.');
  if (to.getTime() - from.getTime() > metricDaysMax * dayMs)
    throw refusal('range', `The range has at most ${metricDaysMax} days.`);
  for (const [name, values] of Object.entries(filter) as [string, readonly string[] | null][])
    if (values && (values.length === 0 || values.length > filterValuesMax))
      throw refusal(`filter.${name}`, `filter.${name} has 1 to ${filterValuesMax} values.`);
  assertKnownWords(filter, 'filter.');
  const question = { from, to, interval: asked.interval, groupBy, filter };
  if (intervalStarts(question).length > intervalsMax)
    throw refusal('interval', `The range has more than ${intervalsMax} intervals: shorten it, or ask for longer ones.`);
  if (uses(question, 'TERMINAL') && !filter.merchantIds)
    throw refusal('filter.merchantIds', 'Terminals are told of the merchants that filter.merchantIds names.');
  return question;
}

function refusal(field: string, message: string): DomainError {
  return new DomainError('invalidInput', message, { field });
}

function uses({ groupBy, filter }: Pick<MetricQuestion, 'groupBy' | 'filter'>, dimension: MetricDimension): boolean {
  return groupBy.includes(dimension) || Boolean(filter[filterOfDimension[dimension]]);
}

/** The values that are wanted of a dimension; null: all. */
export function wantedOf({ filter }: Pick<MetricQuestion, 'filter'>, dimension: MetricDimension) {
  return filter[filterOfDimension[dimension]] ?? null;
}

/** Callbacks, applications and chargebacks are a merchant's: of no terminal, method, circuit or country. */
export function isOfMerchants(question: Pick<MetricQuestion, 'groupBy' | 'filter'>): boolean {
  return !(['TERMINAL', 'METHOD', 'CIRCUIT', 'COUNTRY'] as const).some((dimension) => uses(question, dimension));
}

/** The interval in which a moment of the range lies: where it starts, or where the range does. */
export function intervalStart({ from, interval }: Pick<MetricQuestion, 'from' | 'interval'>, at: Date): Date {
  const start = calendarStart(interval, at);
  return start === null || start < from ? from : start;
}

/** By the calendar of UTC, weeks from Monday; null: there is none. */
function calendarStart(interval: MetricInterval, at: Date): Date | null {
  if (interval === 'WHOLE') return null;
  if (interval === 'HOUR' || interval === 'DAY') return grainStart(interval, at);
  if (interval === 'MONTH') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
  const day = grainStart('DAY', at);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs);
}

/** All intervals of the range, first to last. */
export function intervalStarts(question: Pick<MetricQuestion, 'from' | 'to' | 'interval'>): Date[] {
  const { from, to, interval } = question;
  const stepMs = interval === 'HOUR' ? hourMs : dayMs;
  const starts = [from];
  for (let at = grainStart('DAY', from).getTime(); at < to.getTime() && interval !== 'WHOLE'; at += stepMs) {
    const start = intervalStart(question, new Date(at));
    const last = starts.at(-1);
    if (last && start > last) starts.push(start);
  }
  return starts;
}

/** Which of the sums of a roll-up are read. */
export interface RollUpReading {
  level: Level;
  sums: 'all' | 'circuits' | 'countries';
  /** The parts of the range, each read at a grain. */
  parts: { grain: Grain; from: Date; to: Date }[];
}

/** `now`: later than that nothing has happened. */
export function rollUpReadingOf(question: MetricQuestion, isOfOneAccount: boolean, now: Date): RollUpReading {
  const byMerchant = isOfOneAccount || uses(question, 'MERCHANT');
  const byCircuit = uses(question, 'METHOD') || uses(question, 'CIRCUIT');
  const byCountry = uses(question, 'COUNTRY');
  const isCrossed = uses(question, 'TERMINAL') || (byCircuit && byCountry);
  return {
    level: isCrossed ? 'DETAIL' : byMerchant ? 'MERCHANT' : 'PLATFORM',
    sums: isCrossed || !(byCircuit || byCountry) ? 'all' : byCircuit ? 'circuits' : 'countries',
    parts: partsOf(question, now),
  };
}

/** Whole days are read as days, and so is the one that is not over yet; what is left at the ends, or asked by hour, as hours. */
function partsOf({ from, to, interval }: MetricQuestion, now: Date): RollUpReading['parts'] {
  const firstDay = dayFrom(from);
  const lastDay = to > now ? dayFrom(to) : grainStart('DAY', to);
  if (interval === 'HOUR' || firstDay >= lastDay) return [{ grain: 'HOUR', from, to }];
  const parts: RollUpReading['parts'] = [
    { grain: 'HOUR', from, to: firstDay },
    { grain: 'DAY', from: firstDay, to: lastDay },
    { grain: 'HOUR', from: lastDay, to },
  ];
  return parts.filter((part) => part.from < part.to);
}

/** Where the first whole day begins. */
function dayFrom(at: Date): Date {
  return grainStart('DAY', new Date(at.getTime() + dayMs - 1));
}
