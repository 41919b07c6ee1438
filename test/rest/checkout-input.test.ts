// Bad input to every write path of the hosted checkout over the running program: the errors shape naming the field, never a 5xx, nothing stored.
import { randomUUID } from 'node:crypto';
import { buildBody, cards, hostedBody, newOrderId, payWithFields, type Shop, shopOf } from '../support/checkout';
import type { Answer } from '../support/client';
import { lastDay } from '../support/expiry';
import { sharedWorld, type World } from '../support/world';
import { badValues, type Field, nameOf, textFault, without, withValue } from './bad-values';
import { buildFields, goodItems, orderFields, requiredFields, sessionFields } from './checkout-fields';

let world: World;
let shop: Shop;

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'alpha', 'explicit');
});
afterAll(() => world?.stop());

interface WritePath {
  path: string;
  /** A body that is taken as it is. */
  good(orderId: string): object;
  fields: Field[];
}

const bothFields: Field[] = [...orderFields, ...sessionFields];
const built: Omit<WritePath, 'path'> = {
  good: (orderId) => buildBody(world.urls.shop, { order: { orderId, ...goodItems } }),
  fields: [...bothFields, ...buildFields],
};
const hostedPage: WritePath = {
  path: '/api/v1/orders/hpp',
  good: (orderId) => hostedBody({ order: { orderId, ...goodItems } }),
  fields: bothFields,
};
const writePaths: WritePath[] = [
  { path: '/api/v1/orders/build', ...built },
  { path: '/api/orders/build', ...built },
  hostedPage,
];

/** What is wrong with a refusal, or null: 400, one error at least, a documented code, the field's name and what would be right. */
function refusalFault({ status, body }: Answer, name: string): string | null {
  const [error] = body?.errors ?? [];
  if (status !== 400) return `status ${status}`;
  if (!/^(GW|PS)\d{4}$/.test(error?.code)) return `code ${error?.code}`;
  if (typeof body.timestamp !== 'string') return 'no timestamp';
  return textFault(error.description, name);
}

describe.each(writePaths)('$path', ({ path, good, fields }) => {
  it('takes the body that the others are made from', async () => {
    const answer = await shop.call('POST', path, good(newOrderId()));
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  });

  it.each(fields.map((field) => [field.path, field] as const))('refuses what %s cannot be', async (_, field) => {
    const orderId = newOrderId();
    const faults: string[] = [];
    for (const value of [...badValues[field.kind], ...(field.also ?? [])]) {
      const answer = await shop.call('POST', path, withValue(good(orderId), field.path, value));
      const fault = refusalFault(answer, nameOf(field));
      if (fault) faults.push(`${JSON.stringify(value)?.slice(0, 60)}: ${fault}`);
    }
    expect(faults).toEqual([]);
    // Nothing was stored: the orderId is still free.
    expect((await shop.call('POST', path, good(orderId))).status).toBe(200);
  });

  it('takes null in every optional field for absent', async () => {
    const required = requiredFields[path] ?? [];
    for (const field of fields.filter(({ path: name }) => !required.includes(name) && !/\.0\./.test(name))) {
      const answer = await shop.call('POST', path, withValue(good(newOrderId()), field.path, null));
      expect({ field: field.path, status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
        field: field.path,
        status: 200,
        text: '',
      });
    }
  });

  it('ignores what it does not know, names it, and is polluted by nothing', async () => {
    const body = good(newOrderId());
    const text = JSON.stringify(body).replace(
      /^{/,
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"$where":"1","surprise":1,',
    );
    const answer = await shop.call('POST', path, text, { 'content-type': 'application/json' });
    expect([200, 400]).toContain(answer.status);
    const known = await shop.call('POST', path, { ...good(newOrderId()), surprise: 1 });
    expect(known.status).toBe(200);
    expect(known.headers['x-unknown-fields']).toBe('surprise');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['no JSON', 'amount=1', 'GW0004'],
    ['half of it', '{"order":', 'GW0004'],
    ['nothing', '', 'GW0004'],
  ])('refuses a body that is %s', async (_, text, code) => {
    const answer = await shop.call('POST', path, text, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])('refuses the body %s', async (text) => {
    const answer = await shop.call('POST', path, text, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, expect.stringMatching(/^(PS0026|GW0004)$/)]);
  });
});

describe('fields that have to be there', () => {
  const rows = Object.entries(requiredFields).flatMap(([path, names]) => names.map((name) => [path, name] as const));

  it.each(rows)('%s needs %s', async (path, name) => {
    const isOrder = path === hostedPage.path;
    const orderId = newOrderId();
    const good = isOrder ? hostedPage.good(orderId) : { sessionId: randomUUID() };
    for (const value of [undefined, null]) {
      const answer = await shop.call('POST', path, withValue(good, name, value));
      expect([value, refusalFault(answer, nameOf({ path: name }))]).toEqual([value, null]);
      expect(answer.body.errors).toEqual([{ code: 'PS0026', description: `${name} is required.` }]);
    }
    // Nothing was stored, and nothing else was wrong.
    expect((await shop.call('POST', path, good)).status).toBe(isOrder ? 200 : 404);
  });
});

describe('rules across fields', () => {
  it.each<[string, object, string]>([
    [
      'installments above the order',
      { order: { installments: [{ amount: '5001', date: lastDay, type: 'MANUAL' }] } },
      'PS0005',
    ],
    [
      'an installment in the past',
      { order: { installments: [{ amount: '1', date: '2020-01-01', type: 'MANUAL' }] } },
      'PS0006',
    ],
    ['a session above its order', { paymentSession: { amount: '5001' } }, 'PS0007'],
    ['a currency that is none', { order: { currency: 'QQQ' } }, 'PS0009'],
    ['an amount that is none', { order: { amount: 'ten' } }, 'PS0036'],
    ['an orderId of another alphabet', { order: { orderId: 'a/b' } }, 'GW0005'],
    ['an invoiceid of another alphabet', { order: { invoiceid: 'a b' } }, 'GW0005'],
    ['script in a text', { order: { description: '<script>alert(1)</script>' } }, 'PS0041'],
    ['script in an event attribute', { order: { customField: '<img src=x onerror=alert(1)>' } }, 'PS0041'],
    [
      'a contract of nobody',
      { paymentSession: { recurrence: { action: 'SUBSEQUENT_PAYMENT', contractId: 'x1' } } },
      'PS0017',
    ],
    ['an unknown service', { paymentSession: { paymentService: 'BITCOIN' } }, 'PS0026'],
    ['a service that the terminal has not', { paymentSession: { paymentService: 'IDEAL' } }, 'PS0026'],
    ['flow version 2', { more: { version: '2' } }, 'PS0026'],
    ['a merchant address of nobody', { more: { merchantUrl: 'https://evil.example' } }, 'GW0001'],
    ['a merchant address that is none', { more: { merchantUrl: 'javascript:alert(1)' } }, 'GW0001'],
  ])('%s', async (_, changes, code) => {
    const answer = await shop.build(changes);
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  });

  it('takes the mangled name of customField for the right one, and never says it', async () => {
    const answer = await shop.build({ order: { 'customField\u00c2': 'blue' } });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('\u00c2');
  });
});

describe('paths that take a session', () => {
  it.each(['/api/v1/build/finalize_payment', '/api/build/finalize_payment', '/api/v1/build/cancel'])(
    '%s',
    async (path) => {
      for (const body of [
        {},
        { sessionId: null },
        { sessionId: 1 },
        { sessionId: '' },
        { sessionId: { $ne: null } },
        { sessionId: [] },
        { sessionId: 'a'.repeat(20_000) },
      ]) {
        const answer = await shop.call('POST', path, body);
        expect([JSON.stringify(body).slice(0, 40), [400, 404].includes(answer.status)]).toEqual([
          expect.any(String),
          true,
        ]);
        expect(answer.body.errors[0].code).toMatch(/^(PS0026|GW0404)$/);
      }
      expect((await shop.call('POST', path, without({ sessionId: 'x' }, 'sessionId'))).status).toBe(400);
      const unknown = await shop.call('POST', path, { sessionId: randomUUID() });
      expect([unknown.status, unknown.body.errors[0].code]).toEqual([404, 'GW0404']);
    },
  );
});

describe('paths that take an operation', () => {
  const whats = ['captures', 'refunds', 'cancels'] as const;

  it.each(whats)('%s refuses a bad body and an unknown operation', async (what) => {
    const { finalized } = await payWithFields(world, shop, { number: cards.visa });
    const { operationId } = finalized.body.operation;
    const bodies = [
      ...badValues.minorString.map((amount) => ({ name: 'amount', body: { amount } })),
      ...badValues.currency.map((currency) => ({ name: 'currency', body: { currency } })),
      ...[1, {}, [], 'a'.repeat(20_000)].map((description) => ({ name: 'description', body: { description } })),
    ];
    for (const { name, body } of bodies) {
      const fault = refusalFault(await shop.post(what, operationId, body), name);
      expect({ body: JSON.stringify(body).slice(0, 60), fault }).toEqual({ body: expect.any(String), fault: null });
    }
    for (const id of [randomUUID(), 'nonsense', '$ne', '__proto__', '..%2f..']) {
      const answer = await shop.post(what, id);
      expect([id, answer.status]).toEqual([id, 404]);
    }
    const { operations } = (await shop.operations({ orderId: finalized.body.operation.orderId })).body;
    expect(operations).toHaveLength(1);
  });
});

describe('headers', () => {
  it.each([
    ['no key', { 'X-API-KEY': '' }, 401, 'GW0401'],
    ['a key of nobody', { 'X-API-KEY': 'x'.repeat(40) }, 401, 'GW0401'],
    ['an operator for a key', { 'X-API-KEY': '{"$ne":null}' }, 401, 'GW0401'],
    ['no Correlation-Id', { 'Correlation-Id': '' }, 400, 'GW0003'],
    ['a Correlation-Id that is no UUID', { 'Correlation-Id': 'abc' }, 400, 'GW0003'],
    ['a Correlation-Id of version 1', { 'Correlation-Id': '9b1deb4d-3b7d-11ee-9bdd-2b0d7b3dcb6d' }, 400, 'GW0003'],
  ])('%s', async (_, headers, status, code) => {
    for (const [method, path, body] of [
      ['POST', '/api/v1/orders/build', {}],
      ['POST', '/api/v1/orders/hpp', {}],
      ['POST', '/api/v1/build/finalize_payment', {}],
      ['GET', '/api/v1/operations', undefined],
    ] as const) {
      const answer = await shop.call(method, path, body, headers);
      expect({ path, status: answer.status, code: answer.body.errors[0].code }).toEqual({ path, status, code });
    }
  });
});

describe('the operations query', () => {
  it.each([
    ['maxRecords', ['0', '501', '-1', 'ten', '1.5'], 'PS0026'],
    ['pageNumber', ['-1', 'one', '1.5', '99999999999'], 'PS0026'],
    ['orderBy', ['price', '$where', '__proto__'], 'PS0026'],
    ['sortIn', ['UP', 'desc'], 'PS0026'],
    ['fromTime', ['yesterday', '2026-02-30T00:00:00Z'], 'PS0008'],
    ['toTime', ['tomorrow', '2026-13-01'], 'PS0010'],
    ['minAmount', ['-1', '1.5', 'x'], 'PS0036'],
    ['maxAmount', ['-1', '1.5', 'x'], 'PS0036'],
    ['operationType', ['SALE', '$ne'], 'PS0026'],
    ['status', ['DONE'], 'PS0026'],
    ['channel', ['PHONE'], 'PS0026'],
    ['paymentMethod', ['CASH'], 'PS0026'],
    ['contractType', ['NONE'], 'PS0026'],
    ['installmentQty', ['1000', 'x'], 'PS0026'],
  ])('%s', async (name, values, code) => {
    for (const value of values) {
      const answer = await shop.operations({ [name]: value });
      expect({ value, status: answer.status, code: answer.body.errors?.[0]?.code }).toEqual({
        value,
        status: 400,
        code,
      });
      expect(answer.body.errors[0].description).toContain(name);
    }
  });

  it('refuses times the wrong way round, and takes operators literally', async () => {
    const reversed = await shop.operations({ fromTime: '2026-02-01T00:00:00Z', toTime: '2026-01-01T00:00:00Z' });
    expect([reversed.status, reversed.body.errors[0].code]).toEqual([400, 'PS0013']);
    for (const name of [
      'orderId',
      'operationId',
      'customField',
      'contractId',
      'terminalId',
      'paymentCircuit',
      'channelDetail',
    ]) {
      for (const value of ['$ne', '{"$ne":null}', '.*', '__proto__', "' || '1'=='1"]) {
        const answer = await shop.operations({ [name]: value });
        expect([name, value, answer.status === 200 ? answer.body.operations : answer.status]).toEqual([
          name,
          value,
          answer.status === 200 ? [] : 400,
        ]);
      }
      const nested = await shop.call('GET', `/api/v1/operations?${name}[$ne]=x&orderId=none`);
      expect([nested.status, nested.body.operations ?? []]).toEqual([expect.any(Number), []]);
    }
  });
});
