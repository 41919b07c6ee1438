// What may be done with a payment after any history, and by how much, to the last minor unit: decided without any store (payment service and B, ordering rules; 2.2-A and 2.2-B of the decision register).

import { decideRecording } from '../../subgraphs/payments/money/authorize';
import {
  type CallKind,
  decideNextAsk,
  isSilentForGood,
  silentMsMax,
} from '../../subgraphs/payments/payment/acquirer-call';
import {
  type Act,
  after,
  answered,
  callOf,
  charge,
  created,
  decide,
  limits,
  now,
  paymentId,
  planOf,
} from './pure-money';

const authorized: Act = { act: 'AUTHORIZATION' };
const sold: Act = { act: 'AUTHORIZATION', captureNow: true };
const capture = (amountMinor: bigint): Act => ({ act: 'capture', amountMinor });
const refund = (amountMinor: bigint, of?: number): Act => ({ act: 'refund', amountMinor, of });
const whenDead = new Date(now.getTime() + limits.authorizationMs);
const lastMoment = new Date(whenDead.getTime() - 1);
const tomorrow = new Date(now.getTime() + 86_400_000);
const expired = { ...after([authorized]), state: 'Expired' as const };

/** History, act, and the refusal or the amount. A payment of 10.00 is authorized first. */
const rows: [string, Act[], Act, string | bigint][] = [
  ['all that is left is captured', [authorized, capture(400n)], { act: 'capture' }, 600n],
  ['to the last unit', [authorized, capture(400n)], capture(600n), 600n],
  ['and not one more', [authorized, capture(400n)], capture(601n), 'amountAboveAuthorized'],
  ['no capture of nothing', [authorized], capture(0n), 'amountInvalid'],
  ['a capture in the last millisecond', [authorized], { ...capture(1n), at: lastMoment }, 1n],
  ['none in the one after', [authorized], { ...capture(1n), at: whenDead }, 'authorizationExpired'],
  ['nor of the rest', [authorized, capture(1n)], { ...capture(1n), at: whenDead }, 'authorizationExpired'],
  ['a capture in another currency', [authorized], { ...capture(1n), currency: 'USD' }, 'currencyMismatch'],
  ['a capture before the charge', [], capture(1n), 'invalidState'],
  ['a capture of what is captured', [sold], capture(1n), 'invalidState'],
  ['the same by operation', [sold], { ...capture(1n), of: 'authorization' }, 'operationCaptured'],
  ['a capture after a void', [authorized, { act: 'void' }], { ...capture(1n), of: 'authorization' }, 'operationVoided'],
  [
    'a capture after a part went back',
    [authorized, capture(500n), refund(1n)],
    { ...capture(1n), of: 'authorization' },
    'operationRefunded',
  ],
  [
    'a capture after all went back',
    [sold, { act: 'refund' }],
    { ...capture(1n), of: 'authorization' },
    'operationRefunded',
  ],
  ['a capture of a capture', [sold], { ...capture(1n), of: 0 }, 'invalidState'],
  ['all that is left goes back', [sold, refund(400n)], { act: 'refund' }, 600n],
  ['a refund to the last unit', [sold, refund(400n)], refund(600n), 600n],
  ['a refund of one more', [sold, refund(400n)], refund(601n), 'amountAboveCaptured'],
  [
    'a refund of one more than its capture',
    [authorized, capture(300n), capture(700n)],
    refund(301n, 0),
    'amountAboveCaptured',
  ],
  ['a refund of a whole capture', [authorized, capture(300n), capture(700n)], refund(300n, 0), 300n],
  [
    'a second refund of it',
    [authorized, capture(300n), capture(700n), refund(300n, 0)],
    { act: 'refund', of: 0 },
    'alreadyRefunded',
  ],
  ['a refund of nothing', [sold], refund(0n), 'amountInvalid'],
  ['a refund after all went back', [sold, { act: 'refund' }], { act: 'refund' }, 'alreadyRefunded'],
  ['the same by operation', [sold, { act: 'refund' }], { act: 'refund', of: 0 }, 'alreadyRefunded'],
  [
    'a refund of a capture that was taken back',
    [authorized, capture(300n), capture(700n), { act: 'cancelCapture', of: 0 }],
    { act: 'refund', of: 0 },
    'alreadyVoided',
  ],
  ['a refund before a capture voids', [authorized], { act: 'refund', of: 'authorization' }, 1_000n],
  ['but not a part', [authorized], { ...refund(999n), of: 'authorization' }, 'amountAboveCaptured'],
  ['a refund by payment before a capture', [authorized], { act: 'refund' }, 'invalidState'],
  ['a refund of a void', [authorized, { act: 'void' }], { act: 'refund', of: 'authorization' }, 'alreadyVoided'],
  ['a refund in another currency', [sold], { act: 'refund', currency: 'USD' }, 'currencyMismatch'],
  ['a void', [authorized], { act: 'void' }, 1_000n],
  ['a void in the last millisecond', [authorized], { act: 'void', at: lastMoment }, 1_000n],
  ['and in the one after', [authorized], { act: 'void', at: whenDead }, 'authorizationExpired'],
  ['a void of a part', [authorized], { act: 'void', amountMinor: 999n }, 'invalidInput'],
  ['a void of a part captured', [authorized, capture(1n)], { act: 'void' }, 'alreadyCaptured'],
  ['a second void', [authorized, { act: 'void' }], { act: 'void' }, 'invalidState'],
  ['a second void by operation', [authorized, { act: 'void' }], { act: 'void', of: 'authorization' }, 'alreadyVoided'],
  ['a void before the charge', [], { act: 'void' }, 'invalidState'],
  ['a void of a declined charge', [{ ...authorized, answer: 'DECLINED' }], { act: 'void' }, 'invalidState'],
  ['a capture is taken back', [sold], { act: 'cancelCapture', of: 0 }, 1_000n],
  [
    'twice',
    [authorized, capture(300n), capture(700n), { act: 'cancelCapture', of: 0 }],
    { act: 'cancelCapture', of: 0 },
    'alreadyVoided',
  ],
  ['a part of a capture', [sold], { act: 'cancelCapture', of: 0, amountMinor: 999n }, 'invalidInput'],
  ['a capture of yesterday', [sold], { act: 'cancelCapture', of: 0, at: tomorrow }, 'cancelTooLate'],
  ['a capture that was refunded from', [sold, refund(1n, 0)], { act: 'cancelCapture', of: 0 }, 'operationRefunded'],
  [
    'a capture that was refunded from, beside another one',
    [authorized, capture(300n), capture(700n), refund(1n, 0)],
    { act: 'cancelCapture', of: 0 },
    'operationRefunded',
  ],
  [
    'a capture whose money the refund needs',
    [authorized, capture(300n), capture(700n), refund(701n)],
    { act: 'cancelCapture', of: 0 },
    'operationRefunded',
  ],
  [
    'one whose money it does not need',
    [authorized, capture(300n), capture(700n), refund(700n)],
    { act: 'cancelCapture', of: 0 },
    300n,
  ],
  ['a capture that is none', [authorized], { act: 'cancelCapture', of: 'authorization' }, 'invalidState'],
  ['a charge of all of it', [], { act: 'AUTHORIZATION', amountMinor: 10_000n }, 10_000n],
  ['of more', [], { act: 'AUTHORIZATION', amountMinor: 10_001n }, 'amountAboveAuthorized'],
  ['of nothing', [], { act: 'AUTHORIZATION', amountMinor: 0n }, 'amountInvalid'],
  ['a second charge', [authorized], authorized, 'invalidState'],
  ['a raise', [authorized], { act: 'INCREMENTAL', amountMinor: 20_000n }, 20_000n],
  ['a raise of nothing', [authorized], { act: 'INCREMENTAL', amountMinor: 0n }, 'amountInvalid'],
  ['a raise too late', [authorized], { act: 'INCREMENTAL', at: whenDead }, 'authorizationExpired'],
  ['a raise of what is captured', [sold], { act: 'INCREMENTAL' }, 'invalidState'],
];

const refusing = (code: string) => expect.objectContaining({ code });

it.each(rows)('%s', (_name, history, act, expected) => {
  const payment = after(history);
  const plan = () => planOf(payment, act);
  if (typeof expected === 'string') expect(plan).toThrow(refusing(expected));
  else expect(plan().plan.amountMinor).toBe(expected);
});

it('a payment that is Expired is refused as such, whatever its date says', () => {
  for (const act of ['capture', 'void', 'AUTHORIZATION', 'INCREMENTAL'] as const)
    expect(() => planOf({ ...expired, authorizationExpiresAt: null }, { act })).toThrow(
      refusing('authorizationExpired'),
    );
});

it('an authorization is raised only where it was agreed', () => {
  const firm = after([authorized], created({ isIncremental: false }));
  expect(() => planOf(firm, { act: 'INCREMENTAL' })).toThrow(refusing('invalidState'));
});

it('a card that was verified or checked: the one cannot be charged, the other can', () => {
  const verified = after([{ act: 'CARD_VERIFICATION' }]);
  expect(verified).toMatchObject({ state: 'Verified', authorizedMinor: 0n });
  expect(() => planOf(verified, authorized)).toThrow(refusing('invalidState'));
  const planned = decideRecording(created(), { paymentId, type: 'CARD_CHECK', result: 'THREEDS_VALIDATED' });
  const checked = decide(created(), callOf(created(), planned), {
    result: 'THREEDS_VALIDATED',
    endToEndId: null,
    additionalData: {},
  }).next;
  expect(after([authorized], checked).state).toBe('Authorized');
  for (const [type, result] of [
    ['CARD_CHECK', 'THREEDS_VALIDATED'],
    ['CANCEL', 'CANCELED'],
  ] as const)
    expect(() => decideRecording(checked, { paymentId, type, result })).toThrow(refusing('invalidState'));
  const declinedButWaiting = { ...after([{ ...authorized, answer: 'DECLINED' }]), state: 'PendingCustomer' as const };
  expect(() => charge(declinedButWaiting, 'AUTHORIZATION')).toThrow(refusing('invalidState'));
  expect(() => charge(created({ state: 'Cancelled' }), 'AUTHORIZATION')).toThrow(refusing('invalidState'));
});

it('where a refund is booked: on the first capture that holds it and stands, or on none', () => {
  const parentOf = (history: Act[], amountMinor: bigint) => {
    const payment = after(history);
    const { parentOperationId } = planOf(payment, refund(amountMinor)).plan;
    return payment.entries
      .filter(({ type }) => type === 'CAPTURE')
      .findIndex((one) => one.operationId === parentOperationId);
  };
  const two = [authorized, capture(300n), capture(700n)];
  expect([parentOf(two, 300n), parentOf(two, 301n), parentOf(two, 701n)]).toEqual([0, 1, -1]);
  expect(parentOf([...two, { act: 'cancelCapture', of: 0 }], 300n)).toBe(1);
});

it('amounts, states and dates follow: a declined Sale captures nothing, and taking back the only capture brings the date of the authorization', () => {
  expect(after([{ ...sold, answer: 'DECLINED' }])).toMatchObject({ state: 'Declined', capturedMinor: 0n });
  expect(after([{ ...sold, answer: 'DECLINED' }]).entries).toHaveLength(1);
  const back = after([sold, { act: 'cancelCapture', of: 0 }]);
  expect(back).toMatchObject({ state: 'Authorized', capturedMinor: 0n, authorizationExpiresAt: whenDead });
  expect(after([sold, refund(1n)]).state).toBe('PartiallyRefunded');
  const partly = after([authorized, capture(1n)]);
  expect(partly).toMatchObject({ state: 'PartiallyCaptured', authorizationExpiresAt: whenDead });
  expect(after([authorized, { act: 'void' }]).authorizedMinor).toBe(1_000n);
});

it('an outcome without an arrow is refused', () => {
  const call = callOf(created(), charge(created(), 'AUTHORIZATION'));
  const cancelled = created({ state: 'Cancelled' });
  expect(() => decide(cancelled, call, answered(call, 'APPROVED'))).toThrow(refusing('invalidState'));
});

it('a DEFERRED capture is tried once, also when the acquirer refuses it, and not after a void that it refuses', () => {
  const deferred = after([authorized], created({ captureType: 'DEFERRED', captureDelayMs: 1_000 }));
  expect(deferred.captureDueAt).toEqual(new Date(now.getTime() + 1_000));
  expect(after([{ act: 'INCREMENTAL' }], deferred).captureDueAt).toEqual(deferred.captureDueAt);
  expect(after([{ ...capture(1n), answer: 'DECLINED' }], deferred)).toMatchObject({
    state: 'Authorized',
    captureDueAt: null,
  });
  expect(after([{ act: 'void', answer: 'DECLINED' }], deferred)).toMatchObject({
    state: 'Authorized',
    captureDueAt: null,
  });
});

it('silence is final after seven days to the millisecond, and only where money comes in', () => {
  const at = (ms: number) => new Date(now.getTime() + ms);
  const isOver = (kind: CallKind, ms: number) => isSilentForGood({ kind, startedAt: now }, at(ms));
  expect([isOver('authorize', silentMsMax - 1), isOver('authorize', silentMsMax)]).toEqual([false, true]);
  expect([
    isOver('methodVisit', silentMsMax),
    isOver('capture', silentMsMax * 9),
    isOver('refund', silentMsMax * 9),
  ]).toEqual([true, false, false]);
  const minuteMs = 60_000;
  const next = (askedCount: number, ms: number) => decideNextAsk({ startedAt: now, askedCount }, at(ms));
  expect(next(0, 0)).toEqual({ askAt: at(minuteMs), isRaised: false });
  // Its outcome was written down late, or the clock was moved meanwhile: the first question is not left out.
  expect(next(0, minuteMs)).toEqual({ askAt: at(minuteMs), isRaised: false });
  expect(next(0, 2 * minuteMs)).toEqual({ askAt: at(2 * minuteMs), isRaised: false });
  expect(next(1, minuteMs)).toEqual({ askAt: at(5 * minuteMs), isRaised: false });
  expect(next(3, minuteMs * 60)).toMatchObject({ isRaised: false });
  expect(next(4, 86_400_000)).toEqual({ askAt: at(2 * 86_400_000), isRaised: true });
});
