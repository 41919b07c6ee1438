// What may be done with a payment and its operations, told ahead: allowed exactly where the decision of the mutation itself says yes and the caller has its right.
import {
  decisions,
  judgeOperation,
  judgePayment,
  type PostAction,
  possibleActions,
} from '../../subgraphs/payments/money/actions';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { refusalFrom } from '../../subgraphs/shared/callers/judged-action';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { staff } from '../gateway/fixture';
import { type Act, after, now } from './pure-money';

const callerOf = (...scopes: Scope[]): Caller => ({ ...staff, scopes });
const operator = callerOf('graph:operator');
const viewer = callerOf('graph:viewer');
const authorized: Act = { act: 'AUTHORIZATION' };
const capture = (amountMinor: bigint): Act => ({ act: 'capture', amountMinor });

const histories: [string, Act[], Partial<Record<PostAction, string>>][] = [
  ['authorized', [authorized], { refund: 'invalidState' }],
  ['captured in part', [authorized, capture(400n)], { void: 'alreadyCaptured' }],
  ['captured', [authorized, { act: 'capture' }], { capture: 'invalidState', void: 'alreadyCaptured' }],
  [
    'refunded',
    [authorized, { act: 'capture' }, { act: 'refund' }],
    { capture: 'invalidState', refund: 'alreadyRefunded', void: 'alreadyCaptured' },
  ],
  ['voided', [authorized, { act: 'void' }], { capture: 'invalidState', refund: 'invalidState', void: 'invalidState' }],
];

describe.each(histories)('a payment that is %s', (_name, history, refusals) => {
  const payment = after(history);

  it('tells an operator what each act would meet', () => {
    const judged = judgePayment(operator, payment, now);
    expect(judged.map(({ action }) => action)).toEqual(['capture', 'refund', 'void']);
    for (const { action, allowed, reason } of judged)
      expect([action, allowed, reason?.code]).toEqual([action, !(action in refusals), refusals[action]]);
  });

  it('tells a viewer that the right is missing, whatever the state', () => {
    for (const { allowed, reason } of judgePayment(viewer, payment, now))
      expect([allowed, reason?.code, reason?.message]).toEqual([
        false,
        'forbidden',
        expect.stringMatching(/^needs .*payments:/),
      ]);
  });

  it('says of every operation what its mutation decides', () => {
    for (const target of payment.entries) {
      const { operationId } = target;
      const judged = judgeOperation(operator, payment, operationId, now);
      for (const { action, allowed, reason } of judged) {
        const refused = refusalFrom(() => decisions[action]({ payment, target, input: { operationId }, now }));
        expect([allowed, reason]).toEqual([
          refused === null,
          refused && { code: refused.code, message: refused.message },
        ]);
      }
      const allowed = judged.filter((each) => each.allowed).map(({ action }) => action);
      expect(allowed).toEqual(possibleActions(payment, operationId, now));
    }
  });
});

describe('a person', () => {
  const signedIn = (minutesAgo: number | null): Caller => ({
    ...operator,
    kind: 'person',
    ...withoutUndefined({ authTime: minutesAgo === null ? undefined : new Date(now.getTime() - minutesAgo * 60_000) }),
  });
  const payment = after([authorized, capture(400n)]);

  it.each([
    ['of a moment ago', 9, []],
    ['of too long ago', 10, ['capture', 'refund']],
    ['whose sign-in nobody knows', null, ['capture', 'refund']],
  ])('with a sign-in %s is told what its mutation would say', (_when, minutesAgo, stale) => {
    const caller = signedIn(minutesAgo);
    const judged = [
      ...judgePayment(caller, payment, now),
      ...payment.entries.flatMap(({ operationId }) => judgeOperation(caller, payment, operationId, now)),
    ];
    const told = judged.filter(({ reason }) => reason?.code === 'freshSignInNeeded');
    expect([...new Set(told.map(({ action }) => action))].filter((action) => action !== 'cancelCapture')).toEqual(
      stale,
    );
    expect(told.every(({ allowed }) => !allowed)).toBe(true);
  });

  it('is told what a new sign-in would not help, and programs are not asked for one', () => {
    const reasons = judgePayment(signedIn(60), payment, now).map(({ action, reason }) => [action, reason?.code]);
    expect(reasons).toContainEqual(['void', 'alreadyCaptured']);
    expect(judgePayment({ ...viewer, kind: 'person' }, payment, now)[0]?.reason?.code).toBe('forbidden');
    expect(judgePayment(operator, payment, now).map(({ allowed }) => allowed)).toEqual([true, true, false]);
  });
});

it('each act has a right of its own', () => {
  const judged = judgePayment(callerOf('graph:payments:refund'), after([authorized, capture(400n)]), now);
  expect(judged.filter(({ allowed }) => allowed).map(({ action }) => action)).toEqual(['refund']);
});

it('nothing can be done with an operation that is not of the payment', () => {
  expect(judgeOperation(operator, after([authorized]), 'another', now)).toEqual([]);
});
