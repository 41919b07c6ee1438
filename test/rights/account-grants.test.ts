// Rights of staff are never an account's: not granted, not written, and not counted where they were granted before.
import type { Client } from '../../subgraphs/access/clients/client';
import { createClientRepository } from '../../subgraphs/access/clients/client.repository';
import { graphScopes, isStaffScope } from '../../subgraphs/shared/callers/rights';
import { create, input } from '../access/clients';
import { ask, openWorld, type World } from '../access/world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.closeAll());

const change =
  'mutation ($id: ID!, $scopes: [String!]!) { setClientScopes(clientId: $id, scopes: $scopes) { clientId } }';
const ofAccount = (scopes: string[]) => input({ family: 'GRAPH', identifiers: [], scopes });

async function accountClient() {
  const { data, codes } = await ask(world.access, create, { variables: { input: ofAccount(['graph:read']) } });
  expect(codes).toEqual([]);
  return { clientId: data.createClient.client.clientId, clientSecret: data.createClient.clientSecret };
}

const staffScopes = graphScopes.filter(isStaffScope);

it('knows which scopes are of staff', () => {
  expect(staffScopes).toEqual(expect.arrayContaining(['graph:admin', 'graph:viewer', 'graph:ledger:book']));
  expect(graphScopes.filter((scope) => !isStaffScope(scope))).toEqual(
    expect.arrayContaining(['graph:read', 'graph:payments:read', 'graph:callbacks:write']),
  );
});

it.each(staffScopes)('%s is granted to no account', async (scope) => {
  const made = await ask(world.access, create, { variables: { input: ofAccount(['graph:read', scope]) } });
  expect(made.codes).toEqual(['invalidData']);
  const { clientId } = await accountClient();
  const raised = await ask(world.access, change, { variables: { id: clientId, scopes: [scope] } });
  expect(raised.codes).toEqual(['invalidData']);
});

it('the repository writes no such client, whoever decided it', async () => {
  const clients = createClientRepository(world.connection);
  const client = { clientId: 'c', accountId: 'alpha', family: 'graph', scopes: ['graph:admin'] } as unknown as Client;
  expect(() => clients.insert(client)).toThrow('graph:admin is not for graph clients of alpha');
  expect(() => clients.replace(client, 1)).toThrow('graph:admin is not for graph clients of alpha');
});

it('a grant from before does nothing: the token has what is left, and a client with nothing else gets none', async () => {
  const { clientId, clientSecret } = await accountClient();
  const stored = (scopes: string[]) =>
    world.connection.collection('clients').updateOne({ _id: clientId as never }, { $set: { scopes } });
  await stored(['graph:read', 'graph:admin']);
  const client = await world.access.authenticateClient(clientId, clientSecret);
  const { accessToken, scopes } = await world.access.issueAccessToken(client, null);
  expect(scopes).toEqual(['graph:read']);
  expect((await world.access.authenticateBearer(accessToken)).scopes).toEqual(['graph:read']);
  await stored(['graph:admin']);
  const bare = await world.access.authenticateClient(clientId, clientSecret);
  await expect(world.access.issueAccessToken(bare, null)).rejects.toMatchObject({ code: 'forbidden' });
});
