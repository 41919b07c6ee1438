// A wrong credential of each scheme over real HTTP: counted for its address with its surface, 429 in the family's words once there were too many; right and missing ones are not counted.
import { type Blame, createBlame } from '../../subgraphs/shared/callers/credential-failures';
import { type Facade, goodHeaders, startFacade, terminalKey } from './fixture';

const failuresMax = 2;
let facade: Facade;
let failures = 0;
let blamed: string[] = [];

const blame: Blame = createBlame({
  limiter: {
    fail: async () => {
      failures += 1;
      const blocked = failures > failuresMax;
      return { blocked, retryAfterSeconds: blocked ? 42 : 0 };
    },
  },
  addressOf: () => '198.51.100.7',
  metrics: { credentialFailures: { inc: ({ surface }: { surface: string }) => blamed.push(surface) } } as never,
});

beforeAll(async () => {
  facade = await startFacade({ deps: { blame } });
});
afterAll(() => facade.stop());
beforeEach(() => {
  failures = 0;
  blamed = [];
});

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

const cases = [
  ['bearer', '/api/v1/payments/0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111', 'authorization', 'Bearer wrong', 'Bearer good'],
  ['apiKey', '/api/v1/operations', 'x-api-key', 'wrong', terminalKey],
  [
    'consumer',
    '/ms/naa/admin/customer/v1/merchant/m-1',
    'authorization',
    basic('consumer-1:wrong'),
    basic('consumer-1:secret-1'),
  ],
  ['secretKey', '/report/v1/balances', 'authorization', 'wrong', 'merchant-key-1'],
] as const;

test.each(cases)('%s at %s', async (scheme, path, header, wrong, right) => {
  const { Authorization: _bearer, 'X-API-KEY': _key, ...others } = goodHeaders as Record<string, string>;
  const call = (value?: string) =>
    facade.call(scheme === 'consumer' ? 'DELETE' : 'GET', path, {
      headers: value === undefined ? others : { ...others, [header]: value },
    });
  expect((await call()).status).toBe(401);
  expect(blamed).toEqual([]);
  const wrongs = [];
  for (let time = 0; time < failuresMax + 1; time += 1) wrongs.push(await call(wrong));
  expect(wrongs.map(({ status }) => status)).toEqual([401, 401, 429]);
  expect(wrongs.at(-1)?.headers['retry-after']).toBe('42');
  expect(blamed).toEqual([scheme, scheme, scheme]);
  expect([401, 429]).not.toContain((await call(right)).status);
  expect(blamed).toHaveLength(failuresMax + 1);
});
