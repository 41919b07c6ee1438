// Bad input to every write path of the payment service over the running program: problem details naming the field, never a 5xx, nothing stored or moved.
import { randomUUID } from 'node:crypto';
import {
  cards,
  type PaymentService,
  paymentBody,
  paymentServiceOf,
  paymentsPath,
  payOnPage,
} from '../support/checkout';
import { type Answer, rest } from '../support/client';
import { accessTokenOf, graph } from '../support/partner';
import { sharedWorld, type World } from '../support/world';
import { badValues, type Field, nameOf, textFault, withValue } from './bad-values';
import { companyFields, createFields, detailVariants, stepFields } from './payments-fields';

let world: World;
let payments: PaymentService;
let quiet: QuietMerchant;

beforeAll(async () => {
  world = await sharedWorld();
  payments = await paymentServiceOf(world, 'alpha');
  quiet = await quietMerchant();
});
afterAll(() => world?.stop());

/** A merchant of its own, all of whose payments are made here. */
interface QuietMerchant {
  post: Send;
  /** How many payments it has. */
  stored(): Promise<number>;
}

async function quietMerchant(): Promise<QuietMerchant> {
  const staff = await accessTokenOf(world, world.credentials.graph.admin);
  const merchantId = `quiet-${randomUUID().slice(0, 13)}`;
  const make = `mutation ($id: ID!) {
    createMerchant(input: { accountId: "alpha", merchantId: $id, name: "Quiet" }) { merchantId }
    createClient(input: { family: PAYMENTS, accountId: "alpha", label: "quiet", merchantId: $id }) { clientSecret client { clientId } } }`;
  const { client, clientSecret } = (await graph(world, make, { id: merchantId }, staff)).data.createClient;
  const accessToken = await accessTokenOf(world, { clientId: client.clientId, clientSecret });
  const caller = rest(world.urls.rest, { Authorization: `Bearer ${accessToken}` });
  const list =
    'query ($id: ID!) { payments(first: 100, filter: { merchantId: $id }) { edges { node { paymentId } } } }';
  return {
    post: (body) => caller.call('POST', paymentsPath, { body }),
    stored: async () => (await graph(world, list, { id: merchantId }, staff)).data.payments.edges.length,
  };
}

/** What is wrong with a refusal, or null: 400, problem details, the field's name and what would be right. */
function refusalFault({ status, body, headers }: Answer, name: string): string | null {
  if (status !== 400) return `status ${status}`;
  if (!headers['content-type']?.startsWith('application/problem+json')) return `type ${headers['content-type']}`;
  if (body.type !== '/problems/validation' || body.status !== 400) return `problem ${body.type} ${body.status}`;
  return textFault(body.detail, name);
}

type Send = (body: object) => Promise<Answer>;

async function faultsOf(send: Send, good: object, field: Field): Promise<string[]> {
  const faults: string[] = [];
  for (const value of [...badValues[field.kind], ...(field.also ?? [])]) {
    const fault = refusalFault(await send(withValue(good, field.path, value)), nameOf(field));
    if (fault) faults.push(`${JSON.stringify(value)?.slice(0, 60)}: ${fault}`);
  }
  return faults;
}

const named = (fields: readonly Field[]) => fields.map((field) => [field.path, field] as const);
const post: Send = (body) => payments.call('POST', paymentsPath, body);

/** What the merchant that pays nothing else is answered; it has as many payments afterwards as before. */
async function createFaults(good: object, field: Field): Promise<string[]> {
  const before = await quiet.stored();
  const faults = await faultsOf(quiet.post, good, field);
  const after = await quiet.stored();
  return after === before ? faults : [...faults, `${after - before} payments were stored`];
}

const full = {
  customer: {
    type: 'Individual',
    firstName: 'Ada',
    lastName: 'Lovelace',
    customerNumber: '7',
    email: 'ada@example.org',
    phone: '+4512345678',
    address: { address1: 'Way 1', city: 'Aarhus', postalCode: '8000', countryCode: 'DK' },
  },
  basket: [{ itemNumber: 'SKU-1', title: 'Tea', quantity: 1, unitPrice: 5_000, vatPercentage: 25, unitCode: '0' }],
  payPageConfiguration: {
    paymentMethodActionInfoList: [{ paymentMethod: 'VISA', cardType: 'All', action: 'Allow' }],
    language: 'EN',
    pageType: 'Singlepage',
  },
};

it.each([
  'must be a string',
  'amounts must be a string',
  'amount',
  'amount is wrong',
  'amount is not allowed',
  'amount must be ',
])('the text "%s" of a refusal would not do', (text) => {
  expect(textFault(text, 'amount')).not.toBeNull();
  expect(textFault('order.amount must be a string', 'amount')).toBeNull();
});

describe('create payment', () => {
  it('takes everything, nothing at all, and any subset', async () => {
    for (const body of [paymentBody(full), {}, { amount: 1 }, { currencyCode: 'JPY' }, { type: 'ProviderHostedEcom' }])
      expect({ body, status: (await post(body)).status }).toEqual({ body, status: 201 });
    expect((await payments.call('POST', `${paymentsPath}/`, {})).status).toBe(201);
  });

  it('stores what it takes where the refusals below are counted', async () => {
    const before = await quiet.stored();
    expect((await quiet.post(paymentBody(full))).status).toBe(201);
    expect(await quiet.stored()).toBe(before + 1);
  });

  it.each(named(createFields))('refuses what %s cannot be', async (_, field) => {
    expect(await createFaults(paymentBody(full), field)).toEqual([]);
  });

  it.each(named(companyFields))('refuses what %s of a company cannot be', async (_, field) => {
    const company = { customer: { type: 'Company', companyName: 'Analytical Engines' } };
    expect(await createFaults(paymentBody(company), field)).toEqual([]);
  });

  it.each(Object.entries(detailVariants))('refuses what the fields of %s cannot be', async (type, fields) => {
    const good = paymentBody({ paymentMethodDetails: { type } });
    expect((await post(good)).status).toBe(201);
    for (const field of fields) {
      const inner = { ...field, path: `paymentMethodDetails.${field.path}` };
      expect({ field: inner.path, faults: await createFaults(good, inner) }).toEqual({
        field: inner.path,
        faults: [],
      });
    }
  });

  it('takes null in every field for absent', async () => {
    for (const { path } of createFields.filter(({ path: name }) => !name.includes('.0.'))) {
      const answer = await post(withValue(paymentBody(full), path, null));
      expect({ path, status: answer.status, text: answer.status === 201 ? '' : answer.text }).toEqual({
        path,
        status: 201,
        text: '',
      });
    }
  });

  it.each([
    ['amount 0 without Verify', { amount: 0, processing: 'Authorize' }, 'amount'],
    ['an unknown kind of payment', { type: 'Nonsense' }, 'type'],
    ['an unknown kind of details', { paymentMethodDetails: { type: 'Nonsense' } }, 'type'],
    ['an unknown kind of customer', { customer: { type: 'Robot' } }, 'type'],
  ])('refuses %s', async (_, changes, name) => {
    expect(refusalFault(await post(paymentBody(changes)), name)).toBeNull();
  });

  it.each([
    [1, 201],
    [2_147_483_647, 201],
    [2_147_483_648, 400],
    [-1, 400],
    [0.5, 400],
  ])('amount %d is answered with %d', async (amount, status) => {
    expect((await post(paymentBody({ amount }))).status).toBe(status);
  });

  it('ignores what it does not know, names it, and is polluted by nothing', async () => {
    const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"$where":"1","amount":1}';
    expect([201, 400]).toContain(
      (await payments.call('POST', paymentsPath, text, { 'content-type': 'application/json' })).status,
    );
    const known = await post(paymentBody({ surprise: 1 }));
    expect([known.status, known.headers['x-unknown-fields']]).toEqual([201, 'surprise']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const places = ['customer', 'customer.address', 'redirectUrls', 'basket.0', 'payPageConfiguration'];
  const keys = ['__proto__', 'constructor', 'prototype', '$gt', '$where'];
  const inner = [{ polluted: true }, { $gt: '' }, ''];

  it.each(places)('refuses or ignores prototypes and operators in %s', async (place) => {
    for (const [key, value] of keys.flatMap((name) => inner.map((each) => [name, each] as const))) {
      const body = withValue(paymentBody(full), `${place}.@`, value);
      const text = JSON.stringify(body).replace('"@"', JSON.stringify(key));
      const answer = await payments.call('POST', paymentsPath, text, { 'content-type': 'application/json' });
      // A key that would mean two things is refused; any other is one that we do not know.
      const [status, ignored] = key === '__proto__' ? [400, undefined] : [201, `${place}.${key}`.replace('.0.', '.')];
      expect([text, answer.status]).toEqual([text, status]);
      expect(answer.headers['x-unknown-fields']).toBe(ignored && encodeURIComponent(ignored));
      const { paymentId } = answer.body;
      if (paymentId) expect((await payments.read(paymentId)).text).not.toMatch(/polluted|\$gt/);
    }
    const { status, headers } = await post(paymentBody(full));
    expect([status, headers['x-unknown-fields']]).toEqual([201, undefined]);
  });

  it.each(['amount=1', '{"amount":', '[]', '"text"', '1', 'null'])('refuses the body %s', async (text) => {
    const answer = await payments.call('POST', paymentsPath, text, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/validation']);
  });
});

describe.each(Object.entries(stepFields))('%s', (step, fields) => {
  let paymentId: string;
  const send: Send = (body) => payments.call('POST', `${paymentsPath}/${paymentId}/${step}`, body);
  const state = async () => {
    const { body } = await payments.read(paymentId);
    return [body.state, body.authorizedAmount, body.capturedAmount, body.refundedAmount];
  };

  beforeAll(async () => {
    paymentId = (
      await payments.create({ processing: step === 'Authorize' ? 'None' : step === 'Refund' ? 'Sale' : 'Authorize' })
    ).body.paymentId;
    await payOnPage(world, paymentId, cards.visa);
  });

  it.each(named(fields))('refuses what %s cannot be, and moves nothing', async (_, field) => {
    const before = await state();
    expect(await faultsOf(send, {}, field)).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('is 404 for a payment that is not there, whatever its id looks like', async () => {
    for (const id of [randomUUID(), 'nonsense', '$ne', '__proto__', '%7B%22$ne%22:null%7D', '..%2fx']) {
      const answer = await payments.call('POST', `${paymentsPath}/${id}/${step}`, {});
      expect([id, answer.status, answer.body.type]).toEqual([id, 404, '/problems/not-found']);
    }
  });

  it('goes through with every field null', async () => {
    const nothing = Object.fromEntries(
      fields.filter(({ path }) => !path.includes('.')).map(({ path }) => [path, null]),
    );
    expect((await send(nothing)).status).toBe(200);
  });
});

describe('credentials', () => {
  it.each([
    ['none', { Authorization: '' }, 401],
    ['a token of nobody', { Authorization: 'Bearer nonsense' }, 401],
    ['another scheme', { Authorization: 'Basic bm9uc2Vuc2U=' }, 401],
  ])('%s', async (_, headers, status) => {
    const answer = await payments.call('POST', paymentsPath, {}, headers);
    expect([answer.status, answer.body.type]).toEqual([status, '/problems/unauthorized']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('a reader creates nothing', async () => {
    const reader = await paymentServiceOf(world, 'alpha', 'payments:read');
    const answer = await reader.create();
    expect([answer.status, answer.body.type]).toEqual([403, '/problems/forbidden']);
    expect((await reader.read(randomUUID())).status).toBe(404);
  });
});
