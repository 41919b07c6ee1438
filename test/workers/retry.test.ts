// The published retry schedule and its policy (2.4-A of the decision register).
import { attemptResults, callbackDefinitions, type RetryPolicy } from '../../subgraphs/notifications';
import { type AttemptReport, decideNext, retryAfterMs, waitsMs } from '../../workers/retry';
import fc from '../support/properties';

const now = new Date('2030-01-01T00:00:00Z');
const realNow = new Date('2026-06-01T12:00:00Z');
const notifyUpdate: RetryPolicy = callbackDefinitions['notify-update'].policy;
/** A policy as merchant notifications will have it. */
const parking: RetryPolicy = { parkClientErrorsAfter: 3, goneDisablesEndpoint: false };
const failed = (status: number | null = 500, retryAfter: string | null = null): AttemptReport => ({
  result: 'httpError',
  status,
  retryAfter,
});
const decide = (
  report: AttemptReport,
  tries: number,
  { policy = notifyUpdate, hasOwnAddress = false, chance = 0 } = {},
) => decideNext({ policy, hasOwnAddress, report, tries, now, realNow, chance });
const waitOf = (decision: ReturnType<typeof decide>) =>
  decision.status === 'PENDING' ? decision.dueAt.getTime() - now.getTime() : null;

test('the published waits are 0 s, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  expect(waitsMs.map((wait) => wait / 1_000)).toEqual([
    0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('after failed attempt %d the next planned wait follows', (tries) => {
  expect(waitOf(decide(failed(), tries))).toBe(waitsMs[tries]);
});

test('after the tenth there is none', () => expect(decide(failed(), 10)).toEqual({ status: 'EXHAUSTED' }));

test.each([
  [{ result: 'delivered', status: 204, retryAfter: null }, 1, { status: 'DELIVERED' }],
  [{ result: 'delivered', status: 200, retryAfter: null }, 10, { status: 'DELIVERED' }],
  [
    { result: 'blockedTarget', status: null, retryAfter: null },
    1,
    { status: 'ENDED', reason: 'blockedTarget', disablesEndpoint: false },
  ],
  [failed(410), 1, { status: 'ENDED', reason: 'endpointGone', disablesEndpoint: true }],
] as const)('%j on attempt %d', (report, tries, expected) => expect(decide(report, tries)).toEqual(expected));

test('a 410 of an address that one callback alone has ends that one, and the endpoint stays on', () =>
  expect(decide(failed(410), 1, { hasOwnAddress: true })).toEqual({
    status: 'ENDED',
    reason: 'endpointGone',
    disablesEndpoint: false,
  }));

test.each([
  'redirect',
  'timeout',
  'connectTimeout',
  'connectFailed',
  'nameNotResolved',
  'tlsFailed',
  'connectionLost',
  'invalidReply',
] as const)('%s is tried again', (result) =>
  expect(decide({ result, status: null, retryAfter: null }, 1).status).toBe('PENDING'),
);

test.each([
  [400, 2, 'PENDING'],
  [400, 3, 'REJECTED'],
  [404, 3, 'REJECTED'],
  [408, 3, 'PENDING'],
  [425, 3, 'PENDING'],
  [429, 3, 'PENDING'],
  [429, 10, 'EXHAUSTED'],
  [400, 10, 'REJECTED'],
  [500, 3, 'PENDING'],
  [410, 1, 'REJECTED'],
])('a kind that parks client errors after three: %d on attempt %d is %s', (status, tries, expected) => {
  expect(decide(failed(status), tries, { policy: parking }).status).toBe(expected);
});

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['9999999999', 3_600_000],
    ['Mon, 01 Jun 2026 12:01:00 GMT', 60_000],
    ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
    ['Tue, 01 Jun 2027 12:00:00 GMT', 3_600_000],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['2026-06-01', 0],
    ['', 0],
    ['99999999999', 0],
  ])('%j asks for %d ms', (value, expected) => expect(retryAfterMs(value, realNow)).toBe(expected));

  test('the longer of plan and wish counts', () => {
    expect(waitOf(decide(failed(429, '60'), 1))).toBe(60_000);
    expect(waitOf(decide(failed(429, '60'), 2))).toBe(300_000);
  });
});

test('whatever comes back: at most ten attempts, never before the plan, never more than a tenth or an hour after it', () => {
  const reports = fc.record({
    result: fc.constantFrom(...attemptResults.filter((result) => result !== 'delivered' && result !== 'blockedTarget')),
    status: fc.option(fc.integer({ min: 300, max: 599 }).filter((status) => status !== 410)),
    retryAfter: fc.option(fc.oneof(fc.nat(100_000).map(String), fc.string())),
  });
  fc.assert(
    fc.property(
      reports,
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (report, tries, chance) => {
        const decision = decide(report, tries, { chance });
        if (tries >= 10) return decision.status === 'EXHAUSTED';
        const wait = waitOf(decision) ?? -1;
        const planned = waitsMs[tries] ?? 0;
        return (
          wait >= planned &&
          wait <= Math.max(planned * 1.1, 3_600_000, retryAfterMs(report.retryAfter, realNow)) &&
          (report.retryAfter !== null || wait <= planned * 1.1)
        );
      },
    ),
    { numRuns: 5_000 },
  );
});
