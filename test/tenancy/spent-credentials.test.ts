// Spent credentials at every door: each documented route, the graph, its sockets and the authorization server refuse what has expired or was revoked like what never was, and nothing changes.
import { closeCodes } from '../../gateway/subscriptions/subscription-connection';
import { administrationOf } from '../support/administration';
import type { Answer } from '../support/client';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import { askWith, type DocumentedRequest, documentedRoutes, type Family } from './documented-requests';
import {
  bearer,
  callAuthorization,
  newClient,
  type Spendable,
  staffOf,
  unknownCredential,
} from './spendable-credentials';
import {
  askGraph,
  type GraphQuestion,
  graphQuestions,
  openSocket,
  openSpentWorld,
  type Spent,
  type SpentWorld,
  spentLogins,
} from './spent-world';

let scene: SpentWorld;
beforeAll(async () => {
  scene = await openSpentWorld();
});
afterAll(() => scene?.close());

const numberedFamilies: readonly Family[] = ['administration', 'partner', 'reporting'];
const closedRoutes = documentedRoutes.filter(({ isOpen }) => !isOpen);
const openRoutes = documentedRoutes.filter(({ isOpen }) => isOpen);
const families = [...new Set(closedRoutes.map(({ family }) => family))];

const spentOf = (family: Family | 'graph') => scene.spent.filter((credential) => credential.families.includes(family));

/** docs/errors.md: what a family answers to a credential that nobody was given; the code in its own form, and the challenge. */
const refusals: Readonly<Record<Family, [status: number, code: string | undefined, challenge: string]>> = {
  tokenization: [401, undefined, 'Bearer error="invalid_token"'],
  payments: [401, '/problems/unauthorized', 'Bearer error="invalid_token"'],
  checkout: [401, 'GW0401', 'ApiKey'],
  administration: [401, '2002', 'Basic realm="administration", Bearer error="invalid_token"'],
  partner: [401, '2002', 'SecretKey'],
  reporting: [401, '2002', 'SecretKey'],
};

function codeOf({ body }: Answer): string | undefined {
  const [{ code, extensions } = { code: undefined, extensions: undefined }] = body.errors ?? [];
  return body.errorCode ?? code ?? extensions?.code ?? body.code ?? body.type;
}
const codes = (answer: Answer) => [answer.status, codeOf(answer), answer.headers['www-authenticate']];

/** All of an answer but what differs from one request to the next on purpose. */
function seen({ status, headers, text }: Answer) {
  const {
    date: _at,
    'x-request-id': _request,
    'correlation-id': _correlation,
    'content-length': _,
    'ratelimit-remaining': _left,
    'ratelimit-reset': _reset,
    ...alike
  } = headers;
  return { status, headers: alike, text: text.replace(/"(instance|requestId)":"[^"]*"/g, '"$1":""') };
}

/** The administration interface tells the holder of a revoked key that it was revoked (2004), and nobody else. */
function withWord(answer: ReturnType<typeof seen>, { end }: Spendable, family: Family) {
  if (end !== 'told') return answer;
  // The sandbox says so in its detail, in every family.
  const detail = String(answer.headers['x-error-detail']).replace(/^unauthenticated;/, 'keyRevoked;');
  const headers = { ...answer.headers, 'x-error-detail': detail };
  if (!numberedFamilies.includes(family)) return { ...answer, headers };
  const text = JSON.stringify({ ...JSON.parse(answer.text), message: 'The key was revoked.', code: '2004' });
  return { ...answer, text, headers: { ...headers, link: '</docs/errors#2004>; rel="help"' } };
}

const requestOf = (requests: Spent['former'], route: (typeof documentedRoutes)[number]) =>
  requests.get(route) as DocumentedRequest;

/** What may do everything of its family, for comparison. */
function livingOf(family: Family): Record<string, string> {
  const { world, tenants } = scene;
  const { partner, reporting } = world.credentials.tenants.alpha;
  const living: Record<Family, Record<string, string>> = {
    tokenization: bearer(tenants.alpha.accessToken),
    payments: bearer(tenants.services.alpha.accessToken),
    checkout: { 'X-API-KEY': tenants.shops.alpha.apiKey },
    administration: { Authorization: administrationOf(world, 'alpha').authorization },
    partner: { Authorization: partner.secretApiKey },
    reporting: { Authorization: reporting.merchantApiKey },
  };
  return living[family];
}

test.each([...families, 'graph' as const])('every credential of %s was good at each of its doors', (family) => {
  const credentials = spentOf(family);
  expect(credentials.length).toBeGreaterThan(1);
  for (const { who, answered } of credentials) {
    const statuses = Object.values(answered);
    const isRefused = statuses.some((status) => [401, 403, 429].includes(status) || status >= 500);
    const isServed = statuses.some((status) => status < 300);
    expect({ who, answered, isRefused, isServed }).toMatchObject({ isRefused: false, isServed: true });
  }
});

describe('documented routes', () => {
  test.each(closedRoutes)('$method $path: spent is refused like unknown, and nothing changes', async (route) => {
    const { family } = route;
    const before = await scene.everything();
    const ask = (request: DocumentedRequest, headers: Spendable['headers']) => askWith(scene.world, request, headers);
    const aimed = requestOf(scene.aimed, route);
    const unknown = await ask(aimed, unknownCredential(family));
    expect(codes(unknown)).toEqual(refusals[family]);
    // A living credential of another kind is known too and may nothing here.
    const known = family === 'payments' ? livingOf('tokenization') : livingOf('payments');
    const forbidden = await ask(aimed, known);
    for (const credential of spentOf(family)) {
      const { who, end, headers, guessed, former } = credential;
      const expected = end === 'narrowed' ? seen(forbidden) : withWord(seen(unknown), credential, family);
      if (end === 'narrowed') expect(forbidden.status).toBe(403);
      for (const request of [aimed, requestOf(former, route)])
        expect({ who, ...seen(await ask(request, headers)) }).toEqual({ who, ...expected });
      if (guessed) expect({ who, ...seen(await ask(aimed, guessed)) }).toEqual({ who, ...seen(unknown) });
    }
    expect(await scene.everything()).toEqual(before);
  });

  test.each(openRoutes)('$method $path takes no credential, so that a spent one makes no difference', async (route) => {
    const request = requestOf(scene.aimed, route);
    const bare = await askWith(scene.world, request, {});
    expect(bare.status).toBe(200);
    for (const { who, headers } of scene.spent)
      expect({ who, ...seen(await askWith(scene.world, request, headers)) }).toEqual({ who, ...seen(bare) });
  });
});

describe('graph', () => {
  test.each(Object.keys(graphQuestions))('%s: spent is refused like unknown, and nothing changes', async (name) => {
    const { world, tenants } = scene;
    const before = await scene.everything();
    const ask = (headers: Spendable['headers']) => askGraph(world, graphQuestions[name] as GraphQuestion, headers);
    const unknown = await ask(unknownCredential('graph'));
    expect(codes(unknown)).toEqual([401, 'unauthenticated', 'Bearer error="invalid_token"']);
    const forbidden = await ask(bearer(tenants.alpha.accessToken));
    expect([forbidden.status, codeOf(forbidden)]).toEqual([403, 'forbidden']);
    for (const { who, end, headers } of spentOf('graph'))
      expect({ who, ...seen(await ask(headers)) }).toEqual({ who, ...seen(end === 'narrowed' ? forbidden : unknown) });
    expect(await scene.everything()).toEqual(before);
  });

  test('a socket is not opened to what is spent: 4401, as to what is unknown; 4403 to what may nothing', async () => {
    const closing = async (headers: Spendable['headers']) => {
      const socket = await openSocket(scene.world, headers);
      await eventually(() => socket.closed);
      return socket.closed;
    };
    const unknown = await closing(unknownCredential('graph'));
    expect(unknown).toEqual(closeCodes.unauthorized);
    for (const { who, end, headers } of spentOf('graph'))
      expect({ who, closed: await closing(headers) }).toEqual({
        who,
        closed: end === 'narrowed' ? closeCodes.forbidden : unknown,
      });
  });

  test('a socket that was open when its credential was spent was closed: 4403', async () => {
    for (const { who, end, socket } of spentOf('graph')) {
      await eventually(() => socket?.closed);
      const { code, reason } = end === 'narrowed' ? closeCodes.changed : closeCodes.revoked;
      expect({ who, closed: socket?.closed }).toEqual({ who, closed: { code, reason } });
    }
  });

  test('a socket keeps no right that was withdrawn: it is closed, and the next one has what is left', async () => {
    const { world } = scene;
    const staff = await staffOf(world);
    const client = await newClient(world, staff, 'graph');
    const headers = bearer(await accessTokenOf(world, client));
    const before = await openSocket(world, headers);
    const narrow = 'mutation ($id: ID!) { setClientScopes(clientId: $id, scopes: ["graph:read"]) { clientId } }';
    await staff.ask(narrow, { id: client.clientId });
    await eventually(() => before.closed);
    expect(before.closed).toEqual(closeCodes.changed);
    const isForbidden = async () => {
      const reader = await openSocket(world, headers);
      await reader.subscribe('1', 'mutation { redeliverCallback(callbackId: "none") { callbackId } }');
      reader.close();
      return JSON.stringify(reader.of('1')).includes('"forbidden"');
    };
    await eventually(isForbidden, { everyMs: 200 });
  });
});

describe('authorization server', () => {
  test.each(spentLogins)('%s: refused like an unknown client, and nothing changes', async (name) => {
    const { world, logins, everything } = scene;
    const { login, accessToken } = logins[name];
    const before = await everything();
    const calls = [
      { path: '/token', form: { grant_type: 'client_credentials' } },
      { path: '/revoke', form: { token: accessToken } },
    ] as const;
    for (const call of calls) {
      const answer = await callAuthorization(world, login, call);
      const unknown = await callAuthorization(world, { ...login, clientId: 'client_nobody' }, call);
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
      expect(seen(answer)).toEqual(seen(unknown));
    }
    expect(await everything()).toEqual(before);
  });
});

// What was refused above would have changed something; last, because it does.
test.each(families)('%s: to who may, the same requests are served', async (family) => {
  const { world, aimed, everything } = scene;
  const routes = closedRoutes.filter((route) => route.family === family);
  const changes = async () => {
    const before = await everything();
    for (const route of routes) {
      const { status } = await askWith(world, requestOf(aimed, route), livingOf(family));
      expect({ route: route.path, status, isRefused: [401, 403].includes(status) }).toMatchObject({ isRefused: false });
    }
    return JSON.stringify(await everything()) !== JSON.stringify(before);
  };
  const mayChange = routes.some(({ method }) => method !== 'GET');
  if (mayChange) expect(await changes()).toBe(true);
  // A worker may be ending what the family before began; what reads would change, they would change each time.
  else expect((await changes()) && (await changes()) && (await changes())).toBe(false);
});
