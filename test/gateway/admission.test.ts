// The rate of the graph over HTTP: counted to the client, judged before the request is read, answered with the time to wait.
import { createAdmit } from '../../gateway/http/admission';
import type { RateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { staff } from './fixture';
import { type FixtureServer, startFixtureServer } from './fixture-server';

const asked: string[] = [];
/** The client `busy` has used up its rate. */
const take: RateLimiter['take'] = async (name, key, { perSecond, burst }) => {
  asked.push(`${name} ${key} ${perSecond}/${burst}`);
  return { allowed: key !== 'busy', limit: burst, remaining: 0, retryAfterSeconds: 2, resetSeconds: 2 };
};

let server: FixtureServer;

beforeAll(async () => {
  server = await startFixtureServer({
    authenticate: async (client) => {
      if (!client) throw new DomainError('unauthenticated');
      return { ...staff, credentialId: client, scopes: client === 'psp' ? ['mts:token'] : ['graph:read'] };
    },
    admit: createAdmit({ take }),
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  asked.length = 0;
});

const post = (authorization: string, body: string) =>
  fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...withoutUndefined({ authorization: authorization || undefined }) },
    body,
  });

test('each operation takes one call from the bucket of its client', async () => {
  for (const client of ['viewer', 'viewer', 'other'])
    expect((await post(client, '{"query":"{ __typename }"}')).status).toBe(200);
  expect(asked).toEqual(['graph viewer 100/200', 'graph viewer 100/200', 'graph other 100/200']);
});

test.each(['{"query":"{ __typename }"}', 'not JSON', `{"query":"${'x'.repeat(300_000)}"}`])(
  'above the rate nothing is read any more',
  async (body) => {
    const refused = await post('busy', body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'rateLimited', retryAfterSeconds: 2 } }],
    });
  },
);

test('who may not use the graph at all takes nothing', async () => {
  expect((await post('', '{}')).status).toBe(401);
  expect((await post('psp', '{}')).status).toBe(403);
  expect(asked).toEqual([]);
});
