// The administration routes at the edge, with everything behind them faked: who is let in, in what order, and what the graph is asked (merchant administration, Authentication; decision register T4, T14).
import { consumerHeader, merchantBody, merchantsPath } from '../support/administration';
import { type Facade, refusing, revokedKey, startFacade } from './fixture';

const merchantId = 'shop-1';
const answers: Record<string, object> = {
  AddMerchant: { addMerchant: { merchantId } },
  ReplaceMerchant: { replaceMerchant: { merchantId } },
  DeleteMerchant: { deleteMerchant: { merchantId } },
};
const pair = (text: string) => {
  const [consumerKey = '', consumerSecret = ''] = text.split(':');
  return consumerHeader({ consumerKey, consumerSecret });
};
const good = pair('consumer-1:secret-1');

let facade: Facade;
beforeAll(async () => {
  facade = await startFacade({ graph: ({ operation }) => ({ data: answers[operation] as Record<string, unknown> }) });
});
beforeEach(() => {
  facade.asked.length = 0;
});
afterAll(() => facade.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  facade.call('POST', merchantsPath, { body, headers: { Authorization: good, ...headers } });

it('asks the graph in its words: enumerations for flags, nothing of what is ours to set', async () => {
  const body = merchantBody({ merchantId, active: 1, countryCode: 'NO', createdOn: '1999-01-01', updatedOn: null });
  expect((await post(body, { 'Idempotency-Key': 'key-1' })).status).toBe(201);
  const [{ operation, variables, context } = { operation: '', variables: {}, context: null }] = facade.asked;
  expect([operation, variables]).toEqual([
    'AddMerchant',
    {
      input: {
        merchantId,
        name: 'Nordlys',
        status: 'INACTIVE',
        invoicing: 'ENABLED',
        country: 'NO',
        createdBy: 'back office',
        updatedBy: 'back office',
      },
    },
  ]);
  expect(context?.caller).toMatchObject({ kind: 'apiKey', credentialId: 'consumer-1', scopes: ['administration'] });
  expect(context?.idempotency).toMatchObject({ key: 'key-1', scope: `POST ${merchantsPath}` });
});

it('passes on both ids of a modification, and who deletes', async () => {
  const path = `${merchantsPath}/other.shop-2`;
  const headers = { Authorization: good };
  expect((await facade.call('PUT', path, { headers, body: merchantBody({ merchantId }) })).status).toBe(200);
  expect((await facade.call('DELETE', `${path}?userId=a%20b`, { headers })).status).toBe(202);
  expect(facade.asked.map(({ operation, variables }) => [operation, variables])).toEqual([
    ['ReplaceMerchant', { merchantId: 'other.shop-2', input: expect.objectContaining({ merchantId }) }],
    ['DeleteMerchant', { merchantId: 'other.shop-2', userId: 'a b' }],
  ]);
});

it.each([
  ['no header', '', '2001'],
  ['a pair that nobody has', pair('nobody:nothing'), '2002'],
  ['a secret key alone', 'partner-1', '2002'],
  ['no pair', 'Bearer good', '2002'],
  ['a revoked key', pair(revokedKey), '2004'],
])('lets nobody in with %s, whatever the body is: 401 with %s', async (_what, authorization, code) => {
  const answer = await post('{', { Authorization: authorization, 'Content-Type': 'application/json' });
  expect([answer.status, answer.body.code, answer.body.source]).toEqual([401, code, 'authentication']);
  expect(facade.asked).toEqual([]);
});

it.each([
  ['merchantInactive', 404, '4004'],
  ['merchantIdMismatch', 400, '4003'],
  ['unavailable', 503, '1001'],
  ['internal', 500, '1000'],
] as const)('answers %s of the graph with %d and %s', async (code, status, wire) => {
  const other = await startFacade({ graph: refusing(code) });
  const path = `${merchantsPath}/${merchantId}`;
  const answer = await other.call('PUT', path, {
    headers: { Authorization: good },
    body: merchantBody({ merchantId }),
  });
  await other.stop();
  expect([answer.status, answer.body.code]).toEqual([status, wire]);
  expect(answer.headers['link']).toBe(`</docs/errors#${wire}>; rel="help"`);
});
