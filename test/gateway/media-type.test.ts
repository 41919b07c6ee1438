// Content negotiation of /graphql: one and the same whether a document is new or known, served or refused, sent by POST or GET.
import type { FixtureServer } from './fixture-server';
import { type GraphClient, graphClient, startClientServer } from './graph-client';

let server: FixtureServer;
let post: GraphClient['post'];
let get: GraphClient['get'];

beforeAll(async () => {
  server = await startClientServer();
  ({ post, get } = graphClient(server.url));
  await post('{ __typename }');
});
afterAll(() => server.stop());

describe('the form of an answer', () => {
  const json = 'application/json; charset=utf-8';
  const own = 'application/graphql-response+json; charset=utf-8';
  const client = 'application/graphql-response+json,application/json;q=0.9';
  const accepts: [string, string, string | null][] = [
    ['application/json', 'application/json', json],
    ['its own type', 'application/graphql-response+json', own],
    ["Apollo Client's wish", client, own],
    ['the reverse', 'application/graphql-response+json;q=0.5, application/json', json],
    ['anything', '*/*', json],
    ['anything of the kind', 'application/*', json],
    ['an encoding with it', 'application/graphql-response+json; charset=utf-8', own],
    ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', json],
    ['everything but JSON', '*/*, application/json;q=0', own],
    ['another form only', 'text/csv', null],
    ['an encoding that is not ours', 'application/json; charset=utf-16', null],
    ['nothing at all', 'application/json;q=0, application/graphql-response+json;q=0', null],
  ];
  const ways: [
    string,
    (accept: string, nonce: number) => Promise<{ status: number; headers: Record<string, string> }>,
  ][] = [
    ['a new document', (accept, nonce) => post(`{ a${nonce}: __typename }`, { headers: { accept } })],
    ['a known document', (accept) => post('{ __typename }', { headers: { accept } })],
    ['a new document by GET', (accept, nonce) => get({ query: `{ b${nonce}: __typename }` }, { accept })],
    ['a known document by GET', (accept) => get({ query: '{ __typename }' }, { accept })],
    ['a document that is none', (accept) => post('{', { headers: { accept } })],
    ['a body that is none', (accept) => post('', { body: '{', headers: { accept } })],
    ['no query', (accept) => post('', { body: '{}', headers: { accept } })],
    ['a caller without the right', (accept) => post('{ __typename }', { token: 'psp', headers: { accept } })],
    ['a mutation by GET', (accept) => get({ query: 'mutation { count }' }, { accept })],
  ];
  let nonce = 0;
  it.each(accepts)('is the same on every way, for %s', async (_name, accept, expected) => {
    for (const [way, ask] of ways) {
      const { status, headers } = await ask(accept, ++nonce);
      const isRefusedFirst = way === 'a caller without the right';
      expect([way, headers['content-type']]).toEqual([way, expected ?? json]);
      if (expected === null && !isRefusedFirst) expect([way, status]).toEqual([way, 406]);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['vary']).toBe('Accept, Origin');
    }
  });

  it('is told that none fits, under the id of the request', async () => {
    const requestId = '33333333-3333-4333-8333-333333333333';
    const answer = await post('{ __typename }', { headers: { accept: 'text/csv', 'x-request-id': requestId } });
    expect(answer.headers['x-request-id']).toBe(requestId);
    expect(answer.json).toMatchObject({ errors: [{ extensions: { code: 'invalidInput', field: 'Accept' } }] });
  });

  it.each([
    ['a document that is none', '{', {}],
    ['an unknown field', '{ nothing }', {}],
    ['a wrong variable', 'query($upc: ID!) { product(upc: $upc) { name } }', { variables: { upc: null } }],
    ['too large an operation', '{ products(first: 100) { bundle { bundle { bundle { bundle { upc } } } } } }', {}],
  ])('gives %s 400, and 200 to clients that ask for application/json by name', async (_name, query, options) => {
    for (const [accept, status] of [
      [client, 400],
      ['*/*', 400],
      ['application/json', 200],
    ] as const) {
      const answer = await post(query, { ...options, headers: { accept } });
      expect([accept, answer.status]).toEqual([accept, status]);
      expect(answer.json.errors).toHaveLength(1);
      expect(answer.json.data).toBeUndefined();
    }
  });

  it('keeps the status of what was refused before any document was looked at', async () => {
    const headers = { accept: 'application/json' };
    expect((await post('{ __typename }', { token: null, headers })).status).toBe(401);
    expect((await post('{ __typename }', { token: 'psp', headers })).status).toBe(403);
    expect((await post('mutation { count }', { token: 'viewer', headers })).status).toBe(403);
    expect((await post('', { body: '{', headers })).status).toBe(400);
    expect((await post('', { body: '{"query":1}', headers })).status).toBe(400);
    expect((await post('{ slow(ms: 900) }', { headers })).status).toBe(503);
  });

  it('serves a known document by GET without variables, with them, and by name', async () => {
    const query = 'query A($upc: ID!) { product(upc: $upc) { name } } query B { product(upc: "2") { name } }';
    for (const _known of [false, true]) {
      const a = await get({ query, operationName: 'A', variables: '{"upc":"1"}' });
      expect([a.status, a.text]).toEqual([200, '{"data":{"product":{"name":"table"}}}\n']);
      expect((await get({ query, operationName: 'B' })).text).toBe('{"data":{"product":{"name":"couch"}}}\n');
      expect((await get({ query, operationName: 'A', variables: '[1]' })).status).toBe(400);
      expect((await get({ query, operationName: 'A', variables: '{' })).status).toBe(400);
    }
  });
});
