// Callback endpoints in the graph: addresses, secrets, switching on, and whose they are (2.1 and 2.6 of the decision register).
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { executeInSubgraph } from '../workers/graph';
import { account, openWorld, type World } from '../workers/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const client = (accountId: string | null, ...scopes: Caller['scopes']): Caller => ({
  kind: 'client',
  credentialId: `client-${accountId}`,
  environment: 'sandbox',
  accountId,
  scopes,
  identifiers: [],
});
const setAddress = (address: string, caller: Caller, accountId: string | null = null) =>
  executeInSubgraph(
    world,
    `mutation ($address: String!, $accountId: ID) {
       setCallbackAddress(address: $address, kind: NOTIFY_UPDATE, accountId: $accountId) { endpointId accountId kind address health { state } }
     }`,
    { address, accountId },
    caller,
  );
const list = async (caller: Caller) =>
  (
    await executeInSubgraph(
      world,
      '{ callbackEndpoints { edges { node { endpointId accountId address secrets { expiresAt } } } } }',
      {},
      caller,
    )
  )['callbackEndpoints'] as {
    edges: { node: { endpointId: string; accountId: string; secrets: { expiresAt: Date | null }[] } }[];
  };

describe('the address', () => {
  test.each([
    ['a client of the account', client(account, 'graph:admin'), null],
    ['staff who name the account', client(null, 'graph:admin'), account],
    ['the sandbox key', { ...client(null, 'sandbox:control'), kind: 'sandboxKey' as const }, account],
  ])('is set by %s, without the slash at its end', async (_who, caller, accountId) => {
    expect(await setAddress('http://127.0.0.1:9999/base/', caller, accountId)).toMatchObject({
      setCallbackAddress: {
        accountId: account,
        kind: 'NOTIFY_UPDATE',
        address: 'http://127.0.0.1:9999/base',
        health: { state: 'HEALTHY' },
      },
    });
  });

  test.each([
    ['http://10.0.0.1'],
    ['http://example.com'],
    ['https://127.0.0.1'],
    ['https://user:pass@example.com'],
    ['https://example.com/#x'],
    ['https://example.com/?a=b'],
    ['https://0x7f000001'],
    [`https://example.com/${'a'.repeat(2048)}`],
    [''],
  ])('%s is refused', async (address) => {
    await expect(setAddress(address, client(account, 'graph:admin'))).rejects.toMatchObject({
      code: 'invalidInput',
      details: { field: 'address' },
    });
  });

  test.each([
    ['who only reads', client(account, 'graph:read'), null, 'forbidden'],
    ['of a tokenization client', client(account, 'mts:token'), null, 'forbidden'],
    ['of another account', client('beta', 'graph:admin'), account, 'notFound'],
    ['of staff who name nobody', client(null, 'graph:admin'), null, 'invalidInput'],
    ['without credential', { ...client('', 'graph:admin'), kind: 'anonymous' as const }, account, 'unauthenticated'],
  ])('a caller %s is refused', async (_who, caller, accountId, code) => {
    await expect(setAddress('http://127.0.0.1:9999', caller, accountId)).rejects.toMatchObject({ code });
  });

  test('setting it clears the health of the endpoint, and makes an event', async () => {
    const endpoints = world.stores.connection.collection('callback_endpoints');
    await endpoints.updateOne(
      { accountId: account },
      { $set: { 'health.state': 'DISABLED', 'health.exhaustedInARow': 5 } },
    );
    await setAddress('http://127.0.0.1:9998', client(account, 'graph:admin'));
    expect(await endpoints.findOne({ accountId: account })).toMatchObject({
      health: { state: 'HEALTHY', exhaustedInARow: 0 },
    });
    const facts = await world.stores.connection
      .collection('events')
      .find({ type: 'callbackEndpoint.addressChanged' })
      .sort({ sequence: 1 })
      .toArray();
    expect(facts.at(-1)).toMatchObject({ aggregateType: 'callbackEndpoint', accountId: account });
    expect(JSON.stringify(facts)).not.toContain('127.0.0.1');
  });
});

describe('the audit', () => {
  const admin = client(account, 'graph:admin');
  const run = (mutation: string) => executeInSubgraph(world, `mutation { ${mutation} }`, {}, admin);
  const key = 'kind: NOTIFY_UPDATE';

  test.each<[string, () => Promise<unknown>, object]>([
    [
      'callbackEndpoint.addressChanged',
      () => run(`setCallbackAddress(${key}, address: "http://127.0.0.1:9997") { endpointId }`),
      { changes: [{ field: 'address', from: expect.any(String), to: 'http://127.0.0.1:9997' }] },
    ],
    [
      'callbackEndpoint.authorizationChanged',
      () => run(`setCallbackAuthorization(${key}, authorization: "Bearer hidden-value") { endpointId }`),
      { changes: [{ field: 'authorization', from: null, to: 'set' }] },
    ],
    ['callbackEndpoint.secretRotated', () => run(`rotateCallbackSecret(${key}) { secret }`), { changes: [] }],
    [
      'callbackEndpoint.secretRotated',
      () => run(`rotateCallbackSecret(${key}, reason: " it was in a mail ") { secret }`),
      { changes: [{ field: 'reason', from: null, to: 'it was in a mail' }] },
    ],
    [
      'callbackEndpoint.enabled',
      async () => {
        const endpoints = world.stores.connection.collection('callback_endpoints');
        await endpoints.updateOne({ accountId: account }, { $set: { 'health.state': 'DISABLED' } });
        const found = await endpoints.findOne({ accountId: account });
        return run(`enableCallbackEndpoint(endpointId: "${found?._id}") { endpointId }`);
      },
      { changes: [{ field: 'health', from: 'DISABLED', to: 'HEALTHY' }] },
    ],
  ])('tells of %s who did it', async (action, act, told) => {
    await act();
    const records = await world.stores.connection.collection('audit').find({ action }).toArray();
    const record = { actor: admin.credentialId, accountId: account, subjectType: 'callbackEndpoint', ...told };
    expect(records).toContainEqual(expect.objectContaining(record));
    expect(JSON.stringify(records)).not.toContain('hidden-value');
  });
});

test('a secret is not renewed for a reason that is too long', async () => {
  const reason = 'x'.repeat(501);
  const source = `mutation { rotateCallbackSecret(kind: NOTIFY_UPDATE, reason: "${reason}") { secret } }`;
  await expect(executeInSubgraph(world, source, {}, client(account, 'graph:admin'))).rejects.toMatchObject({
    code: 'invalidInput',
    details: { field: 'reason' },
  });
});

test('each account sees its own endpoints, staff all', async () => {
  await setAddress('http://127.0.0.1:9997', client('beta', 'graph:admin'));
  const seen = async (caller: Caller) => (await list(caller)).edges.map(({ node }) => node.accountId).sort();
  expect(await seen(client(account, 'graph:read'))).toEqual([account]);
  expect(await seen(client('beta', 'graph:read'))).toEqual(['beta']);
  expect(await seen(client('gamma', 'graph:read'))).toEqual([]);
  expect(await seen(client(null, 'graph:read'))).toEqual([account, 'beta']);
});

test('endpoints are found by their health, each account its own', async () => {
  const { connection } = world.stores;
  await setAddress('http://127.0.0.1:9997', client('beta', 'graph:admin'));
  await connection
    .collection('callback_endpoints')
    .updateMany({ accountId: 'beta' }, { $set: { 'health.state': 'DISABLED' } });
  const found = async (caller: Caller, health: string[] | null) => {
    const query = `query ($health: [CallbackEndpointState!]) { callbackEndpoints(health: $health) { edges { node { accountId } } } }`;
    const { callbackEndpoints } = (await executeInSubgraph(world, query, { health }, caller)) as {
      callbackEndpoints: { edges: { node: { accountId: string } }[] };
    };
    return callbackEndpoints.edges.map(({ node }) => node.accountId).sort();
  };
  const staff = client(null, 'graph:read');
  expect(await found(staff, ['DEGRADED', 'DISABLED'])).toEqual(['beta']);
  expect(await found(staff, ['HEALTHY'])).toEqual([account]);
  expect(await found(staff, ['HEALTHY', 'DISABLED'])).toEqual(await found(staff, null));
  await expect(found(staff, [])).rejects.toMatchObject({ code: 'invalidInput', details: { field: 'health' } });
  expect(await found(client(account, 'graph:read'), ['DISABLED'])).toEqual([]);
});

test('an endpoint of somebody else looks absent', async () => {
  const [edge] = (await list(client('beta', 'graph:read'))).edges;
  const read = (caller: Caller, id: string) =>
    executeInSubgraph(world, 'query ($id: ID!) { callbackEndpoint(endpointId: $id) { endpointId } }', { id }, caller);
  expect(await read(client(account, 'graph:read'), String(edge?.node.endpointId))).toEqual({ callbackEndpoint: null });
  const enable = (caller: Caller, id: string) =>
    executeInSubgraph(
      world,
      'mutation ($id: ID!) { enableCallbackEndpoint(endpointId: $id) { endpointId } }',
      { id },
      caller,
    );
  await expect(enable(client(account, 'graph:admin'), String(edge?.node.endpointId))).rejects.toMatchObject({
    code: 'notFound',
  });
  await expect(enable(client('beta', 'graph:admin'), String(edge?.node.endpointId))).resolves.toBeTruthy();
});

test('a rotation shows the new secret once, keeps two, and stores none of them readable', async () => {
  const rotate = async () =>
    (
      await executeInSubgraph(
        world,
        'mutation { rotateCallbackSecret(kind: NOTIFY_UPDATE) { secret endpoint { secrets { secretId expiresAt } } } }',
        {},
        client(account, 'graph:admin'),
      )
    )['rotateCallbackSecret'] as { secret: string; endpoint: { secrets: { expiresAt: string | null }[] } };
  const [first, second] = [await rotate(), await rotate()];
  expect(second.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(second.secret).not.toBe(first.secret);
  expect(second.endpoint.secrets).toHaveLength(2);
  expect(second.endpoint.secrets.map(({ expiresAt }) => expiresAt === null)).toEqual([true, false]);
  const stored = JSON.stringify(await world.stores.connection.collection('callback_endpoints').find().toArray());
  const logged = JSON.stringify(await world.stores.connection.collection('events').find().toArray());
  for (const secret of [world.secret, first.secret, second.secret]) {
    expect(stored + logged).not.toContain(secret.slice(6, 40));
  }
});

test.each([['a\r\nb'], ['a\u0000'], [''], [' a'], ['é'], ['x'.repeat(513)]])(
  'the Authorization value %j is refused',
  async (authorization) => {
    const set = executeInSubgraph(
      world,
      'mutation ($authorization: String) { setCallbackAuthorization(authorization: $authorization, kind: NOTIFY_UPDATE) { endpointId } }',
      { authorization },
      client(account, 'graph:admin'),
    );
    await expect(set).rejects.toMatchObject({ code: 'invalidInput' });
  },
);

test('a pair of changes at once both count', async () => {
  await Promise.all([
    setAddress('http://127.0.0.1:9991', client(account, 'graph:admin')),
    setAddress('http://127.0.0.1:9992', client(account, 'graph:admin')),
  ]);
  const facts = await world.stores.connection
    .collection('events')
    .find({ accountId: account, aggregateType: 'callbackEndpoint' })
    .sort({ sequence: 1 })
    .toArray();
  expect(facts.map(({ sequence }) => sequence)).toEqual(facts.map((_fact, index) => index + 1));
});
