// What the audit keeps beside changes: logins, refusals, and looks at unmasked data, each with who, which request and from where; in both shapes.
import { randomUUID } from 'node:crypto';
import { StreamClient } from '../gateway/stream-client';
import { rest, send } from '../support/client';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

interface Found {
  action: string;
  actor: string;
  claimedActor: string | null;
  address: string | null;
  requestId: string;
  subjectType: string;
  subjectId: string;
  count: number;
}

const query = `query Records($subjectId: ID) { auditRecords(subjectId: $subjectId, first: 100) { edges { node {
  action actor claimedActor address requestId subjectType subjectId count } } } }`;

/** The newest record about that subject of which `is` is true. */
function recorded(subjectId: string, is: (record: Found) => boolean): Promise<Found> {
  return eventually(async () => {
    const { data } = await graph(world, query, { subjectId });
    return (data.auditRecords.edges as { node: Found }[]).map(({ node }) => node).find(is);
  });
}

const loopback = '127.0.0.1';
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

function login(clientId: string, clientSecret: string, requestId: string) {
  return send(world.urls.auth, {
    method: 'POST',
    path: '/token',
    options: {
      headers: {
        authorization: basic(clientId, clientSecret),
        'x-request-id': requestId,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    },
  });
}

test('a login stands there with its client, request and address', async () => {
  const { clientId, clientSecret } = world.credentials.tenants.beta.payments;
  const requestId = randomUUID();
  expect((await login(clientId, clientSecret, requestId)).status).toBe(200);
  expect(await recorded(clientId, (record) => record.requestId === requestId)).toMatchObject({
    action: 'accessToken.issued',
    actor: clientId,
    address: loopback,
    count: 1,
  });
});

test('a refused login names the client that was claimed, and nobody as its actor', async () => {
  const { clientId } = world.credentials.tenants.beta.payments;
  expect((await login(clientId, 'wrong', randomUUID())).status).toBe(401);
  const found = await recorded(
    'login',
    ({ action, claimedActor }) => action === 'login.refused' && claimedActor === clientId,
  );
  expect(found).toMatchObject({ actor: 'anonymous', address: loopback, subjectType: 'surface' });
});

test('a wrong key stands there with the surface that it was tried at', async () => {
  const api = rest(world.urls.rest, {
    'X-API-KEY': `checkout_sandbox_${'x'.repeat(43)}`,
    'Correlation-Id': randomUUID(),
  });
  expect((await api.call('GET', '/api/v1/operations')).status).toBe(401);
  const found = await recorded('apiKey', ({ action }) => action === 'credential.refused');
  expect(found).toMatchObject({ actor: 'anonymous', address: loopback });
});

test('a right that somebody has not stands there over REST and in the graph', async () => {
  const { tokenization } = world.credentials.tenants.beta;
  const token = await accessTokenOf(world, tokenization);
  const payments = rest(world.urls.rest, { Authorization: `Bearer ${token}` });
  expect((await payments.call('GET', `/api/v1/payments/${randomUUID()}`)).status).toBe(403);
  const overRest = await recorded('GET /api/v1/payments/{paymentId}', ({ actor }) => actor === tokenization.clientId);
  expect(overRest).toMatchObject({ action: 'right.refused', subjectType: 'route', address: loopback });

  const viewer = await accessTokenOf(world, world.credentials.graph.viewer);
  const name = `Forbidden${randomUUID().replaceAll('-', '')}`;
  const { errors } = await graph(
    world,
    `mutation ${name} { settleDay(date: "2020-01-01") { payouts { payoutId } } }`,
    {},
    viewer,
  );
  expect(errors[0].extensions.code).toBe('forbidden');
  expect(await recorded(name, () => true)).toMatchObject({
    action: 'right.refused',
    actor: world.credentials.graph.viewer.clientId,
    subjectType: 'operation',
  });
});

test('a look at what a partner sent of people is recorded before it is shown; a look at the status is not, nor the partner at his own', async () => {
  const partner = onboardingOf(world);
  const contactPerson = { firstName: 'Ada', lastName: 'Lovelace', phone: '+4512345678', email: 'ada@shop.example' };
  const sent = await partner.create({ company: { organizationNumber: '25313763', contactPerson } });
  const { id } = sent.body as { id: string };
  const looks = async () => {
    const { data } = await graph(world, query, { subjectId: id });
    return (data.auditRecords.edges as { node: Found }[]).filter(({ node }) => node.action === 'application.shown');
  };
  expect((await partner.read(id)).status).toBe(200);
  await graph(world, 'query Status($id: ID!) { onboardingApplication(id: $id) { status } }', { id });
  expect(await looks()).toEqual([]);

  const viewer = await accessTokenOf(world, world.credentials.graph.viewer);
  const document = `query Look($id: ID!) { onboardingApplication(id: $id) {
    company { contactPerson { email } } bankAccount { iban } document } }`;
  const { data } = await graph(world, document, { id }, viewer);
  expect(data.onboardingApplication.company.contactPerson.email).toContain('@');
  const [look, ...others] = await looks();
  expect(others).toEqual([]);
  expect(look?.node).toMatchObject({
    actor: world.credentials.graph.viewer.clientId,
    address: loopback,
    subjectType: 'application',
  });
});

test('a look through live events names each who was shown it, and from where', async () => {
  const { viewer, operator } = world.credentials.graph;
  const document = `subscription ($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
    cursor ... on OnboardingEvent { application { id bankAccount { iban } } } } }`;
  const search = `?types=onboarding.initiated&query=${encodeURIComponent(document)}`;
  const streams = await Promise.all(
    [viewer, operator].map(async (credential) =>
      StreamClient.open(world.urls.subscriptions, await accessTokenOf(world, credential), { search }),
    ),
  );
  const sent = await onboardingOf(world).create({ company: { organizationNumber: '25313763' } });
  const id = String((sent.body as { id: number }).id);
  const isShown = ({ data }: { data: Record<string, unknown> | null }) =>
    (data?.['application'] as { id: string } | null)?.id === id;
  await eventually(() => streams.every((stream) => stream.events().some(isShown)));
  for (const stream of streams) stream.close();
  const looked = await eventually(async () => {
    const { data } = await graph(world, query, { subjectId: id });
    const looks = (data.auditRecords.edges as { node: Found }[]).filter(
      ({ node }) => node.action === 'application.shown',
    );
    return looks.length === 2 ? looks : undefined;
  });
  expect(looked.map(({ node }) => node.actor).sort()).toEqual([viewer.clientId, operator.clientId].sort());
  expect(looked.map(({ node }) => node.address)).toEqual([loopback, loopback]);
});
