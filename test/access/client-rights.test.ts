// Who may see and change clients, how they are listed, and what the audit trail says afterwards.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { printCursor } from '../../subgraphs/shared/lists/page';
import { callerOf, create, input, newClient, read, register, retire, rotate } from './clients';
import { admin, ask, newJwk, openWorld, viewer, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.closeAll());

describe('who may do what', () => {
  const mutations: [string, Record<string, unknown>][] = [
    [create, { input: input() }],
    [rotate, { id: 'x' }],
    ['mutation ($id: ID!) { disableClient(clientId: $id) { clientId } }', { id: 'x' }],
    ['mutation ($id: ID!) { enableClient(clientId: $id) { clientId } }', { id: 'x' }],
    ['mutation ($id: ID!) { setClientScopes(clientId: $id, scopes: []) { clientId } }', { id: 'x' }],
    ['mutation ($id: ID!) { revokeAccessTokens(clientId: $id) { clientId } }', { id: 'x' }],
    [register, { id: 'x', key: newJwk('k') }],
    [retire, { id: 'x', kid: 'k' }],
  ];
  const anonymous: Caller = { ...viewer, kind: 'anonymous', accountId: '', scopes: [] };

  it.each(mutations)('viewers and strangers change nothing: %s', async (source, variables) => {
    expect((await ask(world.access, source, { caller: viewer, variables })).codes).toEqual(['forbidden']);
    expect((await ask(world.access, source, { caller: anonymous, variables })).codes).toEqual(['unauthenticated']);
  });

  it.each(mutations.slice(1))('an absent client is not found: %s', async (source, variables) => {
    expect((await ask(world.access, source, { variables })).codes).toEqual(['notFound']);
  });

  it('tokenization clients read nothing and make nothing', async () => {
    const client = await newClient(world);
    const caller = callerOf(client);
    expect((await ask(world.access, read, { caller, variables: { id: client.clientId } })).codes).toEqual([
      'forbidden',
    ]);
    expect((await ask(world.access, create, { caller, variables: { input: input() } })).codes).toEqual(['forbidden']);
  });

  it('a graph client of an account sees its own account only, and makes and changes no clients', async () => {
    const [own, foreign] = [await newClient(world), await newClient(world)];
    const caller: Caller = { ...admin, credentialId: 'g', accountId: own.accountId };
    expect((await ask(world.access, read, { caller, variables: { id: own.clientId } })).data.client.clientId).toBe(
      own.clientId,
    );
    expect((await ask(world.access, read, { caller, variables: { id: foreign.clientId } })).data).toEqual({
      client: null,
    });
    expect((await ask(world.access, rotate, { caller, variables: { id: foreign.clientId } })).codes).toEqual([
      'forbidden',
    ]);
    expect(
      (await ask(world.access, create, { caller, variables: { input: input({ accountId: own.accountId }) } })).codes,
    ).toEqual(['forbidden']);
    const listed = await ask(world.access, '{ clients(first: 100) { edges { node { clientId } } } }', { caller });
    expect(listed.data.clients.edges).toEqual([{ node: { clientId: own.clientId } }]);
    const trail = await ask(world.access, '{ auditRecords(first: 100) { edges { node { subjectId } } } }', { caller });
    expect(trail.data.auditRecords.edges).toEqual([{ node: { subjectId: own.clientId } }]);
  });

  it('staff of the other environment see nothing', async () => {
    const { clientId } = await newClient(world);
    const caller: Caller = { ...admin, environment: 'production' };
    expect((await ask(world.access, read, { caller, variables: { id: clientId } })).data).toEqual({ client: null });
  });

  it('as an entity a client is seen by graph readers of its account only', async () => {
    const own = await newClient(world);
    const source = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Client { clientId label } } }';
    const variables = { r: [{ __typename: 'Client', clientId: own.clientId }] };
    expect((await ask(world.access, source, { caller: viewer, variables })).data._entities).toEqual([
      { clientId: own.clientId, label: 'A shop' },
    ]);
    for (const caller of [callerOf(own), { ...viewer, accountId: 'other' }, anonymous]) {
      expect((await ask(world.access, source, { caller, variables })).data._entities).toEqual([null]);
    }
  });
});

describe('lists', () => {
  it('pages through all clients once, in a fixed order, with a bounded page', async () => {
    const accountId = `account-${newId()}`;
    const made = await Promise.all(Array.from({ length: 5 }, () => newClient(world, { accountId })));
    const caller: Caller = { ...viewer, accountId };
    const seen: string[] = [];
    let after: string | null = null;
    const source =
      'query ($after: String) { clients(first: 2, after: $after) { edges { node { clientId } } pageInfo { hasNextPage endCursor } } }';
    for (;;) {
      const {
        data,
      }: {
        data: {
          clients: { edges: { node: { clientId: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
        };
      } = await ask(world.access, source, { caller, variables: { after } });
      seen.push(...data.clients.edges.map((edge) => edge.node.clientId));
      if (!data.clients.pageInfo.hasNextPage) break;
      after = data.clients.pageInfo.endCursor;
    }
    expect(seen).toEqual(made.map((client) => client.clientId).toSorted());
  });

  it.each([
    'clients(first: 101)',
    'clients(first: 0)',
    'clients(after: "x")',
    'auditRecords(first: 101)',
    'auditRecords(after: "x")',
    `auditRecords(after: "${printCursor(['x', 'y'])}")`,
    `auditRecords(after: "${printCursor([1e300, 'y'])}")`,
    `auditRecords(after: "${printCursor([1])}")`,
  ])('refuses %s', async (field) => {
    expect((await ask(world.access, `{ ${field} { pageInfo { endCursor } } }`)).codes).toEqual(['invalidInput']);
  });
});

describe('the audit trail', () => {
  it('tells who did what, from what, to what, newest first; refusals and repetitions leave no trace', async () => {
    const { clientId, accountId } = await newClient(world);
    const requestId = newId();
    const mutate = (field: string) =>
      ask(world.access, `mutation ($id: ID!) { ${field} { clientId } }`, { variables: { id: clientId }, requestId });
    for (const field of [
      'setClientScopes(clientId: $id, scopes: ["mts:token"])',
      'disableClient(clientId: $id)',
      'disableClient(clientId: $id)',
    ]) {
      world.clock.advance(1);
      expect((await mutate(field)).codes).toEqual([]);
    }
    await mutate('setClientScopes(clientId: $id, scopes: ["graph:admin"])');
    const source = `query ($id: ID!, $after: String) { auditRecords(subjectId: $id, first: 2, after: $after) {
      pageInfo { hasNextPage endCursor } edges { node { actor action subjectType accountId requestId changes { field from to } } } } }`;
    const { data } = await ask(world.access, source, { variables: { id: clientId } });
    const who = { actor: 'graph-admin', subjectType: 'client', accountId, requestId };
    expect(data.auditRecords.edges.map((edge: { node: object }) => edge.node)).toEqual([
      { ...who, action: 'client.disabled', changes: [{ field: 'status', from: 'ACTIVE', to: 'DISABLED' }] },
      {
        ...who,
        action: 'client.scopesChanged',
        changes: [{ field: 'scopes', from: 'mts:token mts:transaction mts:lifecycle', to: 'mts:token' }],
      },
    ]);
    const next = await ask(world.access, source, {
      variables: { id: clientId, after: data.auditRecords.pageInfo.endCursor },
    });
    expect(next.codes).toEqual([]);
    expect(next.data.auditRecords.edges.map((edge: { node: { action: string } }) => edge.node.action)).toEqual([
      'client.created',
    ]);
    expect([data.auditRecords.pageInfo.hasNextPage, next.data.auditRecords.pageInfo.hasNextPage]).toEqual([
      true,
      false,
    ]);
  });
});
