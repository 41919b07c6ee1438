// What the dashboard makes of the graph's codes and amounts, without a browser: 3-D Secure, the currency that leads, acts with something to move, amounts that changed, countries, stored replies and endpoints that fail.
import { code as isoOf } from 'currency-codes';
import { type AttemptedEndpoint, isFailing } from '../../dashboard/callbacks/failing';
import { asReceived } from '../../dashboard/callbacks/received';
import type { ShownPayment } from '../../dashboard/payments/life';
import { possibleActs, rowCan } from '../../dashboard/payments/possible-acts';
import { threeDsOutcomeOf } from '../../dashboard/payments/three-ds-outcome';
import { currencies } from '../../subgraphs/shared/money';

interface Hour {
  approved: number;
  declined: number;
  captured: Map<string, bigint>;
  captures: Map<string, number>;
}

/** These ask the browser for its language, which the compiler knows nothing of here. */
const { mainCurrency } = jest.requireActual<{ mainCurrency(...days: Hour[][]): string | null }>(
  '../../dashboard/overview/figures',
);
const { cardCountryName } = jest.requireActual<{ cardCountryName(code: string): string }>(
  '../../dashboard/payments/card-country',
);
const { printMoney, printChangedMoney, parseMoney, typedMoney } = jest.requireActual<{
  printMoney(minor: string, currency: string): string;
  printChangedMoney(text: string): string | null;
  parseMoney(text: string, currency: string): string | null;
  typedMoney(minor: string, currency: string): string;
}>('../../dashboard/kit/money');

type Made = readonly [type: string, result: string, threeDS?: string];
const outcomeOf = (...made: Made[]) =>
  threeDsOutcomeOf(
    made.map(([operationType, operationResult, threeDS]) => ({
      operationType: operationType as 'AUTHORIZATION',
      operationResult: operationResult as 'AUTHORIZED',
      additionalData: threeDS ? { threeDS } : {},
    })),
  );

test.each<[string, Made[], string | null]>([
  ['no operation yet', [], null],
  ['no card', [['AUTHORIZATION', 'EXECUTED']], null],
  ['not challenged', [['AUTHORIZATION', 'AUTHORIZED', 'frictionless']], 'frictionless'],
  ['exempted', [['AUTHORIZATION', 'AUTHORIZED', 'exempted']], 'exempted'],
  ['a card that takes no part', [['AUTHORIZATION', 'AUTHORIZED', 'none']], 'none'],
  ['passed', [['AUTHORIZATION', 'AUTHORIZED', 'challenge']], 'challenge'],
  ['passed, then declined', [['AUTHORIZATION', 'DECLINED', 'challenge']], 'challenge'],
  ['failed', [['AUTHORIZATION', 'THREEDS_FAILED', 'challenge']], 'challengeFailed'],
  ['failed before it was asked for', [['AUTHORIZATION', 'THREEDS_FAILED']], 'failed'],
  ['given up during the challenge', [['CANCEL', 'CANCELED', 'challenge']], 'cancelled'],
  ['given up before a card', [['CANCEL', 'CANCELED']], null],
  [
    'failed, then passed with another card',
    [
      ['AUTHORIZATION', 'THREEDS_FAILED', 'challenge'],
      ['AUTHORIZATION', 'AUTHORIZED', 'challenge'],
    ],
    'challenge',
  ],
  [
    'passed, and its capture taken back',
    [
      ['AUTHORIZATION', 'AUTHORIZED', 'challenge'],
      ['CAPTURE', 'EXECUTED', 'challenge'],
      ['CANCEL', 'VOIDED', 'challenge'],
    ],
    'challenge',
  ],
])('3-D Secure, %s', (_name, made, expected) => {
  expect(outcomeOf(...made)).toBe(expected);
});

const hour = (...captured: [currency: string, minor: bigint, count: number][]): Hour => ({
  approved: 0,
  declined: 0,
  captured: new Map(captured.map(([currency, minor]) => [currency, minor])),
  captures: new Map(captured.map(([currency, , count]) => [currency, count])),
});

test.each<[string, Hour[][], string | null]>([
  ['nothing', [[hour()], [hour()]], null],
  ['the one that was captured most often', [[hour(['DKK', 75_600n, 2], ['EUR', 441_000n, 9])]], 'EUR'],
  ['over the whole day', [[hour(['DKK', 1n, 3], ['EUR', 1n, 2]), hour(['EUR', 1n, 2])]], 'EUR'],
  ['as often: the one of more', [[hour(['DKK', 75_600n, 4], ['EUR', 441_000n, 4])]], 'EUR'],
  ['in whole units, of which the yen has no parts', [[hour(['EUR', 441_000n, 1], ['JPY', 9_000n, 1])]], 'JPY'],
  ['the same in both: by name', [[hour(['SEK', 100n, 1], ['NOK', 100n, 1])]], 'NOK'],
  ['today before a week ago', [[hour(['DKK', 100n, 1])], [hour(['EUR', 900_000n, 90])]], 'DKK'],
  ['a week ago while today has none', [[hour()], [hour(['SEK', 100n, 1])]], 'SEK'],
])('the volume is told in %s', (_name, days, expected) => {
  expect(mainCurrency(...days)).toBe(expected);
});

const amounts = (authorizedAmount: string, capturedAmount: string, refundedAmount: string) => ({
  authorizedAmount,
  capturedAmount,
  refundedAmount,
});

function paymentOf(of: ReturnType<typeof amounts>, actions: string[], possibleActions: object[]): ShownPayment {
  const operations = { edges: [{ node: { operationId: 'one', actions, possibleActions } }] };
  return { ...of, operations } as unknown as ShownPayment;
}

test.each<[string, ReturnType<typeof amounts>, string[], string[]]>([
  ['authorized', amounts('5000', '0', '0'), ['capture', 'refund', 'void'], ['capture 5000', 'void 5000']],
  ['captured in part', amounts('5000', '2000', '0'), ['capture', 'refund'], ['capture 3000', 'refund 2000']],
  ['captured', amounts('5000', '5000', '0'), ['refund'], ['refund 5000']],
  ['refunded', amounts('5000', '5000', '5000'), [], []],
])('a payment that is %s offers what has something to move', (_name, of, actions, expected) => {
  const acts = possibleActs(paymentOf(of, actions, []));
  expect(acts.map(({ act, most }) => `${act} ${most}`)).toEqual(expected);
});

test.each<[string, object | undefined, string | null]>([
  ['nothing', { action: 'CAPTURE', allowed: true, reason: null }, null],
  ['a sign-in of long ago', { action: 'CAPTURE', allowed: false, reason: { code: 'freshSignInNeeded' } }, null],
  ['the right', { action: 'CAPTURE', allowed: false, reason: { code: 'forbidden' } }, 'forbidden'],
  ['a call under way', { action: 'CAPTURE', allowed: false, reason: { code: 'conflict' } }, 'conflict'],
])('a capture in whose way stands %s says so', (_what, judged, why) => {
  const [act] = possibleActs(paymentOf(amounts('5000', '0', '0'), ['capture'], judged ? [judged] : []));
  expect(act?.why).toBe(why);
});

test.each([
  ['Authorized', amounts('5000', '0', '0'), ['CAPTURE_PAYMENT', 'VOID_PAYMENT']],
  ['PartiallyCaptured', amounts('5000', '2000', '0'), ['CAPTURE_PAYMENT', 'REFUND_PAYMENT']],
  ['Captured', amounts('5000', '5000', '0'), ['REFUND_PAYMENT']],
  ['PartiallyRefunded', amounts('5000', '5000', '2000'), ['REFUND_PAYMENT']],
  ['Refunded', amounts('5000', '5000', '5000'), []],
  ['Declined', amounts('0', '0', '0'), []],
  ['Cancelled', amounts('5000', '0', '0'), []],
] as const)('a row that is %s is one for a job that can move something', (state, of, expected) => {
  const acts = ['CAPTURE_PAYMENT', 'REFUND_PAYMENT', 'VOID_PAYMENT'] as const;
  expect(acts.filter((act) => rowCan(act, { ...of, state }))).toEqual(expected);
});

test.each([
  ['2500 EUR', 'EUR 25.00'],
  ['-1 DKK', '-DKK 0.01'],
  ['1234 JPY', 'JPY 1,234'],
  ['2500', null],
  ['2500 EUR more', null],
])('an amount that changed is told as %s and read as %s', (text, expected) => {
  expect(printChangedMoney(text)?.replace(/\s/g, ' ') ?? null).toBe(expected);
});

/** Browsers have their own idea of some, such as the Serbian dinar without paras. */
test('every currency has the decimals that the platform counts it in', () => {
  const decimals = (text: string) => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  const shown = currencies.map((code) => [
    code,
    decimals(typedMoney('123450', code)),
    decimals(printMoney('123450', code)),
    parseMoney('1000', code),
  ]);
  const digitsOf = (code: string) => isoOf(code)?.digits ?? 2;
  expect(shown).toEqual(
    currencies.map((code) => [code, digitsOf(code), digitsOf(code), `1000${'0'.repeat(digitsOf(code))}`]),
  );
  expect(parseMoney('1000', 'RSD')).toBe('100000');
});

test.each([
  ['ITA', 'Italy'],
  ['DNK', 'Denmark'],
  ['DE', 'Germany'],
  ['QQQ', 'QQQ'],
  ['it', 'it'],
  ['', ''],
])('the country %s is called %s', (code, expected) => {
  expect(cardCountryName(code)).toBe(expected);
});

test.each([
  ['JSON', '{\\"error\\":\\"busy\\"}', '{"error":"busy"}'],
  ['lines and letters of other alphabets', 'one\\r\\ntwo\\tS\\u00f8ren', 'one\ntwo\tSøren'],
  ['what is above the first plane', '\\ud83d\\ude00', '😀'],
  ['what cannot be seen', 'a\\u0000b\\u001b[31m', 'a⟨U+0000⟩b⟨U+001B⟩[31m'],
  ['what would turn the text around it', '\\u202egnp.exe', '⟨U+202E⟩gnp.exe'],
  ['a backslash of its own', 'C:\\\\temp', 'C:\\temp'],
  ['what was stored otherwise', 'it said "no"', 'it said "no"'],
  ['an escape that was cut', 'half \\u00', 'half \\u00'],
])('a stored reply is shown as it came: %s', (_name, stored, expected) => {
  expect(asReceived(stored)).toBe(expected);
});

describe.each([
  ['en-GB', '1234.50', '1,234.50', '1.234,50'],
  ['de-DE', '1234,50', '1.234,50', '1,234.50'],
  ['sv-SE', '1234,50', '1 234,50', '1.234.50'],
])('an amount in %s', (locale, typed, grouped, foreign) => {
  // The module reads its locale from itself, so it is told by what it formats with.
  const NumberFormat = Intl.NumberFormat;
  beforeAll(() => {
    Intl.NumberFormat = function inLocale(_locale: string, shape: Intl.NumberFormatOptions) {
      return new NumberFormat(locale, shape);
    } as unknown as typeof Intl.NumberFormat;
  });
  afterAll(() => {
    Intl.NumberFormat = NumberFormat;
  });

  test('stands in its field as people write it there', () => {
    expect(typedMoney('123450', 'EUR')).toBe(typed);
  });
  test.each([typed, grouped, '1234.5', '1234,5'])('is read from %s', (text) => {
    expect(parseMoney(text, 'EUR')).toBe('123450');
  });
  test.each(['', foreign, '12.3456', '1.2.3', '-5', 'ten'])('%s is none', (text) => {
    expect(parseMoney(text, 'EUR')).toBeNull();
  });
});

const changedAt = '2026-11-27T10:00:00.000Z';
const endpointOf = (state: string, result: string | null, status: number | null, delivered = 0, minute = 1) =>
  ({
    health: { state, changedAt },
    lastOutcomes: { count: 20, delivered, rejected: 0 },
    lastAttempt: result && { at: `2026-11-27T10:0${minute}:00.000Z`, result, status, durationMs: 1 },
  }) as AttemptedEndpoint;

test.each<[string, AttemptedEndpoint, boolean]>([
  ['nothing was tried', endpointOf('HEALTHY', null, null), false],
  ['the receiver took the last one', endpointOf('HEALTHY', 'delivered', 200), false],
  ['it is on its way', endpointOf('HEALTHY', 'inFlight', null), false],
  ['the only ones failed, and their schedules go on', endpointOf('HEALTHY', 'connectFailed', null), true],
  ['the only ones were refused', endpointOf('HEALTHY', 'httpError', 404), true],
  ['one among others was refused for good', endpointOf('HEALTHY', 'httpError', 404, 19), false],
  ['it broke after others were taken', endpointOf('HEALTHY', 'httpError', 500, 19), true],
  ['it went away after others were taken', endpointOf('HEALTHY', 'timeout', null, 19), true],
  ['it was enabled since', endpointOf('HEALTHY', 'timeout', null, 0, 0), false],
  ['it is told as disabled already', endpointOf('DISABLED', 'timeout', null), false],
])('an endpoint of which %s', (_what, endpoint, is) => {
  expect(isFailing(endpoint)).toBe(is);
});
