// What one event adds to the figures, and what a reader is told of it; and callbacks, whose attempts are in no log.
import type { LoggedEvent } from '../../subgraphs/reporting/journal/booking';
import { createCallbackSumRepository } from '../../subgraphs/reporting/metrics/callback-sum.repository';
import { createCallbackTally } from '../../subgraphs/reporting/metrics/callback-tally';
import { figureOf } from '../../subgraphs/reporting/metrics/figures';
import { bucketOf, percentileOf } from '../../subgraphs/reporting/metrics/latency';
import { answerMetrics, type MetricReads } from '../../subgraphs/reporting/metrics/metric.service';
import { readQuestion } from '../../subgraphs/reporting/metrics/metric-question';
import {
  authenticationOf,
  decidedOf,
  declinesOf,
  emptyRow,
  funnelOf,
  movedOf,
  operationFigures,
  sumsIn,
} from '../../subgraphs/reporting/metrics/metric-row';
import { add } from '../../subgraphs/reporting/metrics/roll-up';
import { countersShownBy } from '../../subgraphs/reporting/metrics/shown-counters';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import fc from '../support/properties';
import { openStores, type Stores } from '../support/stores';

function operation(type: string, result: string, more: object = {}, eventType = 'operation.recorded'): LoggedEvent {
  return {
    _id: 'event',
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: 'm-one',
    type: eventType,
    occurredAt: new Date('2026-03-01T09:30:00Z'),
    position: 1,
    data: {
      operationType: type,
      operationResult: result,
      operationAmount: '1250',
      operationCurrency: 'EUR',
      paymentMethod: 'CARD',
      paymentCircuit: 'VISA',
      ...more,
    },
  };
}

const data = (more: object) => ({ additionalData: more });
const namesOf = (event: LoggedEvent) => figureOf(event)?.counted.map(({ name }) => name) ?? null;

test.each<[LoggedEvent, string[]]>([
  [
    operation('AUTHORIZATION', 'AUTHORIZED', data({ threeDS: 'frictionless' })),
    ['op AUTHORIZATION AUTHORIZED', '3ds frictionless'],
  ],
  [
    operation('AUTHORIZATION', 'DECLINED', data({ threeDS: 'challenge', responseReason: 'insufficient_funds' })),
    ['op AUTHORIZATION DECLINED', 'no insufficient_funds', '3ds challenge'],
  ],
  [
    operation('AUTHORIZATION', 'THREEDS_FAILED', data({ threeDS: 'none' })),
    ['op AUTHORIZATION THREEDS_FAILED', 'no authentication_failed', '3ds failed'],
  ],
  [operation('AUTHORIZATION', 'DENIED_BY_RISK'), ['op AUTHORIZATION DENIED_BY_RISK', 'no denied_by_risk']],
  [
    operation('AUTHORIZATION', 'DECLINED', data({ responseReason: 'a.b$c d' })),
    ['op AUTHORIZATION DECLINED', 'no a_b_c_d'],
  ],
  [operation('AUTHORIZATION', 'PENDING', data({ threeDS: 'challenge' })), ['op AUTHORIZATION PENDING']],
  [operation('AUTHORIZATION', 'AUTHORIZED', {}, 'operation.resultChanged'), ['op AUTHORIZATION AUTHORIZED']],
  // What follows a charge was not authenticated again, and its refusal declines no payer.
  [operation('CAPTURE', 'EXECUTED', data({ threeDS: 'challenge' })), ['op CAPTURE EXECUTED']],
  [operation('REFUND', 'DENIED', data({ responseReason: 'too_late' })), ['op REFUND DENIED']],
  [operation('CANCEL', 'CANCELED'), ['op CANCEL CANCELED']],
])('counters of %#', (event, names) => {
  expect(namesOf(event)).toEqual(names);
});

test.each<[string, string | null, string | null]>([
  ['onboarding.initiated', null, 'created'],
  ['onboarding.initiated', 'AWAITING_SIGNATURE', null],
  ['onboarding.awaiting_signature', 'INITIATED', null],
  ['onboarding.processing', 'AWAITING_SIGNATURE', 'signed'],
  ['onboarding.approved', 'PROCESSING', 'approved'],
  ['onboarding.abandoned', 'PROCESSING', 'refused'],
  ['onboarding.abandoned', 'AWAITING_SIGNATURE', 'abandoned'],
])('%s from %s is %s', (type, previousStatus, step) => {
  const event = { ...operation('', ''), type, data: { previousStatus } };
  expect(namesOf(event)).toEqual(step && [`onboarding ${step}`]);
});

test('an event of no merchant, or of an unknown type, adds nothing', () => {
  expect(figureOf({ ...operation('CAPTURE', 'EXECUTED'), merchantId: null })).toBe(null);
  expect(figureOf({ ...operation('CAPTURE', 'EXECUTED'), type: 'something.new' })).toBe(null);
});

test.each([
  ['no groups, callbacks shown', { groupBy: [], shown: ['approved', 'callbacks'] }, ['DAY', 'callbacks of DAY']],
  ['no groups, callbacks not shown', { groupBy: [], shown: ['approved'] }, ['DAY']],
  // They may be all that there is of a group.
  ['groups', { groupBy: ['MERCHANT' as const], shown: ['approved'] }, ['DAY', 'callbacks of DAY']],
  ['circuits', { groupBy: ['CIRCUIT' as const], shown: ['approved', 'callbacks'] }, ['DAY']],
])('a question asks the clock once, and reads callbacks where they can be told: %s', async (_name, asked, expected) => {
  const [day, nextDay] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
  const times = [new Date('2026-03-01T23:59:59.999Z'), nextDay];
  const read: string[] = [];
  const noting =
    (prefix = '') =>
    async ({ grain }: { grain: string }) => {
      read.push(`${prefix}${grain}`);
      return [];
    };
  const reads = {
    rollUps: { read: noting() },
    callbackSums: { read: noting('callbacks of ') },
    clock: { now: () => times.shift() },
  } as unknown as MetricReads;
  const question = readQuestion({ range: { from: day, to: nextDay }, interval: 'DAY', groupBy: asked.groupBy });
  await answerMetrics(
    reads,
    requestContext(systemCaller('sandbox', 'test'), 'request'),
    question,
    new Set(asked.shown),
  );
  expect([read, times]).toEqual([expected, [nextDay]]);
});

test.each<[string[], string[] | null]>([
  [
    ['__typename', 'start', 'group', 'undone', 'chargebacks'],
    ['op CANCEL VOIDED', 'chargeback'],
  ],
  [['authentication'], ['3ds challenge', '3ds failed', '3ds frictionless', '3ds exempted']],
  [['start', 'callbacks'], null],
  // Reasons are acquirers' own words; what a later release shows is not known here.
  [['undone', 'declines'], null],
  [['undone', 'gifts'], null],
])('of the sums, those are read that the fields %j show', (fields, counters) => {
  expect(countersShownBy(new Set(fields))).toEqual(counters);
});

test('operations are told by the words that this release knows', () => {
  const row = emptyRow(new Date(0), {}, true);
  for (const name of ['op CAPTURE EXECUTED', 'op GIFT EXECUTED', 'op CAPTURE GIVEN'])
    add(sumsIn(row, 'EUR'), name, 1, 5n);
  const volume = [{ currency: 'EUR', minor: 5n }];
  expect(operationFigures(row)).toEqual([{ type: 'CAPTURE', result: 'EXECUTED', count: 1, volume }]);
});

test('a row tells rates of what was decided, volumes by currency, and nothing of nothing', () => {
  const row = emptyRow(new Date(0), {}, true);
  expect(decidedOf(row)).toEqual({ approved: 0, declined: 0, approvalRate: null });
  const told = (name: string, count: number, minor = 0n, currency: string | null = 'EUR') =>
    add(sumsIn(row, currency), name, count, minor);
  told('op AUTHORIZATION AUTHORIZED', 6);
  told('op AUTHORIZATION DECLINED', 2);
  told('op CANCEL CANCELED', 5);
  told('op CAPTURE EXECUTED', 3, 900n);
  told('op AUTHORIZATION EXECUTED', 1, 100n, 'SEK');
  told('op CANCEL VOIDED', 1, 50n);
  told('no expired_card', 1);
  told('no insufficient_funds', 2);
  told('3ds challenge', 1);
  told('3ds failed', 1);
  told('3ds frictionless', 2);
  told('onboarding created', 4, undefined, null);
  expect(decidedOf(row)).toEqual({ approved: 7, declined: 2, approvalRate: 7 / 9 });
  const captured = {
    count: 4,
    volume: [
      { currency: 'EUR', minor: 900n },
      { currency: 'SEK', minor: 100n },
    ],
  };
  expect(movedOf(row, 'captured')).toEqual(captured);
  expect(movedOf(row, 'undone')).toEqual({ count: 1, volume: [{ currency: 'EUR', minor: 50n }] });
  expect(declinesOf(row).map(({ reason }) => reason)).toEqual(['insufficient_funds', 'expired_card']);
  expect(authenticationOf(row)).toMatchObject({ challenged: 2, passed: 1, challengeRate: 1 / 2 });
  expect(funnelOf(row)).toMatchObject({ created: 4, signed: 0 });
});

test('a percentile of the histogram is that of the latencies, at most a first digit too high', () => {
  const latencies = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95), (all, share) => {
      const histogram = new Map<string, number>();
      for (const each of all) histogram.set(bucketOf(each), (histogram.get(bucketOf(each)) ?? 0) + 1);
      const exact = [...all].sort((a, b) => a - b)[Math.ceil(all.length * share) - 1] ?? 0;
      const found = percentileOf(histogram, share) ?? -1;
      expect(found).toBeGreaterThanOrEqual(exact);
      expect(found - exact).toBeLessThanOrEqual(Math.max(1, exact));
      expect(found).toBe(Number(bucketOf(exact)));
    }),
  );
  expect(percentileOf(new Map(), 0.5)).toBe(null);
});

describe('the tally of callbacks', () => {
  let stores: Stores;
  beforeAll(async () => {
    stores = await openStores();
    await createCallbackSumRepository(stores.connection).ensureIndexes();
  });
  afterAll(() => stores?.close());

  const at = new Date('2026-03-01T09:30:00Z');
  const attempt = (isDelivered: boolean, answeredInMs: number | null) => ({
    accountId: 'alpha',
    merchantId: 'm-one',
    at,
    isDelivered,
    answeredInMs,
  });
  const stored = async () => {
    const found = await stores.connection
      .collection('metric_callbacks')
      .find({ series: 'sandbox:MERCHANT:DAY' })
      .toArray();
    return found.map(({ attempts, delivered, latency }) => ({ attempts, delivered, latency }));
  };

  test('those of several processes add up, and what could not be written is written later, once', async () => {
    const repository = createCallbackSumRepository(stores.connection);
    let isAway = true;
    const add: typeof repository.add = (all) => (isAway ? Promise.reject(new Error('away')) : repository.add(all));
    const [one, other] = [
      createCallbackTally('sandbox', { ...repository, add }),
      createCallbackTally('sandbox', repository),
    ];
    one.add(attempt(true, 37));
    one.add(attempt(false, null));
    await one.writeLast();
    one.add(attempt(true, 412));
    other.add(attempt(true, 31));
    expect(await stored()).toEqual([]);
    isAway = false;
    await one.writeLast();
    await one.writeLast();
    await other.writeLast();
    expect(await stored()).toEqual([{ attempts: 4, delivered: 3, latency: { 40: 2, 500: 1 } }]);
  });
});
