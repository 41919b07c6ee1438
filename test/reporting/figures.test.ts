// Figures are a recount: for random histories, with a leader that dies in the middle and lanes that are cut anew, what the graph answers is what adding up the operations themselves gives.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { eventNames } from '../../subgraphs/onboarding/applications/transitions';
import { createCallbackSumRepository } from '../../subgraphs/reporting/metrics/callback-sum.repository';
import { figureTypes } from '../../subgraphs/reporting/metrics/figures';
import { answerMetrics } from '../../subgraphs/reporting/metrics/metric.service';
import { type MetricDimension, readQuestion } from '../../subgraphs/reporting/metrics/metric-question';
import { funnelOf, type MetricRow, operationFigures } from '../../subgraphs/reporting/metrics/metric-row';
import { ShownRow } from '../../subgraphs/reporting/metrics/metric-row.type';
import { createRollUpRepository } from '../../subgraphs/reporting/metrics/roll-up.repository';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import fc from '../support/properties';
import { asked, eventsOf, happening, questionOf, recount, shownFields, timeOf } from './figure-histories';
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
  const makers = [...texts]
    .filter(([, text]) => /\baggregateType: '\w+',\s+aggregateId:/.test(text))
    .map(([name]) => name);
  expect(makers.every((name) => name.endsWith('.events.ts'))).toBe(true);
  // Where their types are written down: beside them, or in the tables that they take them from.
  const sources = [...makers, 'tokenization/tokens/lifecycle.ts'];
  const types = sources.flatMap((name) => [...(texts.get(name) ?? '').matchAll(/'([a-z]\w+\.[a-z]\w+)'/gi)]);
  const known = new Set([...types.map(([, type]) => type), ...Object.values(eventNames)]);
  expect(makers.length).toBeGreaterThan(4);
  expect([...known].sort()).toEqual(Object.keys(figureTypes).sort());
});

const tenant: Caller = { ...systemCaller('sandbox', 'tenant'), accountId: 'alpha' };

/** `now`: of the last that has happened. */
function rowsOf(question: ReturnType<typeof questionOf>, caller: Caller, now: Date, shown: readonly string[]) {
  const { connection } = world.stores;
  const reads = {
    rollUps: createRollUpRepository(connection),
    callbackSums: createCallbackSumRepository(connection),
    clock: { now: () => now },
  };
  return answerMetrics(reads, requestContext(caller, 'request'), question, new Set(shown));
}

/** What each row shows in one field. */
const shownIn = (rows: readonly MetricRow[], field: (typeof shownFields)[number]) =>
  rows.map((row) => [row.start, row.group, new ShownRow(row)[field]]);

function sumsOf(rows: readonly MetricRow[], question: ReturnType<typeof questionOf>) {
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
  const session = world.stores.product.getClient().startSession();
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
        await world.commit(...history.slice(0, half).flatMap((one) => eventsOf(world, one)));
        await world.position();
        await countBadly();
        await log.prepare(lanes);
        await world.commit(...history.slice(half).flatMap((one) => eventsOf(world, one)));
        await world.position();
        await countBadly();
        await countAll();
        // Those of the layout that follows.
        await countAll();
        const now = new Date(Math.max(...history.map((one) => timeOf(one).getTime())));
        for (const one of questions) {
          const question = questionOf(one);
          const caller = one.isTenant ? tenant : systemCaller('sandbox', 'test');
          const rows = await rowsOf(question, caller, now, shownFields);
          expect(sorted(sumsOf(rows, question))).toEqual(sorted(recount(history, question, one.isTenant)));
          // Of which less is read.
          const alone = await rowsOf(question, caller, now, [one.field]);
          expect(shownIn(alone, one.field)).toEqual(shownIn(rows, one.field));
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

test.each<[string, Caller, string[] | null, number]>([
  ['everybody', systemCaller('sandbox', 'test'), null, 3],
  ['an account', tenant, null, 2],
  ['a merchant', systemCaller('sandbox', 'test'), ['m-two'], 1],
])(
  'applications have no currency: a filter of currencies leaves those of %s whole',
  async (_whose, caller, merchantIds, approved) => {
    const ofAll = Object.values(merchants);
    await world.commit(
      ...ofAll.map((merchant) => world.approved(merchant, { previousStatus: 'PROCESSING' })),
      ...ofAll.flatMap((merchant) =>
        ['EUR', 'SEK'].map((currency) => world.operation(merchant, { amount: 7n, currency })),
      ),
    );
    await world.position();
    await countAll();
    const range = { from: start, to: new Date(start.getTime() + dayMs) };
    for (const groupBy of [[], ['MERCHANT'], ['CURRENCY'], ['MERCHANT', 'CURRENCY']] as MetricDimension[][]) {
      const filter = { merchantIds, currencies: ['SEK'] };
      const question = readQuestion({ range, interval: 'DAY', groupBy, filter });
      const rows = await rowsOf(question, caller, start, ['onboarding', 'captured']);
      expect(rows.reduce((sum, row) => sum + funnelOf(row).approved, 0)).toBe(approved);
      expect(new Set(rows.flatMap(({ sums }) => [...sums.keys()]))).toEqual(new Set(['SEK', '']));
      const withApplications = rows.filter((row) => funnelOf(row).approved > 0);
      if (groupBy.includes('CURRENCY'))
        expect(new Set(withApplications.map(({ group }) => group.CURRENCY))).toEqual(new Set([null]));
    }
  },
);

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
