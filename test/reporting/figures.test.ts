// Figures are a recount: for random histories, with a leader that dies in the middle and lanes that are cut anew, what the graph answers is what adding up the operations themselves gives.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { eventNames } from '../../subgraphs/onboarding/applications/transitions';
import { createCallbackSumRepository } from '../../subgraphs/reporting/metrics/callback-sum.repository';
import { figureTypes } from '../../subgraphs/reporting/metrics/figures';
import { answerMetrics } from '../../subgraphs/reporting/metrics/metric.service';
import {
  type MetricDimension,
  metricDimensions,
  metricIntervals,
  partOfDimension,
  readQuestion,
} from '../../subgraphs/reporting/metrics/metric-question';
import { operationFigures } from '../../subgraphs/reporting/metrics/metric-row';
import { createRollUpRepository } from '../../subgraphs/reporting/metrics/roll-up.repository';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { operationResults, operationTypes } from '../../subgraphs/shared/vocabulary/operation';
import fc from '../support/properties';
import { dayMs, merchants, openReportingWorld, type ReportingWorld, start } from './reporting-world';

const hourMs = 3_600_000;
let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld(3);
});
afterAll(() => world.close());
beforeEach(() => world.empty());

test('every type of event that a domain writes is known to the figures, counted or not', () => {
  const root = join(__dirname, '../../subgraphs');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const texts = new Map(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const makers = [...texts].filter(([, text]) => /\baggregateType: '/.test(text)).map(([name]) => name);
  expect(makers.every((name) => name.endsWith('.events.ts'))).toBe(true);
  // Where their types are written down: beside them, or in the tables that they take them from.
  const sources = [...makers, 'tokenization/tokens/lifecycle.ts'];
  const types = sources.flatMap((name) => [...(texts.get(name) ?? '').matchAll(/'([a-z]\w+\.[a-z]\w+)'/gi)]);
  const known = new Set([...types.map(([, type]) => type), ...Object.values(eventNames)]);
  expect(makers.length).toBeGreaterThan(4);
  expect([...known].sort()).toEqual(Object.keys(figureTypes).sort());
});

/** What happens to one operation. */
interface Happening {
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

const happening: fc.Arbitrary<Happening> = fc.record({
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

const timeOf = ({ hour }: Happening, before = 0) => new Date(start.getTime() + (hour - before) * hourMs + 1_234);

/** The operation as payments stores it in the end: what a recount is made of. */
function eventsOf(one: Happening): NewEvent[] {
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

interface Asked {
  interval: (typeof metricIntervals)[number];
  groupBy: MetricDimension[];
  fromHour: number;
  hours: number;
  filter: Record<string, string[] | null>;
  isTenant: boolean;
}

const asked: fc.Arbitrary<Asked> = fc.record({
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
}) as never;

const tenant: Caller = { ...systemCaller('sandbox', 'tenant'), accountId: 'alpha' };

function questionOf({ interval, groupBy, fromHour, hours, filter }: Asked) {
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
function recount(history: readonly Happening[], question: ReturnType<typeof questionOf>, isTenant: boolean) {
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

/** `now`: of the last that has happened. */
async function answered(question: ReturnType<typeof questionOf>, caller: Caller, now: Date) {
  const { connection } = world.stores;
  const reads = {
    rollUps: createRollUpRepository(connection),
    callbackSums: createCallbackSumRepository(connection),
    clock: { now: () => now },
  };
  const { rows } = await answerMetrics(reads, requestContext(caller, 'request'), question, {
    areCallbacksShown: false,
  });
  const sums = new Map<string, { count: number; minor: bigint }>();
  for (const row of rows) {
    const group = question.groupBy.map((dimension) => row.group[dimension] ?? null);
    for (const [currency, one] of row.sums) {
      const counters = operationFigures({ ...row, sums: new Map([[currency, one]]) });
      for (const { type, result, count, volume } of counters) {
        if (result === 'PENDING') continue;
        const key = JSON.stringify([row.start.toISOString(), group, type, result, currency]);
        sums.set(key, { count, minor: volume[0]?.minor ?? 0n });
      }
    }
  }
  return sums;
}

const sorted = (sums: Map<string, unknown>) => [...sums].sort(([one], [other]) => (one < other ? -1 : 1));

async function countAll(): Promise<void> {
  for (const feed of await world.reporting.figureFeeds()) while ((await world.reporting.countNext(feed)).events > 0);
}

/** A leader that is killed in the middle of its transaction, and one that finds that another was faster. */
async function countBadly(): Promise<void> {
  const { connection } = world.stores;
  const session = connection.getClient().startSession();
  session.commitTransaction = async () => {
    await session.abortTransaction();
    throw new Error('killed');
  };
  const [feed] = await world.reporting.figureFeeds();
  if (feed) await world.reporting.countNext(feed, session).catch(() => null);
  await session.endSession();
  const feeds = await world.reporting.figureFeeds();
  const two = [world.another(), world.another()];
  await Promise.all(feeds.flatMap((each) => two.map(({ countNext }) => countNext(each).catch(() => null))));
}

test('random histories: every question is answered as a recount of the operations answers it', async () => {
  const log = createEventLogRepository(world.stores.connection);
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 20, maxLength: 120 }),
      fc.array(asked, { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (history, questions, lanes) => {
        await world.empty();
        const half = Math.floor(history.length / 2);
        await world.commit(...history.slice(0, half).flatMap(eventsOf));
        await world.position();
        await countBadly();
        await log.prepare(lanes);
        await world.commit(...history.slice(half).flatMap(eventsOf));
        await world.position();
        await countBadly();
        await countAll();
        // Those of the layout that follows.
        await countAll();
        const now = new Date(Math.max(...history.map((one) => timeOf(one).getTime())));
        for (const one of questions) {
          const question = questionOf(one);
          const found = await answered(question, one.isTenant ? tenant : systemCaller('sandbox', 'test'), now);
          expect(sorted(found)).toEqual(sorted(recount(history, question, one.isTenant)));
        }
        expect((await world.reporting.rebuildFigures(false)).differences).toEqual([]);
      },
    ),
    { numRuns: Number(process.env['HISTORIES'] ?? 6) },
  );
});

test('a rebuild finds what is not as the log says, and puts it right', async () => {
  await world.commit(...(['one', 'other'] as const).map((who) => world.operation(merchants[who], { amount: 7n })));
  await world.position();
  await countAll();
  const sums = world.stores.connection.collection('metric_sums');
  await sums.updateOne({ merchantId: 'm-one' }, { $inc: { 'counts.op CAPTURE EXECUTED': 1 } });
  const { differences } = await world.reporting.rebuildFigures(true);
  expect(differences).toEqual([expect.stringMatching(/^metric_sums: sandbox:.*m-one.* differs$/)]);
  expect((await world.reporting.rebuildFigures(false)).differences).toEqual([]);
});

const at = (hours: number) => new Date(start.getTime() + hours * hourMs);

test.each<
  [string, { range: { from: Date; to: Date }; interval?: 'HOUR'; filter?: object; groupBy?: MetricDimension[] }, string]
>([
  ['a range that ends where it begins', { range: { from: at(0), to: at(0) } }, 'range'],
  ['a range that is too long', { range: { from: at(0), to: new Date(start.getTime() + 401 * dayMs) } }, 'range'],
  ['too many intervals', { range: { from: at(0), to: at(1_001) }, interval: 'HOUR' }, 'interval'],
  ['terminals of whoever', { range: { from: at(0), to: at(1) }, groupBy: ['TERMINAL'] }, 'filter.merchantIds'],
  ['a filter without values', { range: { from: at(0), to: at(1) }, filter: { circuits: [] } }, 'filter.circuits'],
])('refused: %s', (_what, question, field) => {
  const refused = { code: 'invalidInput', details: { field } };
  expect(() => readQuestion({ interval: 'DAY', ...question })).toThrow(expect.objectContaining(refused));
});
