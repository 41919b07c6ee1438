// What staff may do with an application, told ahead: by its status, what was done before, and the right of whoever asks.
import type { OnboardingCase } from '../../subgraphs/onboarding/applications/application';
import { judgeApplication, type StaffAction } from '../../subgraphs/onboarding/applications/application-action';
import type { QuoteFee, QuoteMethod } from '../../subgraphs/onboarding/applications/quote';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { staff } from '../gateway/fixture';
import { fresh } from './fresh-application';
import { dayMs, start } from './world';

type Fee = Pick<QuoteFee, 'feeType' | 'unitPrice'> & Partial<QuoteFee>;
const method = (fees: Fee[], change: Partial<QuoteMethod> = {}): QuoteMethod => ({
  paymentMethodProvider: 'PROVIDER_CODE_1',
  optional: false,
  selected: true,
  fees: fees.map((fee) => ({ paymentActionType: 'CHARGE', priceVAT: 0, itemType: 'TRANS', ...fee })),
  ...change,
});
const quoted = (...paymentMethods: QuoteMethod[]): OnboardingCase['facts'] => {
  const paymentOptions = [{ itemNo: '1', paymentType: 'CARD' as const, paymentMethods }];
  return { ...fresh.facts, quote: { documentNo: 'Q', currency: 'DKK', signon: 0, subscription: 0, paymentOptions } };
};
const share = (unitPrice: number): Fee => ({ feeType: 'AMT', unitPrice });
const fixed = (unitPrice: number): Fee => ({ feeType: 'TQTY', unitPrice });

const callerOf = (...scopes: Scope[]): Caller => ({ ...staff, scopes });
const operator = callerOf('graph:operator');
const approval = { by: 'x', at: start, requestId: 'r', reason: null, step: 'REQUESTED', terminalId: null } as const;
const sentOften = Array.from({ length: 5 }, () => start);

function allowed(caller: Caller, onboarding: OnboardingCase, now = start): StaffAction[] {
  return judgeApplication(caller, onboarding, now).flatMap((each) => (each.allowed ? [each.action] : []));
}

const rows: [string, Partial<OnboardingCase>, StaffAction[]][] = [
  ['fresh', {}, ['abandon', 'resend']],
  ['waiting for its signature', { status: 'AWAITING_SIGNATURE' }, ['abandon', 'resend']],
  ['badly signed', { status: 'SIGNATURE_FAILED' }, ['abandon', 'resend']],
  ['signed', { status: 'PROCESSING' }, ['approve', 'refuse']],
  ['being approved', { status: 'PROCESSING', approval }, []],
  ['approved', { status: 'APPROVED' }, []],
  ['abandoned', { status: 'ABANDONED' }, []],
  ['sent five times today', { resentAt: sentOften }, ['abandon']],
];

test.each(rows)('%s: %j allows %j', (_name, change, expected) => {
  const onboarding = { ...fresh, ...change };
  expect(allowed(operator, onboarding)).toEqual(expected);
  expect(allowed(callerOf('graph:viewer'), onboarding)).toEqual([]);
  expect(allowed(callerOf('graph:support'), onboarding)).toEqual(expected.filter((action) => action !== 'approve'));
});

test('tells why not in the words of the mutation', () => {
  const reasons = judgeApplication(operator, { ...fresh, resentAt: sentOften }, start).map(
    ({ reason }) => reason?.code,
  );
  expect(reasons).toEqual(['applicationStatusInvalid', 'applicationStatusInvalid', undefined, 'resendLimit']);
  const [approve] = judgeApplication(callerOf('graph:support'), { ...fresh, status: 'PROCESSING' }, start);
  expect(approve?.reason).toEqual({ code: 'forbidden', message: 'needs onboarding:approve' });
});

const shares = 'The shares of CARD CHARGE in the quote are more than the whole amount together.';
const prices = 'The fixed prices of CARD CHARGE in the quote are above 999999999999 together.';

test.each<[string, QuoteMethod[], string | null]>([
  ['the whole amount and the largest price', [method([share(10_000), fixed(999_999_999_999)])], null],
  ['a share above the whole', [method([share(10_001)])], shares],
  ['shares above the whole together', [method([share(6_000), { ...share(4_001), feeType: 'TAMT' }])], shares],
  ['those of two providers', [method([share(6_000)]), method([share(4_001)], { paymentMethodProvider: 'P2' })], shares],
  ['a fixed price beyond any amount', [method([fixed(Number.MAX_SAFE_INTEGER)])], prices],
  ['fixed prices beyond any amount together', [method([fixed(999_999_999_999), fixed(1)])], prices],
  [
    'one for a charge, one for a refund',
    [method([share(9_000), { ...share(9_000), paymentActionType: 'REFUND' }])],
    null,
  ],
  ['what is not selected', [method([share(10_001)], { selected: false })], null],
  ['what is no fee of an action', [method([{ ...fixed(Number.MAX_SAFE_INTEGER), itemType: 'SUB' }])], null],
  [
    'of two kinds of cards, each its own',
    [
      method([share(9_000)], { paymentMethodVariant1: 'DEBIT' }),
      method([share(9_000)], { paymentMethodVariant1: 'CREDIT' }),
    ],
    null,
  ],
  [
    'of one kind and of all',
    [method([share(9_000)], { paymentMethodVariant3: 'EEA' }), method([share(9_000)])],
    shares,
  ],
])('approval of a quote with %s', (_name, methods, message) => {
  const [approve] = judgeApplication(operator, { ...fresh, status: 'PROCESSING', facts: quoted(...methods) }, start);
  expect(approve?.reason ?? null).toEqual(message && { code: 'invalidData', message });
});

test('a day later the link may be sent again', () => {
  const later = new Date(start.getTime() + dayMs);
  expect(allowed(operator, { ...fresh, resentAt: sentOften }, later)).toEqual(['abandon', 'resend']);
});
