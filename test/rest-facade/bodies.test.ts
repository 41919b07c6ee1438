// Shape of the bodies of the tokenization interface, field by field: each edge on both sides, and everything that is no body at all (decision register 2.1-A, 2.1-B, 2.6).
import fc from '../support/properties';
import { type Facade, goodBodies, jwe, sandboxKey, startFacade, virtualAccountId } from './fixture';

type Body = Record<string, unknown>;
const routes = {
  token: { method: 'POST', path: '/virtual-accounts/token', body: goodBodies.token as Body },
  transaction: {
    method: 'POST',
    path: `/virtual-accounts/${virtualAccountId}/transaction`,
    body: goodBodies.transaction as Body,
  },
  tokenState: {
    method: 'PUT',
    path: `/virtual-accounts/${virtualAccountId}/tokenState`,
    body: goodBodies.tokenState as Body,
  },
};
type RouteName = keyof typeof routes;

/** The good body with one field changed; undefined takes it away. */
function changed(body: Body, field: string, value: unknown): Body {
  const copy = structuredClone(body);
  const names = field.split('.');
  const last = names.pop() as string;
  const holder = names.reduce((found, name) => found[name] as Body, copy);
  holder[last] = value;
  return copy;
}

const segments = jwe.split('.');
const withSegment = (index: number, value: string) =>
  segments.map((segment, at) => (at === index ? value : segment)).join('.');

const fields: [RouteName, field: string, taken: unknown[], refused: unknown[]][] = [
  ['token', 'merchantInfo', [], [undefined, null, 'shop-1', [], [{ merchantId: 'shop-1' }], {}]],
  [
    'token',
    'merchantInfo.merchantId',
    ['a', 'A._-9', 'x'.repeat(35)],
    [undefined, null, '', 7, true, {}, { $ne: '' }, ['shop-1'], 'x'.repeat(36), 'a b', 'a/b', 'ä', 'a\n', '$where'],
  ],
  ['token', 'accountInfo', [], [undefined, null, jwe, []]],
  [
    'token',
    'accountInfo.encryptedData',
    [jwe, withSegment(1, 'A_-9'), withSegment(0, 'AA'), withSegment(0, 'AAA')],
    [
      undefined,
      null,
      5,
      '',
      '....',
      segments.slice(0, 4).join('.'),
      `${jwe}.AAAA`,
      `${jwe}.`,
      `.${jwe}`,
      ` ${jwe}`,
      `${jwe}\n`,
      ...[0, 1, 2, 3, 4].map((index) => withSegment(index, '')),
      withSegment(0, 'A'),
      withSegment(0, 'AAAAA'),
      withSegment(1, 'AB'),
      withSegment(1, 'AAB'),
      withSegment(2, 'AA=='),
      withSegment(3, 'A+/A'),
      withSegment(4, 'A A A'),
    ],
  ],
  ['transaction', 'merchantInfo.merchantId', [], [undefined, 'x'.repeat(36)]],
  ['transaction', 'transactionInfo', [], [undefined, null, {}]],
  [
    'transaction',
    'transactionInfo.transactionId',
    ['t', 'T._-9', 't'.repeat(64)],
    [undefined, null, '', 1, 't'.repeat(65), 'a b', { $gt: '' }],
  ],
  [
    'transaction',
    'transactionInfo.transactionDateTime',
    ['20261121090000', '20261399256199'],
    [
      undefined,
      null,
      '',
      20261121090000,
      '2026112109000',
      '202611210900000',
      '2026-11-21T09:00',
      '２０２６１１２１０９００００',
    ],
  ],
  [
    'transaction',
    'transactionInfo.amount',
    ['0', '000000000000', '999999999999'],
    [undefined, null, '', 0, 1999, '1234567890123', '-1', '1.5', '1e3', ' 1', '+1', '0x10'],
  ],
  ['transaction', 'transactionInfo.currencyCode', ['978', '000', '999'], [undefined, null, 978, '97', '9780', 'EUR']],
  ['tokenState', 'tokenState', ['DELETE', 'SUSPEND', ''], [undefined, null, 1, ['DELETE']]],
  ['tokenState', 'reasonCode', ['1023', '9999'], [undefined, null, 1023, '', '102', '10230', '1O23', ' 1023']],
];

const taken = fields.flatMap(([route, field, values]) => values.map((value) => ({ route, field, value })));
const refused = fields.flatMap(([route, field, , values]) => values.map((value) => ({ route, field, value })));

describe('shape of the bodies', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade();
  });
  afterAll(() => facade.stop());
  beforeEach(() => {
    facade.asked.length = 0;
  });

  const callWith = (route: RouteName, body: unknown, headers: Record<string, string | null> = {}) =>
    facade.inbound(routes[route].method, routes[route].path, { headers, body });

  it.each(taken)('$route takes $field $value', async ({ route, field, value }) => {
    expect((await callWith(route, changed(routes[route].body, field, value))).status).toBeLessThan(300);
    expect(facade.asked).toHaveLength(1);
  });

  it.each(refused)('$route refuses $field $value', async ({ route, field, value }) => {
    const answer = await callWith(route, changed(routes[route].body, field, value));
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(answer.headers['x-error-detail']).toContain(`field=${field.split('.')[0]}`);
    expect(facade.asked).toEqual([]);
  });

  const text = JSON.stringify(goodBodies.token);
  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['null', 'null'],
    ['an array', `[${text}]`],
    ['a string', JSON.stringify(text)],
    ['a number', '7'],
    ['form data', 'merchantInfo=1'],
    ['XML', '<merchantInfo/>'],
    ['half of it', text.slice(0, -2)],
    ['twice', text + text],
    ['a repeated name', text.replace('{', '{"merchantInfo":{"merchantId":"other"},')],
    ['a prototype', text.replace('{', '{"__proto__":{"merchantInfo":1},')],
    ['a NUL', text.replace('shop-1', 'shop\\u0000')],
    ['a lone surrogate', text.replace('shop-1', 'shop\\ud800')],
    ['deep nesting', text.replace('{', `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)},`)],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['Latin-1', Buffer.from(text.replace('shop', 'sh\u00f6p'), 'latin1')],
    ['compressed bytes', Buffer.from('1f8b0800000000000003', 'hex')],
  ])('refuses %s', async (_name, body) => {
    const answer = await callWith('token', body, { 'Content-Type': 'application/json' });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(facade.asked).toEqual([]);
  });

  it.each([
    null,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/xml',
  ])('refuses content type %j', async (type) => {
    const answer = await callWith('token', text, { 'Content-Type': type });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(answer.headers['x-error-detail']).toContain('Content-Type');
  });

  it('takes a body of exactly 16 KiB and refuses one byte more', async () => {
    const fill = (length: number) => `${text.slice(0, -1)},"x":"${'y'.repeat(length - text.length - 7)}"}`;
    expect(fill(16_384)).toHaveLength(16_384);
    expect((await callWith('token', fill(16_384), { 'Content-Type': 'application/json' })).status).toBe(201);
    expect((await callWith('token', fill(16_385), { 'Content-Type': 'application/json' })).status).toBe(413);
  });

  it('takes encryptedData of exactly 8 KiB and refuses one character more', async () => {
    const head = segments.slice(0, 3).join('.');
    const sized = (length: number) => `${head}.${'A'.repeat(length - head.length - 24)}.${segments[4]}`;
    // 8192 less the rest leaves a multiple of four, so the long segment stays canonical.
    const length = 8_192 - ((8_192 - head.length - 24) % 4);
    expect(
      (await callWith('token', changed(goodBodies.token, 'accountInfo.encryptedData', sized(length)))).status,
    ).toBe(201);
    expect((await callWith('token', changed(goodBodies.token, 'accountInfo.encryptedData', sized(8_193)))).status).toBe(
      413,
    );
  });

  it('never answers anything but 201 or MTS-1614 to random bodies', async () => {
    const anything = fc.oneof(fc.json(), fc.string(), fc.constant(text));
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        const answer = await callWith('token', body, { 'Content-Type': 'application/json' });
        expect([201, 400]).toContain(answer.status);
        if (answer.status === 400) expect(answer.body.errorCode).toBe('MTS-1614');
      }),
      { numRuns: 200 },
    );
  });
});

describe('the sandbox', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade();
  });
  afterAll(() => facade.stop());

  it('shows and moves the clock', async () => {
    expect((await facade.sandbox('GET', '/sandbox/clock')).body).toEqual({ now: '2026-11-21T09:00:00.000Z' });
    expect((await facade.sandbox('POST', '/sandbox/clock', { advanceMs: 5_000 })).body).toEqual({
      now: '2026-11-21T09:00:05.000Z',
    });
  });

  it.each([{}, { advanceMs: -1 }, { advanceMs: 1.5 }, { advanceMs: '5' }, { advanceMs: 1e12 }, { advanceMs: null }])(
    'does not move the clock by %j',
    async (body) => {
      const answer = await facade.sandbox('POST', '/sandbox/clock', body);
      expect([answer.status, answer.body.errorCode]).toEqual([400, undefined]);
      expect(answer.body.message).toContain('advanceMs');
    },
  );

  it.each([
    [
      'POST',
      `/sandbox/virtual-accounts/${virtualAccountId}/events`,
      { event: 'SUSPEND' },
      202,
      'ApplyIssuerEvent',
      { virtualAccountId, event: 'SUSPEND' },
    ],
    [
      'PUT',
      '/sandbox/tra',
      { tenant: 'alpha', notifyBaseUrl: 'http://127.0.0.1:9999' },
      204,
      'SetTraAddress',
      { accountId: 'alpha', address: 'http://127.0.0.1:9999' },
    ],
    ['GET', '/sandbox/cards', undefined, 200, 'GetTestCards', {}],
  ])('%s %s', async (method, path, body, status, operation, variables) => {
    facade.asked.length = 0;
    expect((await facade.sandbox(method, path, body)).status).toBe(status);
    expect(facade.asked).toMatchObject([{ operation, variables, context: { caller: { kind: 'sandboxKey' } } }]);
  });

  it.each([{ event: 'EXPLODE' }, { event: 1 }, {}])('refuses the event %j', async (body) => {
    expect((await facade.sandbox('POST', `/sandbox/virtual-accounts/${virtualAccountId}/events`, body)).status).toBe(
      400,
    );
  });

  it.each([
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock'],
    ['GET', '/sandbox/cards'],
    ['PUT', '/sandbox/tra'],
    ['GET', '/sandbox/receiver/requests'],
    ['POST', '/sandbox/receiver/faults'],
  ])('%s %s wants the key', async (method, path) => {
    for (const key of [undefined, '', 'wrong', `${sandboxKey}x`]) {
      const answer = await facade.call(method, path, { headers: key === undefined ? {} : { 'X-Sandbox-Key': key } });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'SandboxKey']);
    }
  });

  it('receives anything at any depth without a key, and answers as ordered', async () => {
    const body = '{"updateType":"CARD_UPDATE"}';
    const path = '/sandbox/receiver/v1/shop-1/virtual-accounts/x/notify-update';
    expect((await facade.call('POST', path, { headers: { 'X-Provider-ID': 'PRV-1' }, body })).status).toBe(204);
    expect((await facade.sandbox('POST', '/sandbox/receiver/faults', { status: 503, delayMs: 1 })).status).toBe(204);
    expect((await facade.call('POST', '/sandbox/receiver/other', { body: 'x' })).status).toBe(503);
    expect((await facade.sandbox('POST', '/sandbox/receiver/faults', {})).status).toBe(204);
    const { body: received } = await facade.sandbox('GET', '/sandbox/receiver/requests');
    expect(received).toMatchObject([
      { method: 'POST', path, body, headers: { 'X-Provider-ID': 'PRV-1' }, status: 204 },
      { path: '/sandbox/receiver/other', body: 'x', status: 503 },
    ]);
  });
});
