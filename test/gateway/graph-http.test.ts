// /graphql over HTTP: who may ask what, how large, and that the short way answers byte for byte like Apollo Server.
import { buildSchema, printSchema } from 'graphql';
import { landingPage } from '../../gateway/http/landing-page';
import { calls } from './fixture';
import type { FixtureServer } from './fixture-server';
import { code, type GraphClient, graphClient, type PostOptions, startClientServer } from './graph-client';

let server: FixtureServer;

let post: GraphClient['post'];
let get: GraphClient['get'];

beforeAll(async () => {
  server = await startClientServer();
  ({ post, get } = graphClient(server.url));
  await post('{ __typename }');
});
afterAll(() => server.stop());

describe('the short way', () => {
  const requestId = '22222222-2222-4222-8222-222222222222';
  const rows: [string, string, PostOptions?][] = [
    ['data', '{ product(upc: "1") { name reviews { rating } } }'],
    ['partial data with an error', '{ product(upc: "1") { name } denied { name } }'],
    ['null for the whole', '{ secret }'],
    ['a defect', '{ broken }'],
    ['a dependency that is away', '{ product(upc: "3") { reviews { id } } }'],
    ['a wrong variable', 'query($upc: ID!) { product(upc: $upc) { name } }', { variables: { upc: {} } }],
    [
      'variables and a name',
      'query A($upc: ID!) { product(upc: $upc) { name } } query B { products { upc } }',
      { variables: { upc: '1' }, operationName: 'A' },
    ],
    ['a mutation by someone who may only read', 'mutation { count }', { token: 'viewer' }],
    ['introspection by someone who may not', '{ __schema { queryType { name } } }', { token: 'viewer' }],
    ['introspection', '{ __schema { queryType { name fields { name } } } }'],
    ['a subscription over HTTP', 'subscription { productEvents(upc: "1") { name } }'],
    ['an operation that takes too long', '{ slow(ms: 900) }'],
    [
      'too many objects by variable',
      'query($n: Int) { products(first: $n) { bundle { bundle { bundle { bundle { upc } } } } } }',
      { variables: { n: 100 } },
    ],
  ];
  it.each(rows)('answers %s as Apollo Server does', async (_name, query, options = {}) => {
    const document = { query, operationName: options.operationName };
    expect(server.graph.prepared(document)).toBeUndefined();
    const first = await post(query, { ...options, headers: { 'x-request-id': requestId } });
    expect(server.graph.prepared(document)).toBeDefined();
    const second = await post(query, { ...options, headers: { 'x-request-id': requestId } });
    expect(second).toEqual(first);
    expect(second.headers['x-request-id']).toBe(requestId);
  });

  it('gives each kind of failure its status and code', async () => {
    const missingPart = await post('{ product(upc: "3") { name reviews { id } } }');
    expect(missingPart).toMatchObject({ status: 200, json: { data: { product: { name: 'book', reviews: null } } } });
    expect(code(missingPart)).toBe('unavailable');
    expect(missingPart.headers['retry-after']).toBeUndefined();
    const nothingLeft = await post('{ products(first: 3) { score } }');
    expect(nothingLeft).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, json: { data: null } });
    expect(code(await post('{ broken }'))).toBe('internal');
    expect((await post('{ broken }')).text).not.toContain('hunter2');
    expect(await post('mutation { count }', { token: 'viewer' })).toMatchObject({ status: 403 });
    expect(await post('{ slow(ms: 900) }')).toMatchObject({ status: 503 });
    expect(await post('mutation { count }')).toMatchObject({ status: 200, json: { data: { count: 1 } } });
  });

  it('never repeats the value of a variable', async () => {
    const answer = await post('query($upc: ID!) { product(upc: $upc) { name } }', {
      variables: { upc: { pan: '4242424242424242' } },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('42424242');
    expect(code(answer)).toBe('invalidInput');
  });
});

describe('who may ask', () => {
  const rows: [string, PostOptions, number, string][] = [
    ['nobody', { token: null }, 401, 'unauthenticated'],
    ['an unknown token', { token: 'nonsense' }, 401, 'unauthenticated'],
    ['a client of another family', { token: 'psp' }, 403, 'forbidden'],
    ['anyone while the store of tokens is away', { token: 'away' }, 503, 'unavailable'],
  ];
  it.each(rows)('%s', async (_name, options, status, expected) => {
    for (const query of ['{ product(upc: "1") { name } }', `{ product(upc: "1") { name fresh${Date.now()}: upc } }`]) {
      const answer = await post(query, options);
      expect(answer.status).toBe(status);
      expect(code(answer)).toBe(expected);
      expect(answer.json.data).toBeUndefined();
    }
  });

  it('challenges as RFC 6750 says', async () => {
    expect((await post('{ __typename }', { token: null })).headers['www-authenticate']).toContain('Bearer');
    expect((await post('{ __typename }', { token: 'psp' })).headers['www-authenticate']).toContain(
      'insufficient_scope',
    );
    expect((await post('{ __typename }', { token: 'away' })).headers['retry-after']).toBe('3');
  });
});

describe('the schema as text', () => {
  const rows: [string, string | null, number, string | undefined][] = [
    ['staff', 'staff', 200, undefined],
    ['a viewer, who may not introspect', 'viewer', 200, undefined],
    ['nobody', null, 401, 'unauthenticated'],
    ['an unknown token', 'nonsense', 401, 'unauthenticated'],
    ['a client of another family', 'psp', 403, 'forbidden'],
    ['anyone while the store of tokens is away', 'away', 503, 'unavailable'],
  ];
  it.each(rows)('%s', async (_name, token, status, refusal) => {
    const answer = await readSchema(token);
    expect([answer.status, answer.code]).toEqual([status, refusal]);
    expect(answer.text.includes('type Product')).toBe(status === 200);
  });

  it('is the schema that documents are checked against, and stays with who asked', async () => {
    const { text, headers } = await readSchema('viewer');
    expect(printSchema(buildSchema(text))).toBe(printSchema(server.graph.apiSchema));
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is not sent again to whoever has it, and to nobody without a credential', async () => {
    const etag = (await readSchema('viewer')).headers.get('etag') ?? '';
    expect(await readSchema('viewer', etag)).toMatchObject({ status: 304, text: '' });
    expect(await readSchema('viewer', '"another"')).toMatchObject({ status: 200 });
    expect(await readSchema(null, etag)).toMatchObject({ status: 401 });
  });

  async function readSchema(token: string | null, etag?: string) {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    if (etag !== undefined) headers['if-none-match'] = etag;
    const response = await fetch(`${server.url}/schema.graphql`, { headers });
    const text = await response.text();
    const json = text.startsWith('{') ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, code: code({ json }) };
  }
});

describe('limits', () => {
  const nested = (levels: number) => `{ product(upc: "1") { ${'twin { '.repeat(levels)} upc ${'} '.repeat(levels)} } }`;
  const rows: [string, string][] = [
    ['depth', nested(14)],
    [
      'depth through fragments',
      `query { product(upc: "1") { ...A } } ${['A', 'B', 'C'].map((name, index, all) => `fragment ${name} on Product { ${'twin { '.repeat(5)} upc ${all[index + 1] ? `...${all[index + 1]}` : ''} ${'} '.repeat(5)} }`).join(' ')}`,
    ],
    ['aliases', `{ ${Array.from({ length: 16 }, (_, index) => `a${index}: product(upc: "1") { upc }`).join(' ')} }`],
    [
      'aliases through fragments',
      `query { product(upc: "1") { ...A twin { ...A } } } fragment A on Product { ${Array.from({ length: 8 }, (_, index) => `a${index}: upc`).join(' ')} }`,
    ],
    ['tokens', `{ ${'product(upc: "1") { upc } '.repeat(200)} }`],
    ['objects', '{ products(first: 100) { bundle { bundle { bundle { bundle { upc } } } } } }'],
    [
      'objects beside a last that is null',
      '{ products(first: 100, last: null) { bundle { bundle { bundle { bundle { upc } } } } } }',
    ],
    ['fragment cycle', 'query { product(upc: "1") { ...A } } fragment A on Product { twin { ...A } }'],
    ['names of the language', '{ __proto__: product(upc: "1") { upc } }'],
    ['unknown field', '{ product(upc: "1") { nam } }'],
    ['syntax', '{ product(upc: "1" { name } }'],
  ];
  it.each(rows)('%s: refused without a call to a subgraph', async (_name, query) => {
    calls.references = 0;
    const answer = await post(query);
    expect(answer.status).toBe(400);
    expect(answer.json.data).toBeUndefined();
    expect(answer.text).not.toMatch(/Did you mean/);
    expect(calls.references).toBe(0);
  });

  it('serves what lies just inside', async () => {
    expect((await post(nested(13))).status).toBe(200);
    expect(
      (await post(`{ ${Array.from({ length: 15 }, (_, index) => `a${index}: product(upc: "1") { upc }`).join(' ')} }`))
        .status,
    ).toBe(200);
  });

  it('exempts introspection from the depth limit', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const answer = await post(getIntrospectionQuery({ inputValueDeprecation: true }));
    expect(answer).toMatchObject({ status: 200, json: { data: { __schema: { queryType: { name: 'Query' } } } } });
  });

  it('refuses a body over 256 KiB', async () => {
    expect(
      await post('', { body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(256 * 1024)}` }) }),
    ).toMatchObject({ status: 413 });
  });
});

describe('the protocol', () => {
  it.each([
    ['text/plain', '{"query":"{ __typename }"}'],
    ['application/x-www-form-urlencoded', 'query={__typename}'],
  ])('refuses %s, which a foreign page could send', async (contentType, body) => {
    const answer = await post('', { body, headers: { 'content-type': contentType } });
    expect(answer.status).toBe(400);
    expect(answer.json.data).toBeUndefined();
  });

  it.each([
    ['a batch', '[{"query":"{ __typename }"},{"query":"{ __typename }"}]'],
    ['broken JSON', '{"query":'],
    ['no query', '{}'],
    ['a query of another type', '{"query":1}'],
    ['variables of another type', '{"query":"{ __typename }","variables":[1]}'],
  ])('refuses %s', async (_name, body) => {
    const answer = await post('', { body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  it.each([
    ['an operation that is not there', 'query A { __typename }', { operationName: 'B' }],
    ['several operations and no name', 'query A { __typename } query B { __typename }', {}],
    ['a document without an operation', 'fragment F on Product { upc }', {}],
  ])('refuses %s', async (_name, query, options) => {
    const answer = await post(query, options);
    expect(answer.status).toBe(400);
    expect(code(answer)).not.toBe('internal');
  });

  it('knows no other documents by hash than the trusted ones', async () => {
    const answer = await post('', { body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}' });
    expect(code(answer)).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('refuses a mutation by GET, however well it is known', async () => {
    for (const query of ['mutation { count }', 'mutation Fresh { count }']) {
      const answer = await get({ query });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });

  it('refuses an Idempotency-Key that is not printable, on mutations', async () => {
    const answer = await post('mutation { count }', { headers: { 'idempotency-key': 'x'.repeat(256) } });
    expect(answer).toMatchObject({
      status: 400,
      json: { errors: [{ extensions: { code: 'invalidInput', field: 'Idempotency-Key' } }] },
    });
  });

  it('reads the Idempotency-Key whatever a client says about itself', async () => {
    const body = JSON.stringify({ query: 'mutation { count }', extensions: { clientLibrary: { name: 'a client' } } });
    expect((await post('', { body })).status).toBe(200);
    expect((await post('', { body, headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400);
  });

  it('makes a request id when none came, and keeps a good one', async () => {
    expect((await post('{ __typename }')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      (await post('{ __typename }', { headers: { 'x-request-id': 'not an id' } })).headers['x-request-id'],
    ).not.toBe('not an id');
  });

  it('shows a page that names what is served, and needs nothing from elsewhere', async () => {
    const response = await fetch(server.url.replace('/graphql', '/'));
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toMatch(/<html lang="en">[\s\S]*<meta name="viewport"[\s\S]*<style>[\s\S]*graphql-transport-ws/);
    // The editor is named where it is served: this server has none.
    expect(page).not.toContain('href="/graphql"');
    expect(landingPage(true)).toContain('href="/graphql"');
    expect(page).not.toMatch(/<script|https?:\/\/(?!THIS-HOST)/);
  });

  it('tells whether it lives and whether it is ready', async () => {
    const base = server.url.replace('/graphql', '');
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(await (await fetch(base)).text()).toContain('/graphql');
    const nothing = await fetch(`${base}/nothing`);
    expect(nothing.status).toBe(404);
    expect(nothing.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
