// Bad input to both writing calls of the onboarding interface over the running program: message, code and source, the field named and what would be right, never a 5xx, nothing stored.
import { newId } from '../../subgraphs/shared/ids';
import type { Answer } from '../support/client';
import { type OnboardingPartner, onboardingOf, onboardingPath } from '../support/onboarding';
import { accessTokenOf, graph } from '../support/partner';
import { sharedWorld, type World } from '../support/world';
import { badValues, type Field, nameOf, textFault, withValue } from './bad-values';

let world: World;
let partner: OnboardingPartner;
let staff: string;
/** The one application that every refused update is tried on. */
let presentId: number;

beforeAll(async () => {
  world = await sharedWorld();
  partner = onboardingOf(world);
  staff = await accessTokenOf(world, world.credentials.graph.admin);
  presentId = (await create(goodBody(newMark()))).body.id;
});
afterAll(() => world?.stop());

const fee = { paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 125, priceVAT: 0, itemType: 'TRANS' };
const method = { paymentMethodProvider: 'PROVIDER_CODE_1', optional: false, selected: true, fees: [fee] };
const webhook = { eventName: 'onboarding.approved', url: 'https://partner.example/h', authorization: 'a1b2c3d4' };
const whole = {
  country: 'DNK',
  currency: 'DKK',
  productCodes: ['CARD'],
  webshop: { url: 'https://shop.example', name: 'Shop' },
  company: {
    organizationNumber: '25313763',
    vatNumber: 'DK25313763',
    companyName: 'Shop',
    zipCode: '1000',
    contactPerson: { firstName: 'F', phone: '+45 12 34 56 78', email: 'f@shop.example' },
    referenceDetails: [{ system: 'CREDIT_INFO', referenceKey: 'DUNS_NO', referenceValue: '1' }],
  },
  bankAccount: { iban: 'DK5000400440116243', swift: 'NDEADKKK' },
  quote: {
    documentNo: 'Q1',
    currency: 'DKK',
    signon: 0,
    subscription: 9_900,
    paymentOptions: [{ itemNo: '1', paymentType: 'CARD', paymentMethods: [method] }],
  },
  amlCustomerIntroductionType: { introductionType: 'ONLINE' },
  notifications: { webhooks: [webhook] },
};

const newMark = () => `input-${newId().slice(0, 13)}`;
/** Marked twice, so that what is stored is found though one of the marks is the field under test. */
const goodBody = (mark: string) => ({
  application: { ...whole, merchantId: mark, salesCode: mark },
  adminUser: { email: 'admin@shop.example', firstName: 'A', language: 'DA_DK', sendActivationEmail: false },
});

const sent = (body: unknown) => ({ body, headers: { 'Content-Type': 'application/json' } });
const create = (body: unknown) => partner.call('POST', onboardingPath, sent(body));
const update = (body: unknown) => partner.call('POST', `${onboardingPath}/${presentId}`, sent(body));

/** How many of the newest applications carry the mark. */
async function storedWith(mark: string): Promise<number> {
  const query = 'query { onboardingApplications(first: 100) { edges { node { merchantId salesCode } } } }';
  const { edges } = (await graph(world, query, {}, staff)).data.onboardingApplications;
  return edges.filter(({ node }: { node: object }) => Object.values(node).includes(mark)).length;
}

/** What is wrong with a refusal, or null: 400, a documented code with its source, the field in the text and in the sandbox's own header. */
function refusalFault({ status, body, headers }: Answer, path: string, codes = /^(1004|300[2346])$/): string | null {
  if (status !== 400) return `status ${status}`;
  if (!codes.test(body.code)) return `code ${body.code}`;
  if (body.source !== (body.code.startsWith('1') ? 'validation' : 'partner')) return `source ${body.source}`;
  const detail = String(headers['x-error-detail']);
  return detail.includes(`field=${path}`) ? textFault(body.message, nameOf({ path })) : `detail ${detail}`;
}

const long = (length: number) => 'x'.repeat(length);
const negative = [-1, 0.5, 2 ** 53];
const option = 'quote.paymentOptions.0';
const applicationFields = (
  [
    { path: 'country', kind: 'words', also: ['DEU', 'DK', 'dnk'] },
    { path: 'currency', kind: 'currency' },
    { path: 'salesCode', kind: 'text', also: [long(201), 'a\u0000'] },
    { path: 'merchantId', kind: 'reference', also: [long(36), 'a/b'] },
    { path: 'company', kind: 'object' },
    { path: 'company.organizationNumber', kind: 'reference', also: ['2531376', '253137633', '25313763x'] },
    { path: 'company.vatNumber', kind: 'text', also: [long(41), 'a\u0000'] },
    { path: 'company.companyName', kind: 'text', also: [long(201), 'a\ud800'] },
    { path: 'company.zipCode', kind: 'text', also: [long(21)] },
    { path: 'company.invoiceEmail', kind: 'reference', also: ['@', `${long(254)}@x`] },
    { path: 'company.contactPerson', kind: 'object' },
    { path: 'company.contactPerson.phone', kind: 'reference', also: ['123', '+', '1'.repeat(19)] },
    { path: 'company.contactPerson.email', kind: 'reference' },
    { path: 'company.referenceDetails', kind: 'array', also: [['x'], [1]] },
    { path: 'company.referenceDetails.0.system', kind: 'words' },
    { path: 'productCodes', kind: 'array', also: [[1], ['card']] },
    { path: 'productCodes.0', kind: 'words' },
    { path: 'webshop', kind: 'object' },
    { path: 'webshop.url', kind: 'browserUrl', also: ['shop.example', 'https://a:b@shop.example'] },
    { path: 'webshop.name', kind: 'text', also: [long(201)] },
    { path: 'bankAccount', kind: 'object' },
    { path: 'bankAccount.iban', kind: 'reference', also: ['DK5000400440116244', 'XX00', 'DK50'] },
    { path: 'bankAccount.swift', kind: 'reference', also: ['NDEADKK', 'NDEADKKK1', 'NDEA1KKK'] },
    { path: 'quote', kind: 'object' },
    { path: 'quote.documentNo', kind: 'text', also: [long(201)] },
    { path: 'quote.currency', kind: 'currency' },
    { path: 'quote.signon', kind: 'decimal', also: negative },
    { path: 'quote.subscription', kind: 'decimal', also: negative },
    { path: 'quote.paymentOptions', kind: 'array', also: [['x']] },
    { path: `${option}.paymentType`, kind: 'words' },
    { path: `${option}.paymentMethods.0.paymentMethodProvider`, kind: 'words' },
    { path: `${option}.paymentMethods.0.optional`, kind: 'flag' },
    { path: `${option}.paymentMethods.0.fees.0.unitPrice`, kind: 'decimal', also: negative },
    { path: 'amlCustomerIntroductionType.introductionType', kind: 'text', also: ['', long(65)] },
    { path: 'notifications', kind: 'object' },
    { path: 'notifications.webhooks', kind: 'array', also: [['x']] },
    { path: 'notifications.webhooks.0.eventName', kind: 'words' },
    { path: 'notifications.webhooks.0.url', kind: 'notificationUrl', also: [`https://${long(249)}`] },
    { path: 'notifications.webhooks.0.authorization', kind: 'reference', also: ['a1b2c3d', long(33), 'a1b2c3d-'] },
  ] satisfies Field[]
).map((field) => ({ ...field, path: `application.${field.path}` }));

const adminFields: Field[] = [
  { path: 'adminUser', kind: 'object' },
  { path: 'adminUser.email', kind: 'reference', also: ['nobody'] },
  { path: 'adminUser.firstName', kind: 'text', also: [long(201), 'a\u0000'] },
  { path: 'adminUser.language', kind: 'words', also: ['FR_FR', 'da_dk'] },
  { path: 'adminUser.sendActivationEmail', kind: 'flag' },
];

const methodPath = `application.${option}.paymentMethods.0`;
const required = [
  ...['', '.country', '.currency', '.company', '.company.organizationNumber'].map((path) => `application${path}`),
  ...['documentNo', 'currency', 'signon', 'subscription', 'paymentOptions'].map((name) => `application.quote.${name}`),
  ...['itemNo', 'paymentType', 'paymentMethods'].map((name) => `application.${option}.${name}`),
  ...['paymentMethodProvider', 'optional', 'selected', 'fees'].map((name) => `${methodPath}.${name}`),
  ...Object.keys(fee).map((name) => `${methodPath}.fees.0.${name}`),
  ...['amlCustomerIntroductionType.introductionType', 'notifications.webhooks'].map((path) => `application.${path}`),
  ...Object.keys(webhook).map((name) => `application.notifications.webhooks.0.${name}`),
];

const badOf = ({ kind, also = [] }: Field) => [...badValues[kind], ...also];
const told = (value: unknown) => JSON.stringify(value)?.slice(0, 60);

interface Tried {
  path: string;
  values: readonly unknown[];
  /** Of the refusals; any of a wrong value when absent. */
  codes?: RegExp;
}

/** Sends each value in the place; what is wrong with the refusals. */
async function faultsOf(send: typeof create, good: object, { path, values, codes }: Tried): Promise<string[]> {
  const faults: string[] = [];
  for (const value of values) {
    const fault = refusalFault(await send(withValue(good, path, value)), path, codes);
    if (fault) faults.push(`${told(value)}: ${fault}`);
  }
  return faults;
}

async function createRefuses(tried: Tried): Promise<void> {
  const mark = newMark();
  expect(await faultsOf(create, goodBody(mark), tried)).toEqual([]);
  expect(await storedWith(mark)).toBe(0);
  // Nothing else was wrong, and what is stored is found.
  expect((await create(goodBody(mark))).status).toBe(200);
  expect(await storedWith(mark)).toBe(1);
}

async function updateRefuses(tried: Tried): Promise<void> {
  const before = await partner.read(presentId);
  expect(before.status).toBe(200);
  expect(await faultsOf(update, goodBody(newMark()), tried)).toEqual([]);
  expect((await partner.read(presentId)).body).toEqual(before.body);
}

const missing = (path: string): Tried => ({ path, values: [undefined, null], codes: /^1003$/ });

describe('creation', () => {
  it.each([...applicationFields, ...adminFields])('refuses what $path cannot be', (field) =>
    createRefuses({ path: field.path, values: badOf(field) }),
  );

  it.each([...required, 'adminUser', 'adminUser.email'])('needs %s, absent or null: 1003', (path) =>
    createRefuses(missing(path)),
  );
});

describe('an update', () => {
  it.each(applicationFields)('refuses what $path cannot be', (field) =>
    updateRefuses({ path: field.path, values: badOf(field) }),
  );

  it.each(required)('needs %s, absent or null: 1003', (path) => updateRefuses(missing(path)));
});

/** Where an object stands; keys that mean something to JavaScript or MongoDB are put into it. */
const places = ['application', 'application.company', 'application.quote', 'application.notifications.webhooks.0'];
const keys = ['__proto__', 'constructor', 'prototype', '$gt', '$where'];

describe.each([
  ['creation', create],
  ['an update', update],
] as const)('%s', (_, send) => {
  it.each(places)('refuses or ignores prototypes and operators in %s', async (place) => {
    for (const key of keys) {
      const body = withValue(goodBody(newMark()), `${place}.@`, { polluted: true, $gt: '' });
      const text = JSON.stringify(body).replace('"@"', JSON.stringify(key));
      const answer = await send(text);
      expect([key, answer.status, answer.text]).toEqual([key, key === '__proto__' ? 400 : 200, expect.any(String)]);
      const id = answer.body.id ?? presentId;
      expect((await partner.read(id)).text).not.toMatch(/polluted|\$gt/);
    }
  });
});
