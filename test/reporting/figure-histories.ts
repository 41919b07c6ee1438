// Random histories of operations, random questions about them, and the answer by a recount of the operations.
import {
  type MetricDimension,
  metricDimensions,
  metricIntervals,
  partOfDimension,
  readQuestion,
} from '../../subgraphs/reporting/metrics/metric-question';
import type { ShownRow } from '../../subgraphs/reporting/metrics/metric-row.type';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { operationResults, operationTypes } from '../../subgraphs/shared/vocabulary/operation';
import fc from '../support/properties';
import { merchants, type ReportingWorld, start } from './reporting-world';

const hourMs = 3_600_000;

/** What happens to one operation. */
export interface Happening {
  who: keyof typeof merchants;
  type: string;
  result: string;
  amount: number;
  currency: string;
  method: 'CARD' | 'APM';
  circuit: string;
  terminalId: string | null;
  country: string | null;
  hour: number;
  /** It was open first, so many hours before. */
  openHours: number | null;
}

export const happening: fc.Arbitrary<Happening> = fc.record({
  who: fc.constantFrom(...(Object.keys(merchants) as (keyof typeof merchants)[])),
  type: fc.constantFrom(...operationTypes),
  result: fc.constantFrom(...operationResults.filter((result) => result !== 'PENDING')),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  currency: fc.constantFrom('EUR', 'SEK'),
  method: fc.constantFrom('CARD', 'CARD', 'APM'),
  circuit: fc.constantFrom('VISA', 'MC', 'PAYPAL', 'odd.name$'),
  terminalId: fc.constantFrom('t-1', 't-2', null),
  country: fc.constantFrom('ITA', 'DNK', null),
  hour: fc.integer({ min: 0, max: 24 * 40 }),
  openHours: fc.constantFrom(null, null, null, 0, 2, 30),
});

export const timeOf = ({ hour }: Happening, before = 0) => new Date(start.getTime() + (hour - before) * hourMs + 1_234);

/** The operation as payments stores it in the end: what a recount is made of. */
export function eventsOf(world: ReportingWorld, one: Happening): NewEvent[] {
  const merchant = merchants[one.who];
  const movement = { amount: BigInt(one.amount), currency: one.currency, method: one.method, circuit: one.circuit };
  const tell = (operationResult: string, at: Date): NewEvent => {
    const event = world.operation(merchant, { ...movement, operationType: one.type, operationResult, at });
    const place = withoutUndefined({ terminalId: one.terminalId || undefined });
    const more = one.country ? { cardCountry: one.country } : {};
    return {
      ...event,
      data: { ...event.data, ...place, additionalData: more },
    };
  };
  const final = tell(one.result, timeOf(one));
  if (one.openHours === null) return [final];
  const open = tell('PENDING', timeOf(one, one.openHours));
  return [open, { ...final, type: 'operation.resultChanged', aggregateId: open.aggregateId, sequence: 2 }];
}

type Values = Record<string, string | null>;

function valuesOf(one: Happening): Values {
  const { merchantId } = merchants[one.who];
  const circuit = one.circuit.replaceAll(/[^\w-]/g, '_');
  const { terminalId, method, currency, country } = one;
  return { merchantId, terminalId, method, circuit, currency, country };
}

export const shownFields = [
  'operations',
  'captured',
  'refunded',
  'undone',
  'approved',
  'declined',
  'approvalRate',
  'declines',
  'authentication',
] as const satisfies readonly (keyof ShownRow)[];

export interface Asked {
  interval: (typeof metricIntervals)[number];
  groupBy: MetricDimension[];
  fromHour: number;
  hours: number;
  filter: Record<string, string[] | null>;
  isTenant: boolean;
  field: (typeof shownFields)[number];
}

export const asked: fc.Arbitrary<Asked> = fc.record({
  interval: fc.constantFrom(...metricIntervals),
  groupBy: fc.subarray([...metricDimensions]),
  fromHour: fc.integer({ min: -5, max: 24 * 20 }),
  hours: fc.integer({ min: 1, max: 24 * 25 }),
  filter: fc.record({
    merchantIds: fc.constantFrom(null, null, ['m-one'], ['m-one', 'm-other']),
    currencies: fc.constantFrom(null, null, ['SEK']),
    circuits: fc.constantFrom(null, null, ['VISA', 'PAYPAL']),
    countries: fc.constantFrom(null, null, null, ['ITA']),
    methods: fc.constantFrom(null, null, null, ['CARD']),
    terminalIds: fc.constantFrom(null, null, null, ['t-1']),
  }),
  isTenant: fc.boolean(),
  field: fc.constantFrom(...shownFields),
}) as never;

export function questionOf({ interval, groupBy, fromHour, hours, filter }: Asked) {
  const isOfTerminals = groupBy.includes('TERMINAL') || filter['terminalIds'];
  const named = isOfTerminals && !filter['merchantIds'] ? { ...filter, merchantIds: ['m-one', 'm-two'] } : filter;
  const from = new Date(start.getTime() + fromHour * hourMs);
  return readQuestion({
    range: { from, to: new Date(from.getTime() + hours * hourMs) },
    interval,
    groupBy,
    filter: named,
  });
}

/** The naive way: every operation looked at, one by one. */
export function recount(history: readonly Happening[], question: ReturnType<typeof questionOf>, isTenant: boolean) {
  const filters = {
    merchantIds: 'merchantId',
    terminalIds: 'terminalId',
    methods: 'method',
    circuits: 'circuit',
    currencies: 'currency',
    countries: 'country',
  };
  const sums = new Map<string, { count: number; minor: bigint }>();
  for (const one of history) {
    const [at, values] = [timeOf(one), valuesOf(one)];
    if (at < question.from || at >= question.to || (isTenant && merchants[one.who].accountId !== 'alpha')) continue;
    const isWanted = Object.entries(filters).every(([name, part]) => {
      const wanted = question.filter[name as keyof typeof question.filter];
      return !wanted || wanted.includes(values[part] ?? '');
    });
    if (!isWanted) continue;
    const group = question.groupBy.map((dimension) => values[partOfDimension[dimension]] ?? null);
    const key = JSON.stringify([calendar(question, at), group, one.type, one.result, one.currency]);
    const sum = sums.get(key) ?? { count: 0, minor: 0n };
    sums.set(key, { count: sum.count + 1, minor: sum.minor + BigInt(one.amount) });
  }
  return sums;
}

/** Written another way than the product's. */
function calendar({ interval, from }: ReturnType<typeof questionOf>, at: Date): string {
  const text = at.toISOString();
  let begin = from.toISOString();
  if (interval === 'HOUR') begin = `${text.slice(0, 13)}:00:00.000Z`;
  if (interval === 'DAY') begin = `${text.slice(0, 10)}T00:00:00.000Z`;
  if (interval === 'MONTH') begin = `${text.slice(0, 7)}-01T00:00:00.000Z`;
  if (interval === 'WEEK') {
    const monday = new Date(`${text.slice(0, 10)}T00:00:00.000Z`);
    while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
    begin = monday.toISOString();
  }
  return [begin, from.toISOString()].sort().at(-1) ?? begin;
}
