// Every rule of an application and its admin user, both sides of each limit, as a table of what is changed and what that is called (onboarding interface, Onboarding application).
import { join } from 'node:path';
import { readApiFile } from '../../rest-facade/checks/openapi';
import { createApplicationReader, readAdminUser } from '../../subgraphs/onboarding/applications/application-reader';
import { readWords } from '../../subgraphs/onboarding/configured-words';
import { readConfig } from '../../subgraphs/shared/config';
import { DomainError } from '../../subgraphs/shared/errors';
import { currencies } from '../../subgraphs/shared/money';

const judgeAddress = (address: string) => (address.startsWith('https://') ? null : 'must be https');
const readerOf = (env: Record<string, string> = {}) =>
  createApplicationReader({ words: readWords(readConfig(env)), judgeAddress });
const read = readerOf();

const fee = { paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 125, priceVAT: 0, itemType: 'TRANS' };
const method = { paymentMethodProvider: 'PROVIDER_CODE_1', optional: false, selected: true, fees: [fee] };
const option = { itemNo: '1', paymentType: 'CARD', paymentMethods: [method] };
const quote = { documentNo: 'Q1', currency: 'DKK', signon: 0, subscription: 9_900, paymentOptions: [option] };
const webhook = { eventName: 'onboarding.approved', url: 'https://partner.example/h', authorization: 'a1b2c3d4' };
const whole = {
  country: 'DNK',
  currency: 'DKK',
  salesCode: 'S',
  salesRepPartner: 'Ada',
  salesRepProvider: 'Bo',
  company: {
    organizationNumber: '25313763',
    vatNumber: 'DK25313763',
    invoiceEmail: 'bills@shop.example',
    companyName: 'Shop',
    companyAddress: 'Street 1',
    zipCode: '1000',
    city: 'Town',
    contactPerson: { firstName: 'F', lastName: 'H', phone: '+45 12 34 56 78', email: 'f@shop.example' },
    referenceDetails: [{ system: 'CREDIT_INFO', referenceKey: 'DUNS_NO', referenceValue: '1' }],
  },
  productCodes: ['CARD', 'INVOICE', 'INSTALLMENT', 'METHOD_CODE_1', 'METHOD_CODE_5'],
  webshop: { url: 'https://shop.example/da', name: 'Shop' },
  bankAccount: { iban: 'DK5000400440116243', swift: 'NDEADKKK' },
  quote,
  amlCustomerIntroductionType: { introductionType: 'ONLINE' },
  notifications: { webhooks: [webhook] },
  merchantId: 'shop-1',
};

/** A copy with one member, at any depth, replaced; undefined takes it out. */
function changed(value: unknown, path: string, to: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const members = copy as Record<string, unknown>;
  if (rest.length > 0) members[name] = changed(members[name], rest.join('.'), to);
  else if (to === undefined) delete members[name];
  else members[name] = to;
  return copy;
}

function refusalOf(run: () => unknown): [string, string | undefined] | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.details.field];
    throw error;
  }
}

test('a whole application is taken as it is', () => {
  const { facts, webhooks, merchantId } = read(whole);
  const { notifications: _webhooks, merchantId: _id, salesRepProvider: salesRepOperator, ...rest } = whole;
  expect(facts).toEqual({ ...rest, salesRepOperator });
  expect(webhooks).toEqual([webhook]);
  expect(merchantId).toBe('shop-1');
});

test('null is the same as absent, and what is not known is left out', () => {
  const company = { ...whole.company, pets: 1 };
  const { facts } = read({ ...whole, bankAccount: null, quote: null, shoeSize: 42, company });
  expect(facts).not.toHaveProperty('bankAccount');
  expect(facts).not.toHaveProperty('quote');
  expect(JSON.stringify(facts)).not.toMatch(/shoeSize|pets/);
});

const required = [
  'country',
  'currency',
  'company',
  'company.organizationNumber',
  'quote.documentNo',
  'quote.currency',
  'quote.signon',
  'quote.subscription',
  'quote.paymentOptions',
  ...['itemNo', 'paymentType', 'paymentMethods'].map((name) => `quote.paymentOptions.0.${name}`),
  ...['paymentMethodProvider', 'optional', 'selected', 'fees'].map(
    (name) => `quote.paymentOptions.0.paymentMethods.0.${name}`,
  ),
  ...Object.keys(fee).map((name) => `quote.paymentOptions.0.paymentMethods.0.fees.0.${name}`),
  'amlCustomerIntroductionType.introductionType',
  'notifications.webhooks',
  ...Object.keys(webhook).map((name) => `notifications.webhooks.0.${name}`),
];

test.each(required)('without %s it is refused by name', (path) => {
  const refusal = ['fieldMissing', `application.${path}`];
  expect(refusalOf(() => read(changed(whole, path, undefined)))).toEqual(refusal);
  expect(refusalOf(() => read(changed(whole, path, null)))).toEqual(refusal);
});

const optional = [
  'productCodes',
  'salesCode',
  'webshop',
  'webshop.url',
  'webshop.name',
  'bankAccount',
  'bankAccount.iban',
  'bankAccount.swift',
  'salesRepPartner',
  'salesRepProvider',
  'quote',
  'amlCustomerIntroductionType',
  'notifications',
  'merchantId',
  'company.vatNumber',
  'company.invoiceEmail',
  'company.contactPerson',
  ...['firstName', 'lastName', 'phone', 'email'].map((name) => `company.contactPerson.${name}`),
  ...['companyName', 'companyAddress', 'zipCode', 'city', 'referenceDetails'].map((name) => `company.${name}`),
  ...['system', 'referenceKey', 'referenceValue'].map((name) => `company.referenceDetails.0.${name}`),
];

test.each(optional)('without %s it is taken', (path) => {
  expect(refusalOf(() => read(changed(whole, path, undefined)))).toBeNull();
});

const fees = 'quote.paymentOptions.0.paymentMethods.0';
const long = (length: number) => 'x'.repeat(length);
/** Field, what is refused, what is just right, and the code when it is not that of a wrong value. */
const rules: [string, unknown[], unknown[], string?][] = [
  ['country', ['DEU', 'DK', 'dnk', 1, ''], ['GRL'], 'countryNotOffered'],
  ['currency', ['XTS', 'dkk', 'DK', '208', 1], ['EUR', 'JPY'], 'currencyInvalid'],
  ['quote.currency', ['XTS', 'kr'], ['SEK'], 'currencyInvalid'],
  ['company', ['Shop', [], 1], []],
  [
    'company.organizationNumber',
    ['2531376', '253137633', 'abcdefgh', '', '25313763x'],
    ['12345678', 'DK25313763', '25 31 37 63'],
    'organizationNumberInvalid',
  ],
  ['company.vatNumber', [long(41), 'a\u0000'], [long(40), '']],
  ['company.invoiceEmail', ['x', 'a b@c', '@', `${long(254)}@x`], ['a@b']],
  ['company.contactPerson.email', ['x'], ['a+b@c.example']],
  [
    'company.contactPerson.phone',
    ['abc', '123', '+', '+45 ext 1', '1'.repeat(19)],
    ['1234', '004512345678', '+1 (555) 123-4567'],
  ],
  ['company.companyName', [long(201), 7], [long(200)]],
  ['company.zipCode', [long(21)], [long(20)]],
  ['company.referenceDetails', [{}, 'x', [1]], [[], [{}]]],
  ['company.referenceDetails.0.system', ['OTHER', 'credit_info'], ['CREDIT_INFO']],
  ['company.referenceDetails.0.referenceKey', ['DUNS'], ['DUNS_NO']],
  ['productCodes', ['CARD', [1], ['METHOD_CODE_6'], ['card']], [[], ['METHOD_CODE_3', 'CARD']]],
  [
    'webshop.url',
    ['shop.example', '/shop', 'ftp://shop.example', 'https://a:b@shop.example', 'https://', `https://x/${long(2_048)}`],
    ['http://shop.example', 'HTTPS://SHOP.example/a?b#c'],
  ],
  [
    'bankAccount.iban',
    ['DK5000400440116244', 'DK50', 'XX00', '', 5, 'DK50 0040 0440 1162 43 1'],
    ['dk50 0040 0440 1162 43', 'SE4550000000058398257466', 'NO9386011117947'],
    'bankAccountInvalid',
  ],
  ['bankAccount.swift', ['NDEADKK', 'NDEADKKK1', 'NDEA1KKK', '', 8], ['ndeadkkk', 'NDEADKKKXXX'], 'bankAccountInvalid'],
  ['quote.signon', [-1, 0.5, '0', 2 ** 53], [0, 2 ** 53 - 1]],
  ['quote.subscription', [-1, true], [1]],
  ['quote.paymentOptions', ['x', {}], [[]]],
  ['quote.paymentOptions.0.paymentType', ['CASH', 'card'], ['A2A', 'INSTALLMENT', 'WALLET', 'INVOICE']],
  [`${fees}.paymentMethodProvider`, ['PROVIDER_CODE_8', ''], ['PROVIDER_CODE_7']],
  [`${fees}.optional`, ['true', 0], [true]],
  [`${fees}.selected`, [1], [false]],
  [`${fees}.paymentMethodVariant1`, ['BOTH'], ['DEBIT', 'CREDIT']],
  [`${fees}.paymentMethodVariant2`, ['PRIVATE'], ['CONSUMER', 'CORPORATE']],
  [`${fees}.paymentMethodVariant3`, ['EU'], ['EEA', 'NON-EEA']],
  [`${fees}.fees.0.paymentActionType`, ['FEE_CODE_5', 'charge'], ['REFUND', 'DA', 'FEE_CODE_1', 'FEE_CODE_4']],
  [`${fees}.fees.0.feeType`, ['PCT'], ['TAMT', 'QTY', 'TQTY']],
  [`${fees}.fees.0.unitPrice`, [-1, 1.5, '1', 2 ** 53], [0]],
  [`${fees}.fees.0.priceVAT`, [-1], [25]],
  [`${fees}.fees.0.itemType`, ['ONCE'], ['SUB']],
  ['amlCustomerIntroductionType.introductionType', ['', long(65), 5], ['x', long(64), '☕'.repeat(64)]],
  ['notifications.webhooks', ['x', {}, [1]], [[]]],
  [
    'notifications.webhooks.0.eventName',
    ['onboarding.created', 'approved', ''],
    ['onboarding.awaiting_signature'],
    'webhookInvalid',
  ],
  [
    'notifications.webhooks.0.url',
    ['http://partner.example', `https://${long(249)}`, 5, ''],
    [`https://${long(248)}`],
    'webhookInvalid',
  ],
  [
    'notifications.webhooks.0.authorization',
    ['a1b2c3d', long(33), 'a1b2c3d-', 'a1b2 c3d4', '', 12345678],
    [long(8), long(32), '****d4'],
    'webhookInvalid',
  ],
  ['merchantId', ['', long(36), 'a b', 'å', 5], [long(35), 'a.b_c-1']],
];

test.each(rules)('%s', (path, refused, taken, code = 'invalidInput') => {
  for (const value of refused) {
    const [found, field = ''] = refusalOf(() => read(changed(whole, path, value))) ?? ['taken'];
    expect([value, found]).toEqual([value, code]);
    expect(field.startsWith(`application.${path}`)).toBe(true);
  }
  for (const value of taken) expect([value, refusalOf(() => read(changed(whole, path, value)))]).toEqual([value, null]);
});

test.each<[string, string[], string[]]>([
  ['DNK', ['12345678', '12 34 56 78', 'DK12345678'], ['1234567', '123456789']],
  ['SWE', ['5560360793', '556036-0793', '165560360793', 'SE5560360793'], ['556036079', '55603607931']],
  ['NOR', ['923609016', '923 609 016', 'NO923609016MVA'], ['92360901', '9236090160']],
  ['GRL', ['12345678', 'GL12345678'], ['1234567', '123456789']],
])('an organisation number of %s', (country, taken, refused) => {
  const judge = (organizationNumber: string) =>
    refusalOf(() => read({ country, currency: 'DKK', company: { organizationNumber } }))?.[0] ?? null;
  expect(taken.map(judge)).toEqual(taken.map(() => null));
  expect(refused.map(judge)).toEqual(refused.map(() => 'organizationNumberInvalid'));
});

test('an IBAN is kept without spaces and in capitals, a BIC in capitals', () => {
  const { facts } = read({ ...whole, bankAccount: { iban: 'dk50 0040 0440 1162 43', swift: 'ndeadkkk' } });
  expect(facts.bankAccount).toEqual(whole.bankAccount);
});

describe('the admin user', () => {
  test.each<[object, [string, string] | null]>([
    [{ email: 'a@b' }, null],
    [{ email: 'a@b', firstName: 'A', lastName: 'B', language: 'DE_DE', sendActivationEmail: true }, null],
    [{}, ['fieldMissing', 'adminUser.email']],
    [{ email: 'nobody' }, ['invalidInput', 'adminUser.email']],
    [{ email: 'a@b', language: 'FR_FR' }, ['invalidInput', 'adminUser.language']],
    [{ email: 'a@b', language: 'da_dk' }, ['invalidInput', 'adminUser.language']],
    [{ email: 'a@b', sendActivationEmail: 'true' }, ['invalidInput', 'adminUser.sendActivationEmail']],
    [{ email: 'a@b', firstName: long(201) }, ['invalidInput', 'adminUser.firstName']],
  ])('%j', (sent, refusal) => {
    expect(refusalOf(() => readAdminUser(sent))).toEqual(refusal);
  });

  it('reads English and gets no mail unless it says otherwise', () => {
    expect(readAdminUser({ email: 'a@b' })).toEqual({ email: 'a@b', language: 'EN_US', sendActivationEmail: false });
  });
});

describe('the words that an installation chooses', () => {
  const chosen = {
    PROVIDER_NAME: 'Acme',
    ONBOARDING_METHOD_CODES: 'SWOOSH',
    ONBOARDING_METHOD_PROVIDERS: 'BANKER',
    ONBOARDING_FEE_CODES: 'EXTRA',
    ONBOARDING_REFERENCE_SYSTEMS: 'REGISTER',
  };
  const other = readerOf(chosen);
  const small = { country: 'DNK', currency: 'DKK', company: { organizationNumber: '25313763' } };

  test.each<[object, boolean]>([
    [{ productCodes: ['SWOOSH', 'CARD'] }, true],
    [{ productCodes: ['METHOD_CODE_1'] }, false],
    [{ quote: changed(quote, 'paymentOptions.0.paymentMethods.0.paymentMethodProvider', 'BANKER') }, true],
    [{ quote }, false],
    [{ company: { ...small.company, referenceDetails: [{ system: 'REGISTER' }] } }, true],
    [{ company: { ...small.company, referenceDetails: [{ system: 'CREDIT_INFO' }] } }, false],
  ])('%j', (changes, isTaken) => {
    expect(refusalOf(() => other({ ...small, ...changes }))).toEqual(
      isTaken ? null : ['invalidInput', expect.any(String)],
    );
  });

  it('name the field of the operator’s sales representative', () => {
    expect(other({ ...small, salesRepAcme: 'Bo', salesRepProvider: 'No' }).facts.salesRepOperator).toBe('Bo');
    expect(other({ ...small, salesRepProvider: 'No' }).facts).not.toHaveProperty('salesRepOperator');
  });

  it('stand in the contract too', () => {
    const root = join(__dirname, '../..');
    const schemasOf = (config: ReturnType<typeof readConfig>) =>
      JSON.parse(readApiFile(root, 'partner', config).json).components.schemas;
    const printed = JSON.stringify(schemasOf(readConfig(chosen)));
    for (const word of ['salesRepAcme', 'SWOOSH', 'BANKER', 'EXTRA', 'REGISTER']) expect(printed).toContain(word);
    expect(printed).not.toMatch(/salesRepProvider|METHOD_CODE_1|PROVIDER_CODE_7|FEE_CODE_1|CREDIT_INFO/);
    const written = schemasOf(readConfig({}));
    expect(written.Application.properties).toHaveProperty('salesRepProvider');
    expect(written.Currency.enum).toEqual(currencies);
  });
});
