// Create-payment requests read part by part: what each field takes, what it refuses, and what the installation's own words change (payment service).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readApiFile } from '../../rest-facade/checks/openapi';
import { readNames } from '../../subgraphs/payments/configured-names';
import {
  createPaymentReader,
  pageLanguages,
  pageTypes,
  processings,
  scaExemptions,
} from '../../subgraphs/payments/payment-service/create-payment';
import {
  merchantInitiatedTypes,
  methodVariants,
  recurringTypes,
  splitSecrets,
} from '../../subgraphs/payments/payment-service/payment-method-details';
import { countriesAlpha2 } from '../../subgraphs/shared/countries';
import { DomainError } from '../../subgraphs/shared/errors';
import { currencies } from '../../subgraphs/shared/money';

const settings = {
  // Of another family: payments do not look at them.
  ONBOARDING_METHOD_CODES: [],
  ONBOARDING_METHOD_PROVIDERS: [],
  ONBOARDING_FEE_CODES: [],
  ONBOARDING_REFERENCE_SYSTEMS: [],
  PROVIDER_NAME: 'Provider',
  MOBILE_WALLET_NAME: 'MobileWallet',
  APP_WALLET_NAME: 'AppWallet',
  BANK_REDIRECT_NAME: 'BankRedirect',
  PAY_PAGE_METHODS: 'VISA MASTERCARD MAESTRO AMEX DINERS DOMESTIC INVOICE WALLET BANK_REDIRECT'.split(' '),
};
const others = {
  ...settings,
  PROVIDER_NAME: 'Acme',
  MOBILE_WALLET_NAME: 'Pocket',
  APP_WALLET_NAME: 'Swoosh',
  BANK_REDIRECT_NAME: 'ToBank',
  PAY_PAGE_METHODS: ['PLASTIC', 'INVOICE'],
};
const read = createPaymentReader(readNames(settings), true);

/** The field that a refusal names, with its code; null when the request is taken. */
function refusal(request: unknown, reader = read): [string, string | undefined] | null {
  try {
    reader(request);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.details.field];
    throw error;
  }
}

/** A request in which one dotted field has that value. */
function withField(path: string, value: unknown): unknown {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => (/^\d+$/.test(name) ? [inner] : { [name]: inner }), value);
}

const noTexts = [1, true, {}, [], { $ne: '' }, 'a\u0000b', '\ud800', 'a'.repeat(1_025)];
const noAddresses = ['', 'shop.example', 'ftp://shop.example/', 'javascript:alert(1)', 'https://a:b@shop.example/', 7];
const noInt32 = ['1', 1.5, 2_147_483_648, true, {}, Number.NaN];

const table: [field: string, taken: unknown[], refused: unknown[]][] = [
  ['type', ['MerchantHostedEcom', 'ProviderHostedEcom'], ['', 'HostedEcom', 'AcmeHostedEcom', '__proto__', 1]],
  ['scaExemption', [...scaExemptions], ['', 'None', 'lowvalue', 1]],
  ['redirectUrls', [{}], ['x', [], 1]],
  [
    'redirectUrls.returnUrl',
    ['https://shop.example', 'http://127.0.0.1:8083/a?b#c', 'HTTPS://Shop.Example/'],
    noAddresses,
  ],
  ['paymentNumber', ['A', '1', 'x'.repeat(64)], ['', 'a b', 'a-1', 'é', 'x'.repeat(65), 1]],
  ['checkoutText', ['', 'Grüße\nund Dank', '😀'.repeat(1_024)], noTexts],
  ['reconciliationReference', ['', 'ref/1'], noTexts],
  ['amount', ['1', '2147483647'], ['2147483648', '-1', '1.5', '', 'x', 5, '99999999999999']],
  ['currencyCode', ['EUR', 'JPY', 'KWD'], ['', 'eur', 'QQQ', '978', 1]],
  ['processing', [...processings], ['', 'sale', 'Capture', 1]],
  ['description', ['', 'x'], noTexts],
  ['customer', [{}], ['x', [], 1]],
  ['customer.type', ['Individual', 'Company'], ['', 'Robot', 1]],
  ['customer.email', ['a@b', 'ada@example.org'], ['', 'a b@c', 'ada', '<a@b>', 1, `${'a'.repeat(253)}@b`]],
  ['customer.firstName', ['', 'Ada'], noTexts],
  ['customer.companyName', ['', 'Engines'], noTexts],
  ['customer.address', [{}], ['x', [], 1]],
  ['customer.address.city', ['Aarhus'], noTexts],
  ['customer.address.countryCode', ['DK', 'IT'], ['', 'dk', 'DNK', 'ZZ', 1]],
  ['basket', [[], [{}]], ['x', {}, 1, Array.from({ length: 501 }, () => ({})), [1], [null]]],
  ['basket.0.quantity', [0, 1, 2_147_483_647], [...noInt32, -1]],
  ['basket.0.unitPrice', [-2_147_483_648, 0, 2_147_483_647], [...noInt32, -2_147_483_649]],
  ['basket.0.vatPercentage', [0, 12.5, 100], ['25', -0.1, 100.1, true, Number.NaN]],
  ['basket.0.discountPercentage', [0, 99.9], ['1', -1, 101]],
  ['basket.0.includesHandling', [true, false], ['true', 0, 1, {}]],
  ['basket.0.unitCode', ['0', '1'], [0, 'x'.repeat(33)]],
  ['payPageConfiguration', [{}], ['x', [], 1]],
  ['payPageConfiguration.language', [...pageLanguages], ['', 'en', 'ENG', 'US', 1]],
  ['payPageConfiguration.pageType', [...pageTypes], ['', 'none', 'Popup', 1]],
  ['payPageConfiguration.templateName', ['', 'dark'], noTexts],
  ['payPageConfiguration.paymentMethodActionInfoList', [[], [{}]], ['x', {}, Array.from({ length: 101 }, () => ({}))]],
  [
    'payPageConfiguration.paymentMethodActionInfoList.0.paymentMethod',
    settings.PAY_PAGE_METHODS,
    ['', 'visa', 'PLASTIC'],
  ],
  ['payPageConfiguration.paymentMethodActionInfoList.0.fee', [0, 100], [...noInt32, -1]],
  ['payPageConfiguration.paymentMethodActionInfoList.0.cardType', ['All', 'Debit', 'Credit'], ['', 'debit', 1]],
  [
    'payPageConfiguration.paymentMethodActionInfoList.0.cardOrigin',
    ['All', 'International', 'Domestic', 'EU', 'NonEU'],
    ['', 'eu', 1],
  ],
  ['payPageConfiguration.paymentMethodActionInfoList.0.cardProductType', ['All', 'Private', 'Corporate'], ['', 1]],
  ['payPageConfiguration.paymentMethodActionInfoList.0.bin', [4, 42_424_242], [...noInt32, 0, -1, 100_000_000]],
  ['payPageConfiguration.paymentMethodActionInfoList.0.action', ['Allow', 'Reject'], ['', 'allow', 1]],
  ['paymentMethodDetails', [{}, { token: 5 }], ['x', [], 1]],
  ['paymentMethodDetails.type', [...methodVariants], ['', 'Nonsense', 'constructor', 1]],
];

describe.each(table)('%s', (field, taken, refused) => {
  it('takes what the document allows, and nothing for absent', () => {
    for (const value of [...taken, null, undefined])
      expect([value, refusal(withField(field, value))]).toEqual([value, null]);
  });

  it('refuses everything else, naming the field', () => {
    for (const value of refused)
      expect([value, refusal(withField(field, value))]).toEqual([
        value,
        ['invalidInput', expect.stringContaining(field)],
      ]);
  });
});

describe('paymentMethodDetails', () => {
  const fields: Record<string, [field: string, taken: unknown[], refused: unknown[]][]> = {
    PaymentWithToken: [
      ['token', ['pmt_1', '4895370000000002'], ['', 'a b', 1, 'x'.repeat(129)]],
      ['tokenSecret', ['AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'pms_-'], ['', 'a b', 1, 'x'.repeat(257)]],
      ['isRecurring', [true, false], ['true', 1]],
      ['recurringType', [...recurringTypes], ['', 'subscription', 1]],
    ],
    InitialPaymentMethodTokenizationDetails: [
      [
        'expiryDate',
        ['2030-12-31', '2028-02-29'],
        ['', '2030-02-30', '31/12/2030', '2030-13-01', 1, '2030-12-31T00:00:00Z'],
      ],
      ['intervalDays', [0, 30, 2_147_483_647], [...noInt32, -1]],
    ],
    MerchantInitiatedPaymentWithToken: [
      ['token', ['pmt_1'], ['', 1]],
      ['merchantInitiatedTransactionType', [...merchantInitiatedTypes], ['', 'noShow', 1]],
    ],
    SepaDirectDepositTypeA: [
      ['iban', ['DK5000400440116243', 'de89 3704 0044 0532 0130 00'], ['', 'DK5100400440116243', 'XX00', 'é', 1]],
      ['customerEmail', ['a@b.example'], ['', 'ab', 1]],
    ],
    SepaDirectDepositTypeC: [
      ['iban', ['GB82WEST12345698765432'], ['GB82WEST12345698765433']],
      ['mandateUrl', ['https://mandates.example/1'], noAddresses],
    ],
    MobileWallet: [
      ['isRecurring', [true], ['true']],
      ['paymentData', ['', '{"a":1}', 'x'.repeat(16_384)], [1, {}, 'x'.repeat(16_385)]],
    ],
    AppWallet: [['isApp', [true, false], ['true', 0]]],
    BankRedirect: [],
  };

  it('knows eight variants', () => expect(Object.keys(fields)).toEqual(methodVariants));

  it.each(Object.entries(fields))('%s takes its own fields and ignores those of others', (type, own) => {
    const details = (more: object) => ({ paymentMethodDetails: { type, ...more } });
    expect(read(details({ nonsense: 1 })).methodDetails).toEqual({ type });
    for (const [field, taken, refused] of own) {
      for (const value of taken) expect([value, refusal(details({ [field]: value }))]).toEqual([value, null]);
      for (const value of refused)
        expect([value, refusal(details({ [field]: value }))]).toEqual([
          value,
          ['invalidInput', `paymentMethodDetails.${field}`],
        ]);
    }
    const foreign = ['token', 'iban', 'paymentData', 'isApp', 'expiryDate'].filter(
      (name) => !own.some(([field]) => field === name),
    );
    expect(refusal(details(Object.fromEntries(foreign.map((name) => [name, {}]))))).toBeNull();
  });

  it('keeps nothing in the clear that could be charged with', () => {
    const secret = { token: 'pmt_1', tokenSecret: 'pms_1' };
    const { methodDetails } = read({
      paymentMethodDetails: { type: 'PaymentWithToken', isRecurring: true, ...secret },
    });
    expect(methodDetails && splitSecrets(methodDetails)).toEqual({
      open: { type: 'PaymentWithToken', isRecurring: true },
      secret,
    });
    const { methodDetails: plain } = read({ paymentMethodDetails: { type: 'AppWallet', isApp: true } });
    expect(plain && splitSecrets(plain).secret).toBeNull();
  });
});

describe('rules across fields', () => {
  it.each([
    [{ amount: '0', processing: 'Verify' }, null],
    [{ amount: '0' }, ['invalidData', 'amount']],
    [{ amount: '0', processing: 'Authorize' }, ['invalidData', 'amount']],
    [{ amount: '0', processing: 'Sale' }, ['invalidData', 'amount']],
  ])('amount 0 fits Verify only: %j', (request, expected) => expect(refusal(request)).toEqual(expected));

  it('a request may be empty, and says what it means then', () => {
    expect(read({})).toMatchObject({
      type: 'MerchantHostedEcom',
      processing: 'None',
      amountMinor: null,
      currency: null,
      methodDetails: null,
    });
  });

  it('a customer of a type keeps the fields of that type alone', () => {
    const all = { firstName: 'Ada', companyName: 'Engines', phone: '1' };
    expect(read({ customer: { type: 'Individual', ...all } }).customer).toEqual({
      type: 'Individual',
      firstName: 'Ada',
      phone: '1',
    });
    expect(read({ customer: { type: 'Company', ...all } }).customer).toEqual({
      type: 'Company',
      companyName: 'Engines',
      phone: '1',
    });
    expect(read({ customer: all }).customer).toEqual(all);
  });

  it('takes own members only, and no prototype', () => {
    const request = JSON.parse('{"__proto__":{"processing":"Sale"},"constructor":{"amount":"1"},"amount":"7"}');
    expect(read(request)).toMatchObject({ processing: 'None', amountMinor: 7n });
    expect(read(Object.create({ amount: '9' }))).toMatchObject({ amountMinor: null });
  });
});

describe('the words of an installation', () => {
  const chosen = createPaymentReader(readNames(others), true);

  it.each([
    [{ type: 'AcmeHostedEcom' }, null],
    [{ type: 'ProviderHostedEcom' }, 'type'],
    [{ paymentMethodDetails: { type: 'Swoosh', isApp: true } }, null],
    [{ paymentMethodDetails: { type: 'AppWallet' } }, 'paymentMethodDetails.type'],
    [{ payPageConfiguration: { paymentMethodActionInfoList: [{ paymentMethod: 'PLASTIC' }] } }, null],
    [
      { payPageConfiguration: { paymentMethodActionInfoList: [{ paymentMethod: 'VISA' }] } },
      'payPageConfiguration.paymentMethodActionInfoList.0.paymentMethod',
    ],
  ])('%j', (request, field) => {
    expect(refusal(request, chosen)).toEqual(field === null ? null : ['invalidInput', field]);
  });

  it('stand in the contract too', () => {
    const root = join(__dirname, '..', '..');
    const { document, yaml, json } = readApiFile(root, 'payments', others);
    const schemas = (
      JSON.parse(json) as {
        components: { schemas: Record<string, { properties: Record<string, { enum: string[] }> }> };
      }
    ).components.schemas;
    const words = (schema: string, field: string) =>
      schemas[schema]?.properties[field]?.enum.filter((word) => word !== null);
    expect(words('CreatePaymentRequest', 'type')).toEqual(['MerchantHostedEcom', 'AcmeHostedEcom']);
    expect(words('PaymentMethodDetails', 'type')?.slice(-3)).toEqual(['Pocket', 'Swoosh', 'ToBank']);
    expect(words('PaymentMethodActionInfo', 'paymentMethod')).toEqual(['PLASTIC', 'INVOICE']);
    expect(parse(yaml)).toEqual(JSON.parse(json));
    expect(JSON.stringify(document)).toContain('AcmeHostedEcom');
    expect(readApiFile(root, 'payments', settings).yaml).toBe(
      readFileSync(join(root, 'rest-facade/openapi/payments.yaml'), 'utf8'),
    );
  });
});

test('the contract lists the enumerations of the code', () => {
  const { document } = readApiFile(join(__dirname, '..', '..'), 'payments');
  const text = JSON.stringify(document);
  const list = (words: readonly string[]) => JSON.stringify([...words, null]);
  for (const words of [[...currencies].sort(), countriesAlpha2, pageLanguages, pageTypes, processings, scaExemptions])
    expect(text).toContain(list(words));
});

it('in production the payer is sent back by https, or to this very machine', () => {
  const inProduction = createPaymentReader(readNames(settings), false);
  const request = (returnUrl: string) => ({ amount: '100', redirectUrls: { returnUrl } });
  expect(inProduction(request('https://shop.example/back')).returnUrl).toBe('https://shop.example/back');
  expect(inProduction(request('http://localhost:3000/back')).returnUrl).toBe('http://localhost:3000/back');
  expect(() => inProduction(request('http://shop.example/back'))).toThrow('redirectUrls.returnUrl must be https');
  expect(read(request('http://shop.example/back')).returnUrl).toBe('http://shop.example/back');
});
