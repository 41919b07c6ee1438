// What no request to /graphql may do, however it is written: cost more than it is long, or fail where the schema is asked for beside data.
import { bombs } from './bombs';
import { calls } from './fixture';
import type { FixtureServer } from './fixture-server';
import { code, type GraphClient, graphClient, startClientServer } from './graph-client';

let server: FixtureServer;
let post: GraphClient['post'];
let get: GraphClient['get'];

beforeAll(async () => {
  server = await startClientServer();
  ({ post, get } = graphClient(server.url));
});
afterAll(() => server.stop());

describe('documents', () => {
  it.each(bombs)('%s: refused by POST and GET, without a call to a subgraph', async (_name, query, words) => {
    calls.references = 0;
    const posted = await post(query);
    expect(posted.json.errors.map(({ message }: { message: string }) => message).join()).toMatch(words);
    expect([400, 413]).toContain(posted.status);
    expect(posted.json.data).toBeUndefined();
    const got = await get({ query });
    // What is longer than any address may be does not come so far.
    expect([posted.status, 431]).toContain(got.status);
    expect(calls.references).toBe(0);
    expect(server.graph.prepared({ query })).toBeUndefined();
  });
});

describe('variables', () => {
  const query = 'mutation($upc: ID!) { rename(upc: $upc, name: "x") { upc } }';
  it.each([
    ['nested deep', `${'['.repeat(3_000)}${']'.repeat(3_000)}`],
    ['nested deeper than a stack', `${'['.repeat(60_000)}${']'.repeat(60_000)}`],
    ['too many', JSON.stringify(Array.from({ length: 5_001 }, () => 1))],
  ])('that are %s are refused, for a document that is known too', async (_name, value) => {
    await post(query, { variables: { upc: '1' } });
    const body = `{"query":${JSON.stringify(query)},"variables":{"upc":${value}}}`;
    const answer = await post('', { body, headers: { 'idempotency-key': 'deep' } });
    expect(code(answer)).toBe('invalidInput');
    expect(answer.json.errors[0].message).toMatch(/^the variables are/);
  });
});

describe('a variable that may be null', () => {
  it.each([
    ['a list of ids', 'query($v: [ID!] = ["1"]) { several(upcs: $v) { upc } }'],
    ['an argument in a fragment', 'query($v: ID = "1") { ...P } fragment P on Query { product(upc: $v) { upc } }'],
    ['a member', 'mutation($v: ID = "1") { order(input: { upc: $v }) }'],
    ['a member that has a default', 'mutation($v: Int) { order(input: { upc: "1", count: $v }) }'],
    ['a condition', 'query($v: Boolean = true) { product(upc: "1") { name @include(if: $v) } }'],
  ])('is refused as null where there is no null, and may be left out: %s', async (_where, query) => {
    const refused = await post(query, { variables: { v: null } });
    expect(refused.json.errors).toMatchObject([{ extensions: { code: 'invalidInput', field: 'v' } }]);
    expect((await post(query)).json).not.toHaveProperty('errors');
  });

  it.each([
    ['on the field', 'several(upcs: $v) @include(if: $w) { upc }'],
    ['on a fragment around it', '... @include(if: $w) { several(upcs: $v) { upc } }'],
    ['on a spread', '...S @include(if: $w)'],
  ])('is refused as null only where the place counts: a condition %s', async (_where, place) => {
    const fragment = place.includes('...S') ? 'fragment S on Query { several(upcs: $v) { upc } }' : '';
    const query = `query($v: [ID!] = ["1"], $w: Boolean!) { product(upc: "1") { name } ${place} } ${fragment}`;
    const left = await post(query, { variables: { v: null, w: false } });
    expect(left.json).not.toHaveProperty('errors');
    const refused = await post(query, { variables: { v: null, w: true } });
    expect(refused.json.errors).toMatchObject([{ extensions: { code: 'invalidInput', field: 'v' } }]);
  });
});

describe('the schema beside data', () => {
  const query = `query($with: Boolean!, $data: Boolean!) {
    __schema @include(if: $with) { queryType { name } } ...Rest
    ... @include(if: $with) { type: __type(name: "Product") { name } }
    last: product(upc: "2") { upc }
  } fragment Rest on Query { product(upc: "1") @include(if: $data) { name __typename } __typename }`;
  it.each([
    [true, true, ['__schema', 'product', '__typename', 'type', 'last']],
    [true, false, ['__schema', '__typename', 'type', 'last']],
    [false, true, ['product', '__typename', 'last']],
    [false, false, ['__typename', 'last']],
  ])('with %s, data %s: %j', async (include, data, names) => {
    const answer = await post(query, { variables: { with: include, data } });
    expect(answer).toMatchObject({ status: 200, json: { data: { last: { upc: '2' } } } });
    expect(answer.json.errors).toBeUndefined();
    expect(Object.keys(answer.json.data)).toEqual(names);
  });

  it('is for those who may read it, whatever the condition', async () => {
    const answer = await post(query, { variables: { with: false, data: true }, token: 'viewer' });
    expect(answer.status).toBe(403);
  });

  it('has no data where the other part has none', async () => {
    const answer = await post('query($with: Boolean!) { __schema @include(if: $with) { queryType { name } } secret }', {
      variables: { with: true },
    });
    expect(answer.json.data).toBeNull();
  });
});
