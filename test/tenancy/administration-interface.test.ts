// Tenants apart in the administration interface: every operation of its OpenAPI files, so that a new one is tried without anybody thinking of it, under every credential that must not get through.
import { readApiFile } from '../../rest-facade/checks/openapi';
import { newId } from '../../subgraphs/shared/ids';
import { administrationOf, consumerHeader, merchantBody } from '../support/administration';
import { type Answer, rest } from '../support/client';
import { contractRoot } from '../support/contract';
import { accessTokenOf } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

type Family = 'administration' | 'partner' | 'reporting';
const families: readonly Family[] = ['administration', 'partner', 'reporting'];

const operations = families.flatMap((family) =>
  Object.entries(readApiFile(contractRoot, family).document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ family, method: method.toUpperCase(), path })),
  ),
);

let world: World;
let credentials: Record<string, string>;
beforeAll(async () => {
  world = await sharedWorld();
  const { admin, partner, reporting, payments, checkout } = world.credentials.tenants.alpha;
  credentials = {
    nobody: '',
    'a consumer': consumerHeader(admin),
    'a consumer with a wrong secret': consumerHeader({ ...admin, consumerSecret: 'x'.repeat(43) }),
    'a partner': partner.secretApiKey,
    'a partner with a wrong secret': `${partner.secretApiKey.slice(0, -1)}${partner.secretApiKey.endsWith('x') ? 'y' : 'x'}`,
    'a merchant': reporting.merchantApiKey,
    'a terminal': checkout.implicit.apiKey,
    'an OAuth client': `Bearer ${await accessTokenOf(world, payments)}`,
    staff: `Bearer ${await accessTokenOf(world, world.credentials.graph.admin)}`,
  };
});
afterAll(() => world?.stop());

/** Code by family and credential; who is not named is 2002. */
const refusals: Readonly<Record<Family, Readonly<Record<string, string | null>>>> = {
  administration: { nobody: '2001', 'a consumer': null },
  partner: { nobody: '2001', 'a partner': null, 'a merchant': '2003' },
  reporting: { nobody: '2001', 'a partner': null, 'a merchant': null },
};

async function ask(method: string, path: string, authorization: string): Promise<Answer> {
  const concrete = `${path.replace(/\{\w+\}/, newId())}?userId=a&fromDate=2026-01-01&toDate=2026-01-02`;
  const headers: Record<string, string> = authorization === '' ? {} : { Authorization: authorization };
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return rest(world.urls.rest).call(method, concrete, { headers, body });
}

test.each(operations)(
  '$method $path is closed to everybody else: 401, before anything else is looked at',
  async ({ family, method, path }) => {
    for (const [who, authorization] of Object.entries(credentials)) {
      const expected = refusals[family][who];
      const answer = await ask(method, path, authorization);
      if (expected === null)
        expect({ who, isOpen: answer.status !== 401 || answer.body.code === '2003' }).toEqual({ who, isOpen: true });
      else
        expect({ who, status: answer.status, code: answer.body.code }).toEqual({
          who,
          status: 401,
          code: expected ?? '2002',
        });
    }
  },
);

test('what belongs to another tenant answers like what nobody has', async () => {
  const { merchantId } = merchantBody();
  const [alpha, beta] = [administrationOf(world, 'alpha'), administrationOf(world, 'beta')];
  expect((await alpha.create(merchantBody({ merchantId }))).status).toBe(201);
  const [foreign, absent] = [await beta.remove(merchantId), await beta.remove(merchantBody().merchantId)];
  expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
  expect((await alpha.remove(merchantId)).status).toBe(202);
});
