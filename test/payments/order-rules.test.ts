// What an order, its session and its customer may say, and what is kept of it (hosted checkout, Order, paymentSession, customerInfo).
import { indicators, riskIndicators } from '../../subgraphs/payments/checkout/customer-info';
import { isSameLanguage, languages } from '../../subgraphs/payments/sessions/languages';
import { parse } from './order-reading';

const address = {
  name: 'Ada',
  street: '1 Lane',
  additionalInfo: 'c/o',
  city: 'Kbh',
  postCode: '1000',
  province: 'H',
  country: 'DNK',
};
const everything = {
  amount: '5000',
  currency: 'EUR',
  orderId: 'A#*+-.:;=?[]_{|}9',
  customField: 'a note',
  customerId: 'c-1',
  description: 'Shoes',
  invoiceid: 'INV_1-2+3',
  termsAndConditionsIds: ['t1', 't2'],
  installments: [
    { amount: '2500', date: '2026-11-21', type: 'AUTOMATIC' },
    { amount: '2500', date: '2027-02-28', type: 'MANUAL' },
  ],
  transactionSummary: [{ language: 'dan', summaryList: [{ label: 'Sko', value: '50,00' }] }],
  plan: { totalAmount: '60000', contractId: 'k', planType: 'FIXED', InstallmentQty: 12, status: 'ACTIVE' },
  customerInfo: {
    cardHolderName: 'Ada',
    cardHolderEmail: 'ada@example.com',
    homePhone: '1',
    workPhone: '2',
    mobilePhone: '3',
    mobilePhoneCountryCode: '45',
    billingAddress: address,
    shippingAddress: address,
    cardHolderAcctInfo: {
      ...Object.fromEntries(Object.entries(indicators).map(([name, values]) => [name, values.at(-1)])),
      chAccChangeDate: '2026-01-31',
      chAccDate: '2026-01-31T10:00:00',
      chAccPwChangeDate: '2026-01-31T10:00:00Z',
      destinationAddressUsageDate: '2026-01-31T10:00:00+02:00',
      paymentAccAgeDate: '2026-01-31T10:00:00.123Z',
      nbPurchaseAccount: 0,
      provisionAttemptsDay: 1,
      txnActivityDay: 2,
      txnActivityYear: 2_147_483_647,
    },
    merchantRiskIndicator: {
      ...Object.fromEntries(Object.entries(riskIndicators).map(([name, values]) => [name, values.at(-1)])),
      deliveryEmail: 'd@example.com',
      giftCardAmount: { currency: 'EUR', value: '10.5' },
      giftCardCount: 1,
      preOrderDate: '2027-01-01',
    },
  },
};
const everySession = {
  actionType: 'PREAUTH',
  amount: '2500',
  cancelUrl: 'https://s.example/c',
  captureType: 'EXPLICIT',
  exemptions: 'EXEMPTION_REQUESTED',
  language: 'ger',
  notificationUrl: 'https://s.example:8443/n',
  resultUrl: 'http://127.0.0.1:3000/r',
  paymentService: 'CARDS',
  recurrence: {
    action: 'CONTRACT_CREATION',
    contractId: 'k',
    contractType: 'MIT_SCHEDULED',
    contractExpiryDate: '2027-11-21',
    contractFrequency: '30',
  },
};

describe('what is taken', () => {
  it('a whole order, as it was sent', () => {
    const read = parse(everything, everySession);
    expect(read.order).toEqual(everything);
    expect(read).toMatchObject({
      amountMinor: 2500n,
      installmentQty: 12,
      actionType: 'PREAUTH',
      captureType: 'EXPLICIT',
      language: 'ger',
      recurrence: { action: 'CONTRACT_CREATION', contractId: 'k', expiryDate: '2027-11-21', frequencyDays: 30 },
    });
  });

  it.each(['ita', 'ITA', 'Ger', 'QAA'])('a language in either case: %s', (language) => {
    const transactionSummary = [{ language, summaryList: [] }];
    const read = parse({ transactionSummary }, { language });
    expect([read.language, read.order]).toEqual([language.toLowerCase(), { transactionSummary }]);
  });

  it.each<[string, string, boolean]>([
    ['deu', 'GER', true],
    ['fre', 'fra', true],
    ['ITA', 'ita', true],
    ['eng', 'dan', false],
    ['constructor', 'eng', false],
  ])('whether %s and %s are one language', (one, other, expected) => {
    expect(isSameLanguage(one, other)).toBe(expected);
    expect(isSameLanguage(other, one)).toBe(expected);
  });

  it('nothing at all, for build', () => {
    expect(parse(undefined, undefined)).toMatchObject({
      amountMinor: null,
      orderId: null,
      actionType: 'PAY',
      order: {},
    });
  });

  it('null as if it were absent, at any depth', () => {
    const nulls = (value: object): object => Object.fromEntries(Object.keys(value).map((name) => [name, null]));
    expect(parse(nulls(everything), nulls(everySession))).toEqual(parse({}, {}));
    expect(parse({ customerInfo: nulls(everything.customerInfo), plan: nulls(everything.plan) }).order).toEqual({
      customerInfo: {},
      plan: {},
    });
  });

  it('unknown members are dropped, and what looks like an operator or a prototype is one of them', () => {
    const strange = JSON.parse(
      '{"amount":"1","$where":"1","__proto__":{"orderId":"x"},"constructor":{"a":1},"plan":{"$gt":1}}',
    );
    const read = parse(strange, strange);
    expect([read.order, read.orderId]).toEqual([{ amount: '1', plan: {} }, null]);
  });

  it('customField in both spellings, the clean one wins', () => {
    expect(parse({ 'customField\u00c2': 'b' }).order).toEqual({ customField: 'b' });
    expect(parse({ customField: 'a', 'customField\u00c2': 'b' }).customField).toBe('a');
  });

  it('amounts to the last digit, leading zeros included', () => {
    for (const [sent, minor] of [
      ['1', 1n],
      ['005000', 5000n],
      ['999999999999', 999_999_999_999n],
    ] as const)
      expect(parse({ amount: sent }).amountMinor).toBe(minor);
    expect(parse({ amount: '0' }, { actionType: 'VERIFY' }).amountMinor).toBe(0n);
  });

  it('both forms of an ISO 639-2 code', () => {
    for (const language of ['fre', 'fra', 'ger', 'deu', 'qaa']) expect(parse({}, { language }).language).toBe(language);
    expect(languages.length).toBeGreaterThan(480);
  });
});
