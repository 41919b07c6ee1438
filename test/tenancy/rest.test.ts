// Tenants apart over REST: every documented route, tried by everybody who must not get through.
import { newId } from '../../subgraphs/shared/ids';
import { rest, send } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, freshCardNumber, type Partner, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { type AlphaIds, twoTenants } from '../support/two-tenants';
import { startWorld, type World } from '../support/world';

let world: World;
let alpha: Partner;
let beta: Partner;
let adminToken: string;
let ids: AlphaIds;
let fingerprint: () => Promise<string>;

beforeAll(async () => {
  world = await startWorld();
  ({ alpha, beta, adminToken, ids, fingerprint } = await twoTenants(world));
});
afterAll(() => world.stop());

describe('REST', () => {
  const transaction = () => ({
    merchantInfo: { merchantId: alpha.credentials.merchantId },
    transactionInfo: {
      transactionId: newId(),
      transactionDateTime: '20260101000000',
      amount: '1',
      currencyCode: '978',
    },
  });
  const routes = [
    {
      name: 'create token',
      method: 'POST',
      scope: 'mts:token',
      path: () => '/virtual-accounts/token',
      body: async () => ({
        merchantInfo: { merchantId: alpha.credentials.merchantId },
        accountInfo: { encryptedData: await alpha.seal({ account: freshCardNumber(), accountExpiry }) },
      }),
    },
    {
      name: 'create transaction',
      method: 'POST',
      scope: 'mts:transaction',
      path: (id: string) => `/virtual-accounts/${id}/transaction`,
      body: async () => transaction(),
    },
    {
      name: 'update token state',
      method: 'PUT',
      scope: 'mts:lifecycle',
      path: (id: string) => `/virtual-accounts/${id}/tokenState`,
      body: async () => ({ tokenState: 'DELETE', reasonCode: '1023' }),
    },
    {
      name: 'read',
      method: 'GET',
      scope: null,
      path: (id: string) => `/virtual-accounts/${id}`,
      body: async () => undefined,
    },
  ];
  const identity = ({ acquirerId, providerId, pspId }: Partner['credentials']) => ({
    'X-Acquirer-ID': acquirerId,
    'X-Provider-ID': providerId,
    'X-PSP-ID': pspId,
    'X-Request-ID': newId(),
  });

  async function strangers(scope: string | null) {
    const revoked = await accessTokenOf(world, alpha.credentials);
    await send(world.urls.auth, {
      method: 'POST',
      path: '/revoke',
      options: {
        headers: {
          authorization: `Basic ${Buffer.from(`${alpha.credentials.clientId}:${alpha.credentials.clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token: revoked }).toString(),
      },
    });
    const others = ['mts:token', 'mts:transaction', 'mts:lifecycle'].filter((name) => name !== scope).join(' ');
    const own = identity(alpha.credentials);
    return [
      { who: 'nobody', headers: own, status: 401 },
      { who: 'a malformed token', headers: { ...own, Authorization: 'Bearer not-a-token' }, status: 401 },
      { who: 'another scheme', headers: { ...own, Authorization: `Basic ${alpha.accessToken}` }, status: 401 },
      { who: 'a revoked token', headers: { ...own, Authorization: `Bearer ${revoked}` }, status: 401, withinMs: 1_000 },
      { who: 'a graph client', headers: { ...own, Authorization: `Bearer ${adminToken}` }, status: 403 },
      ...(scope
        ? [
            {
              who: 'the same tenant without the scope',
              headers: { ...own, Authorization: `Bearer ${await accessTokenOf(world, alpha.credentials, others)}` },
              status: 403,
            },
          ]
        : []),
      {
        who: 'another tenant under borrowed identifiers',
        headers: { ...own, Authorization: `Bearer ${beta.accessToken}` },
        status: 403,
      },
    ];
  }

  test.each(routes)('$name: denied to everybody else, and nothing changes', async ({ method, scope, path, body }) => {
    const before = await fingerprint();
    for (const { who, headers, status, withinMs } of (await strangers(scope)) as {
      who: string;
      headers: Record<string, string>;
      status: number;
      withinMs?: number;
    }[]) {
      const attempt = async () =>
        (await rest(world.urls.rest).call(method, path(ids.virtualAccountId), { headers, body: await body() })).status;
      if (withinMs) await eventually(async () => (await attempt()) === status, { timeoutMs: withinMs });
      else expect({ who, status: await attempt() }).toEqual({ who, status });
    }
    expect(await fingerprint()).toBe(before);
  });

  test.each(routes.slice(1))(
    '$name: the account of another tenant answers like an absent one',
    async ({ method, path, body }) => {
      const before = await fingerprint();
      const ask = async (id: string) => beta.call(method, path(id), await body());
      const [foreign, absent] = [await ask(ids.virtualAccountId), await ask(newId())];
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' });
      expect(await fingerprint()).toBe(before);
    },
  );

  test('create token: a merchant of another tenant is not enrolled', async () => {
    const encryptedData = await beta.seal({ account: freshCardNumber(), accountExpiry });
    const body = { merchantInfo: { merchantId: alpha.credentials.merchantId }, accountInfo: { encryptedData } };
    expect((await beta.call('POST', '/virtual-accounts/token', body)).body).toMatchObject({ errorCode: 'MTS-1611' });
  });

  test.each([undefined, 'wrong-key'])('no sandbox call goes through with the key %p', async (key) => {
    const before = await fingerprint();
    for (const [method, path, body] of [
      ['GET', '/sandbox/clock', undefined],
      ['POST', '/sandbox/clock', { advanceMs: 1 }],
      ['PUT', '/sandbox/tra', { tenant: 'alpha', notifyBaseUrl: 'http://127.0.0.1:9' }],
      ['POST', `/sandbox/virtual-accounts/${ids.virtualAccountId}/events`, { event: 'DELETE' }],
      ['GET', '/sandbox/cards', undefined],
      ['GET', '/sandbox/receiver/requests', undefined],
      ['POST', '/sandbox/receiver/faults', { status: 500 }],
    ] as const) {
      const answer = await rest(world.urls.rest, key ? { 'X-Sandbox-Key': key } : {}).call(method, path, { body });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 401 });
    }
    expect(await fingerprint()).toBe(before);
  });

  test('a tenant that does not exist gets no callback address', async () => {
    const body = { tenant: 'nobody', notifyBaseUrl: `${world.urls.rest}/sandbox/receiver` };
    expect((await sandboxCall(world, 'PUT', '/sandbox/tra', body)).status).toBe(404);
  });
});
