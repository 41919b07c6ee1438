// The sandbox's test cards as data: the same table drives the simulators, the tests, the reference page and GET /sandbox/cards.

/** What a payment with the card comes to. */
export const cardOutcomes = [
  'AUTHORIZED',
  'CHALLENGE_AUTHORIZED',
  'CHALLENGE_DECLINED',
  'CHALLENGE_FAILED',
  'DECLINED',
  'DECLINED_INSUFFICIENT_FUNDS',
  'DENIED_BY_RISK',
  'FAILED',
  'PENDING_THEN_AUTHORIZED',
  'UNKNOWN_THEN_AUTHORIZED',
] as const;
export type CardOutcome = (typeof cardOutcomes)[number];

/** What the token service makes of it; null: the card is like any other of its range. */
export const tokenizationOutcomes = ['TOKENIZED', 'REFUSED', 'FAILED', 'NOT_TOKENIZABLE'] as const;
export type TokenizationOutcome = (typeof tokenizationOutcomes)[number];

export interface TestCard {
  number: string;
  brand: 'VISA' | 'MASTERCARD' | 'AMEX' | 'DISCOVER';
  payment: CardOutcome;
  tokenization: TokenizationOutcome;
  /** For people. */
  description: string;
}

const visa = (number: string, payment: CardOutcome, description: string): TestCard => ({
  number,
  brand: 'VISA',
  payment,
  tokenization: 'TOKENIZED',
  description,
});

/** Any future expiry and any security code of the right length go with them. */
export const testCards: readonly TestCard[] = [
  visa('4242424242424242', 'AUTHORIZED', 'Authorized, frictionless'),
  { ...visa('5555555555554444', 'AUTHORIZED', 'Authorized, frictionless'), brand: 'MASTERCARD' },
  visa('4000002500003155', 'CHALLENGE_AUTHORIZED', '3-D Secure challenge; authorized when passed'),
  visa('4000008400001629', 'CHALLENGE_DECLINED', '3-D Secure challenge; declined by the issuer after passing'),
  visa('4000000000003220', 'CHALLENGE_FAILED', '3-D Secure challenge that the issuer always fails'),
  visa('4000000000000002', 'DECLINED', 'Declined by the issuer'),
  visa('4000000000009995', 'DECLINED_INSUFFICIENT_FUNDS', 'Declined, insufficient funds'),
  visa('4100000000000019', 'DENIED_BY_RISK', 'Denied by risk'),
  visa('4000000000000119', 'FAILED', 'Technical failure'),
  visa('4000000000000077', 'PENDING_THEN_AUTHORIZED', 'Pending, then authorized 3 s later'),
  visa(
    '4000000000000259',
    'UNKNOWN_THEN_AUTHORIZED',
    'The acquirer does not answer until it is asked again; then authorized',
  ),
  {
    number: '378282246310005',
    brand: 'AMEX',
    payment: 'AUTHORIZED',
    tokenization: 'NOT_TOKENIZABLE',
    description: 'Authorized; outside the tokenizable ranges (MTS-1612)',
  },
  {
    number: '6011111111111117',
    brand: 'DISCOVER',
    payment: 'AUTHORIZED',
    tokenization: 'REFUSED',
    description: 'Tokenization: the token service refuses it (MTS-1619)',
  },
  {
    ...visa('4000000000000341', 'AUTHORIZED', 'Tokenization: the token service fails (MTS-1618)'),
    tokenization: 'FAILED',
  },
];

const byNumber = new Map(testCards.map((card) => [card.number, card]));

/** The row of a number; numbers that are not in the table behave like the first row. */
export function testCardOf(number: string): TestCard | undefined {
  return byNumber.get(number);
}

/** The row of a card of which only the ends are known. */
export function testCardLike({ bin, lastFour }: { bin: string; lastFour: string }): TestCard | undefined {
  return testCards.find(({ number }) => number.startsWith(bin) && number.endsWith(lastFour));
}
