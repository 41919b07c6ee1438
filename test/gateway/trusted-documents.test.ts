// Documents asked by their hash, who may ask others in production, and what becomes of their answers: entity tags, compression, cost, pages of other origins.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCharge } from '../../gateway/http/admission';
import { hashOfDocument, trustedDocuments } from '../../gateway/plan/trusted-documents';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { staff } from './fixture';
import { type FixtureServer, startFixtureServer } from './fixture-server';
import { code, graphClient } from './graph-client';

const known = {
  one: 'query One($upc: ID!) { product(upc: $upc) { name } }',
  rename: 'mutation Rename { rename(upc: "1", name: "desk") { name } }',
  // Longer than what a caller may send by itself.
  long: `query Long { product(upc: "1") { ${Array.from({ length: 30 }, (_, at) => `a${at}: name`).join(' ')} } }`,
  stale: 'query Stale { product(upc: "1") { gone } }',
  wide: `query Wide { products(first: 2) { ${Array.from({ length: 12 }, (_, at) => `${'long'.repeat(40)}${at}: name`).join(' ')} } }`,
};
const hash = Object.fromEntries(Object.entries(known).map(([name, text]) => [name, hashOfDocument(text)])) as Record<
  keyof typeof known,
  string
>;
const documents = Object.fromEntries(Object.values(known).map((text) => [hashOfDocument(text), { name: 'x', text }]));
const trusted = trustedDocuments([{ documents }]);

/** No client: of whom the right to ask what was not agreed on is asked. */
const person: Caller = { ...staff, kind: 'page', credentialId: 'person', scopes: ['graph:viewer'] };
const callers: Record<string, Caller> = {
  staff,
  person,
  free: { ...person, scopes: ['graph:viewer', 'graph:ad-hoc'] },
  administrator: { ...person, scopes: ['graph:administrator'] },
};
const debits: [string, number][] = [];

let sandbox: FixtureServer;
let production: FixtureServer;

beforeAll(async () => {
  const options = {
    trusted,
    admit: async () => {},
    authenticate: async (authorization = '') => callers[authorization.replace('Bearer ', '')] ?? staff,
    charge: createCharge({ debit: async (_name, key, _rule, calls) => void debits.push([key, calls]) }),
    origins: 'https://tools.example,https://other.example',
  };
  sandbox = await startFixtureServer(options);
  production = await startFixtureServer({ ...options, isSandbox: false });
});
afterAll(() => Promise.all([sandbox?.stop(), production?.stop()]));

const apollo = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const named: [string, object, object][] = [
  [
    'documentId',
    { documentId: `sha256:${hash.one}`, variables: { upc: '2' } },
    { data: { product: { name: 'couch' } } },
  ],
  [
    'extensions of Apollo',
    { extensions: apollo(hash.one), variables: { upc: '2' } },
    { data: { product: { name: 'couch' } } },
  ],
  [
    'text and its hash',
    { query: known.one, extensions: apollo(hash.one), variables: { upc: '2' } },
    { data: { product: { name: 'couch' } } },
  ],
  ['a mutation', { documentId: `sha256:${hash.rename}` }, { data: { rename: { name: 'desk' } } }],
  [
    'more aliases than a caller may send',
    { documentId: `sha256:${hash.long}` },
    { data: { product: { a29: 'table' } } },
  ],
  ['an unknown hash', { documentId: 'sha256:00' }, { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] }],
  ['an unknown hash of Apollo', { extensions: apollo('00') }, { errors: [{ message: 'PersistedQueryNotFound' }] }],
  [
    'both a text and an id',
    { query: known.one, documentId: `sha256:${hash.one}` },
    { errors: [{ extensions: { code: 'invalidInput', field: 'documentId' } }] },
  ],
  [
    'the hash of another text',
    { query: known.rename, extensions: apollo(hash.one) },
    { errors: [{ extensions: { code: 'invalidInput' } }] },
  ],
  [
    'an id that is none',
    { documentId: 1 },
    { errors: [{ extensions: { code: 'invalidInput', field: 'documentId' } }] },
  ],
  [
    'a document that the schema has left behind',
    { documentId: `sha256:${hash.stale}` },
    { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  ],
  [
    'a wrong variable',
    { documentId: `sha256:${hash.one}`, variables: { upc: {} } },
    { errors: [{ extensions: { code: 'invalidInput' } }] },
  ],
];

describe('by hash', () => {
  it.each(named)('%s', async (_name, body, expected) => {
    const { post } = graphClient(sandbox.url);
    // The second time it is prepared.
    for (const _time of [1, 2]) expect((await post('', { body: JSON.stringify(body) })).json).toMatchObject(expected);
  });

  it('a text with a hash that is not known is asked like any other, and does not become known', async () => {
    const { post } = graphClient(sandbox.url);
    const query = '{ product(upc: "1") { upc } }';
    const extensions = apollo(hashOfDocument(query));
    const asked = await post('', { body: JSON.stringify({ query, extensions }) });
    expect(asked.json).toEqual({ data: { product: { upc: '1' } } });
    expect(code(await post('', { body: JSON.stringify({ extensions }) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('lists whose hashes are not those of their texts are a defect', () => {
    expect(() => trustedDocuments([{ documents: { '00': { name: 'One', text: known.one } } }])).toThrow('One');
  });
});

describe('in production', () => {
  const adHoc = { query: '{ product(upc: "2") { name } }' };
  const rows: [string, object, number][] = [
    ['staff', adHoc, 200],
    ['person', adHoc, 403],
    ['person', { documentId: `sha256:${hash.long}` }, 200],
    ['person', { query: known.one, variables: { upc: '1' } }, 200],
    ['person', {}, 403],
    ['free', adHoc, 200],
    ['administrator', adHoc, 200],
  ];
  it.each(rows)('%s asks %j: %i', async (token, body, status) => {
    const { post } = graphClient(production.url);
    for (const _time of [1, 2]) expect((await post('', { body: JSON.stringify(body), token })).status).toBe(status);
  });

  it('in the sandbox everybody asks what he likes', async () => {
    expect((await graphClient(sandbox.url).post(adHoc.query, { token: 'person' })).status).toBe(200);
  });
});

describe('by GET', () => {
  const one = { documentId: `sha256:${hash.one}`, variables: '{"upc":"2"}' };

  it('is told apart by its tag, and not sent twice', async () => {
    const { get } = graphClient(sandbox.url);
    const first = await get(one);
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('Authorization'),
    });
    const again = await get(one, { 'if-none-match': first.headers['etag'] ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await get({ ...one, variables: '{"upc":"1"}' }, { 'if-none-match': first.headers['etag'] ?? '' });
    expect([other.status, other.text]).toEqual([200, '{"data":{"product":{"name":"table"}}}\n']);
  });

  it.each([
    ['a refusal', { ...one, variables: '{}' }],
    ['what was sent as text', { query: '{ product(upc: "2") { name } }' }],
  ])('%s has none', async (_name, parameters) => {
    const { headers } = await graphClient(sandbox.url).get(parameters);
    expect([headers['etag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  });

  it('takes the form of Apollo, and no mutation', async () => {
    const { get } = graphClient(sandbox.url);
    const found = await get({ extensions: JSON.stringify(apollo(hash.one)), variables: '{"upc":"2"}' });
    expect(JSON.parse(found.text)).toEqual({ data: { product: { name: 'couch' } } });
    const refused = await get({ documentId: `sha256:${hash.rename}` });
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('long answers', () => {
  const rows: [string, keyof typeof known, string | undefined][] = [
    ['br, gzip', 'wide', 'br'],
    ['gzip', 'wide', 'gzip'],
    ['br;q=0.1, gzip;q=1', 'wide', 'gzip'],
    ['gzip;q=0, identity', 'wide', undefined],
    ['*;q=0', 'wide', undefined],
    ['gzip, identity;q=0', 'one', 'gzip'],
    ['deflate', 'wide', undefined],
    ['br, gzip', 'one', undefined],
  ];
  it.each(rows)('%s of %s: %s', async (accepted, name, expected) => {
    const body = JSON.stringify({ documentId: `sha256:${hash[name]}`, variables: { upc: '1' } });
    const ask = (encoding: string) =>
      new Promise<{ bytes: Buffer; headers: Record<string, unknown> }>((resolve, reject) => {
        const headers = {
          authorization: 'Bearer staff',
          'content-type': 'application/json',
          'accept-encoding': encoding,
        };
        import('node:http').then(({ request }) =>
          request(sandbox.url, { method: 'POST', headers }, async (response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk as Buffer);
            resolve({ bytes: Buffer.concat(chunks), headers: response.headers });
          })
            .on('error', reject)
            .end(body),
        );
      });
    const plain = await ask('identity');
    const { bytes, headers } = await ask(accepted);
    expect(headers['content-encoding']).toBe(expected);
    const open = expected === 'br' ? brotliDecompressSync : expected === 'gzip' ? gunzipSync : (same: Buffer) => same;
    expect(open(bytes).toString()).toBe(plain.bytes.toString());
    if (!expected) return;
    if (name === 'wide') expect(bytes.length).toBeLessThan(plain.bytes.length);
    expect(headers['vary']).toBe('Accept, Origin, Accept-Encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
  });
});

describe('the cost', () => {
  it('is told to whoever asks, on either way through the server', async () => {
    const { post } = graphClient(sandbox.url);
    const query = 'query Cost { products(first: 7) { upc } }';
    for (const _time of [1, 2]) {
      const { json } = await post(query, { headers: { 'graph-cost': '1' } });
      expect(json.extensions).toEqual({ cost: { objects: 7, objectsMax: 10_000, calls: 1 } });
    }
    expect((await post(query)).json.extensions).toBeUndefined();
  });

  it.each([
    ['last: 3', {}, 3],
    ['last: null', {}, 20],
    ['first: 7, last: null', {}, 7],
    ['last: null, first: $first', { first: 7 }, 7],
    ['first: 7, last: $last', {}, 7],
    ['first: 7, last: $last', { last: null }, 7],
    ['first: $first, last: $last', { first: 7, last: null }, 7],
    ['first: $first, last: $last', { first: null, last: 3 }, 3],
    ['last: $last', { last: null }, 20],
  ])('of a page by %s with the variables %j is %i objects', async (page, variables, objects) => {
    const declared = ['first', 'last'].filter((name) => page.includes(`$${name}`)).map((name) => `$${name}: Int`);
    const query = `query Page${declared.length > 0 ? `(${declared.join(' ')})` : ''} { products(${page}) { upc } }`;
    const { json } = await graphClient(sandbox.url).post(query, { variables, headers: { 'graph-cost': '1' } });
    expect(json.extensions?.cost?.objects).toBe(objects);
  });

  it('takes more from the rate when much could come back, and nothing more for what was refused for its size', async () => {
    debits.length = 0;
    const { post } = graphClient(sandbox.url);
    for (const first of [10, 250, 251, 1_000, 10_001]) await post(`{ products(first: ${first}) { upc } }`);
    expect(debits).toEqual([
      ['staff', 1],
      ['staff', 3],
    ]);
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    fetch(sandbox.url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });

  it('may ask when they are on the list', async () => {
    const told = await preflight('https://tools.example');
    expect(told.status).toBe(204);
    expect(Object.fromEntries(told.headers)).toMatchObject({
      'access-control-allow-origin': 'https://tools.example',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': expect.stringMatching(/Authorization.*traceparent/),
    });
    expect(told.headers.get('access-control-allow-credentials')).toBeNull();
    const { headers } = await graphClient(sandbox.url).post('{ __typename }', {
      headers: { origin: 'https://other.example' },
    });
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://other.example',
      'access-control-expose-headers': expect.stringContaining('Content-Disposition'),
      vary: expect.stringContaining('Origin'),
    });
  });

  it('may not when they are not', async () => {
    const told = await preflight('https://evil.example');
    expect([told.status, told.headers.get('access-control-allow-origin')]).not.toContain('https://evil.example');
    expect(told.headers.get('access-control-allow-methods')).toBeNull();
  });
});
