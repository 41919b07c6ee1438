// Tenants apart in the graph: every root field of the printed contract, so that a new one is tried without anybody thinking of it. What tries a mutation runs
// that mutation (test/rights/trials).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { Client } from '../gateway/subscription-client';
import { send } from '../support/client';
import { accessTokenOf, graph, type Partner } from '../support/partner';
import { isTrial } from '../support/staff-mutations';
import { type AlphaIds, twoTenants } from '../support/two-tenants';
import { startWorld, type World } from '../support/world';

const dayMs = 86_400_000;
let world: World;
let alpha: Partner;
let adminToken: string;
let ids: AlphaIds;
let fingerprint: () => Promise<string>;
/** After the mutation before. */
let lastSeen: string | undefined;
let viewer: string;

beforeAll(async () => {
  world = await startWorld();
  ({ alpha, adminToken, ids, fingerprint } = await twoTenants(world));
  viewer = await accessTokenOf(world, world.credentials.graph.viewer);
});
afterAll(() => world.stop());

describe('graph', () => {
  const schemaOf = (audience: string) =>
    buildSchema(readFileSync(join(__dirname, `../../schema/contracts/${audience}.graphql`), 'utf8'));
  const [schema, staffs, tenants] = ['internal', 'staff', 'tenant'].map(schemaOf) as [
    GraphQLSchema,
    GraphQLSchema,
    GraphQLSchema,
  ];
  const isIn = (contract: GraphQLSchema, kind: 'Query' | 'Mutation', name: string) => {
    const type = contract.getType(kind);
    return isObjectType(type) && name in type.getFields();
  };
  const fieldsOf = (kind: 'Query' | 'Mutation') => {
    const type = schema.getType(kind);
    return isObjectType(type) ? Object.values(type.getFields()) : [];
  };
  let bound: Record<'reader' | 'actor', string>;

  beforeAll(async () => {
    const make = async (scopes: string[]) => {
      const { data, errors } = await graph(
        world,
        'mutation Make($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }',
        { input: { family: 'GRAPH', accountId: 'beta', label: 'bound', scopes } },
        adminToken,
      );
      if (errors) throw new Error(JSON.stringify(errors));
      const { client, clientSecret } = data.createClient;
      return accessTokenOf(world, { clientId: client.clientId, clientSecret });
    };
    bound = { reader: await make(['graph:read']), actor: await make(['graph:read', 'graph:callbacks:write']) };
  });

  /** An argument that is passed although it may be left out: it points at alpha, or nothing happens without it. */
  const isSaid = (name: string) => name in ids || ['input', 'reason', 'groupBy', 'ids'].includes(name);

  /** A literal of the argument's type that points at alpha. */
  function literal(type: GraphQLNamedType, name: string): string {
    if (name in ids) return JSON.stringify(ids[name as keyof typeof ids]);
    if ('getValues' in type) return String(type.getValues()[0]?.name);
    if ('getFields' in type && !isCompositeType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isRequiredArgument(field as never) || isSaid(field.name),
      );
      return `{ ${fields.map((field) => `${field.name}: ${listed(String(field.type), literal(getNamedType(field.type) as GraphQLNamedType, field.name))}`).join(', ')} }`;
    }
    if (type.name === 'Int') return '1';
    if (type.name === 'Boolean') return 'true';
    if (type.name === 'JSONObject') return '{}';
    // A range is the day in which all of it happens.
    if (type.name === 'DateTimeISO') return JSON.stringify(new Date(Date.now() + (name === 'to' ? dayMs : -dayMs)));
    return JSON.stringify(sound()[name] ?? 'x');
  }
  /** What passes the checks of form, so that ownership is what refuses. */
  const sound = (): Record<string, string | undefined> => ({
    address: 'http://127.0.0.1:9',
    origins: 'https://shop.example',
    text: ids.merchantId,
    ids: ids.callbackId,
    date: '2020-01-01',
    amount: '1',
    currency: 'EUR',
    iban: 'DK5000400440116243',
    bic: 'NDEADKKK',
    kty: 'RSA',
    use: 'enc',
    e: 'AQAB',
    n: alpha.credentials.privateJwk.n,
  });
  const listed = (type: string, value: string) => (type.startsWith('[') ? `[${value}]` : value);

  function selection(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type)) return isCompositeType(type) ? '{ __typename }' : '';
    const parts = Object.values(type.getFields()).flatMap((field) => {
      if (field.args.some(isRequiredArgument)) return [];
      const inner = getNamedType(field.type);
      if (!isCompositeType(inner)) return [field.name];
      return depth > 0 ? [`${field.name} ${selection(inner, depth - 1)}`] : [];
    });
    return parts.length > 0 ? `{ ${parts.join(' ')} }` : '{ __typename }';
  }

  function call(kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): string {
    const args = field.args.filter((argument) => isRequiredArgument(argument) || isSaid(argument.name));
    const list = args.map((argument) => {
      // The event of an operation or an application is none of a token.
      const name = argument.name === 'eventId' && `${field.name}Id` in ids ? `${field.name}Id` : argument.name;
      return `${argument.name}: ${listed(String(argument.type), literal(getNamedType(argument.type), name))}`;
    });
    return `${kind} { ${field.name}${list.length > 0 ? `(${list.join(', ')})` : ''} ${selection(getNamedType(field.type), 2)} }`;
  }

  /** What stands in no contract of a tenant does not exist for it. */
  const strangersCodes = (kind: 'Query' | 'Mutation', name: string) =>
    isIn(tenants, kind, name) ? ['forbidden', 'notFound'] : ['GRAPHQL_VALIDATION_FAILED'];
  const codesOf = ({ errors = [] }: { errors?: { extensions: { code: string } }[] }) =>
    errors.map(({ extensions }) => extensions.code);

  const secretsOfAlpha = () =>
    Object.entries(ids)
      // Of too few letters to be found in an answer.
      .filter(([name]) => !['accountId', 'id'].includes(name))
      .map(([, id]) => id);

  test.each(fieldsOf('Query').map((field) => [field.name, field] as const))(
    'query %s shows another tenant nothing',
    async (name, field) => {
      for (const token of Object.values(bound)) {
        const answer = await graph(world, call('query', field), {}, token);
        expect(codesOf(answer).filter((code) => !strangersCodes('Query', name).includes(code))).toEqual([]);
        for (const id of secretsOfAlpha()) expect(JSON.stringify(answer.data ?? null)).not.toContain(id);
      }
    },
  );

  const naming = fieldsOf('Query').filter((field) => field.args.some(isRequiredArgument));
  test.each(naming.map((field) => [field.name, field] as const))(
    'query %s shows staff what it names, or is no query of people',
    async (name, field) => {
      const { data, errors } = await graph(world, call('query', field), {}, adminToken);
      // Pages, shops and partners ask the others, with credentials of their own kinds and through a surface of ours.
      const isOpen = isIn(staffs, 'Query', name);
      expect(errors?.[0]?.extensions?.code).toBe(isOpen ? undefined : 'GRAPHQL_VALIDATION_FAILED');
      expect(Object.keys(data?.[name] ?? {}).length > 0).toBe(isOpen);
    },
  );

  const mutations = fieldsOf('Mutation').filter((field) => !isTrial(field));
  test.each(mutations.map((field) => [field.name, field] as const))(
    'mutation %s does nothing for a reader, nor for another tenant',
    async (name, field) => {
      // Act on whatever the caller owns: nothing here, so they may answer that they did nothing, or will do nothing.
      const harmless = ['redeliverCallbacks', 'startJob'];
      const before = lastSeen ?? (await fingerprint());
      lastSeen = undefined;
      for (const [who, token] of Object.entries(bound)) {
        const answer = await graph(world, call('mutation', field), {}, token);
        const codes = codesOf(answer);
        // Nothing but whose it is may refuse it: what is wrong in form would be refused to its owner too.
        expect(codes.filter((code) => !strangersCodes('Mutation', name).includes(code))).toEqual([]);
        const mayDo = harmless.includes(name) && who === 'actor';
        expect({ who, name, isRefused: codes.length > 0 || mayDo }).toEqual({ who, name, isRefused: true });
        for (const id of secretsOfAlpha()) expect(JSON.stringify(answer.data ?? null)).not.toContain(id);
      }
      const asViewer = await graph(world, call('mutation', field), {}, viewer);
      const isKnown = isIn(staffs, 'Mutation', name);
      expect(asViewer.errors?.[0]?.extensions?.code).toBe(isKnown ? 'forbidden' : 'GRAPHQL_VALIDATION_FAILED');
      const after = await fingerprint();
      expect(after).toBe(before);
      lastSeen = after;
    },
  );

  test.each([
    ['nobody', async () => undefined, 401],
    ['a malformed token', async () => 'nonsense', 401],
    ['a tokenization client', async () => alpha.accessToken, 403],
  ])('%s is refused at the door', async (_, token, status) => {
    const bearer = await token();
    const answer = await send(world.urls.graph, {
      method: 'POST',
      path: '/graphql',
      options: { headers: bearer ? { authorization: `Bearer ${bearer}` } : {}, body: { query: '{ __typename }' } },
    });
    expect(answer.status).toBe(status);
  });
});

test.each([
  ['a query', 'query { tokenHolder { __typename } }'],
  ['a mutation', 'mutation { createClient { __typename } }'],
  ['a subscription', 'subscription { nothing { __typename } }'],
])('over a WebSocket %s of what is in none of its contracts is refused before it runs', async (_what, query) => {
  const client = await Client.open(world.urls.subscriptions, viewer);
  await client.subscribe('1', query);
  expect(client.of('1')).toMatchObject([
    { type: 'error', payload: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  ]);
  client.socket.terminate();
});
