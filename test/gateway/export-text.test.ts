// Lists as files: which list of a document it is, its columns, how a row is written, and what happens when a page cannot be had.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSchema, GraphQLError } from 'graphql';
import { exportedList } from '../../gateway/export/exported-list';
import { createExports, type ExportCall, type ExportDeps, PageRefused } from '../../gateway/export/exports';
import { headText, rowText } from '../../gateway/export/row-text';
import { readContract } from '../../gateway/plan/contract';
import { startRecord } from '../../gateway/plan/operation-record';
import type { AuditedExport } from '../../subgraphs/shared/callers/audit';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { createLog } from '../../subgraphs/shared/log/log';

const schema = buildSchema(`
  type Query { things(first: Int, after: String): ThingConnection! shop(id: ID!): Shop plain: [Thing!]! }
  type Shop { name: String! things(first: Int, after: String): ThingConnection! }
  type ThingConnection { edges: [ThingEdge!]! pageInfo: PageInfo! totalCount: Int! }
  type ThingEdge { cursor: String! node: Thing! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  interface Thing { id: ID! price: Price tags: [Tag!]! }
  type Book implements Thing { id: ID! price: Price tags: [Tag!]! pages: Int }
  type Pen implements Thing { id: ID! price: Price tags: [Tag!]! colour: String }
  type Price { minor: String! currency: String! }
  type Tag { name: String! }`);
const client = (accountId: string | null, ...scopes: Caller['scopes']): Caller => ({
  kind: 'client',
  environment: 'sandbox',
  credentialId: `client-${accountId}`,
  accountId,
  scopes,
  identifiers: [],
});
const root = join(__dirname, '../..');
const info = 'pageInfo { hasNextPage endCursor }';

const unfit: [string, string, RegExp][] = [
  ['a mutation', 'mutation { a }', /only a query/],
  ['no list', '{ plain { id } }', /no list/],
  ['a list whose after is fixed', `{ things(after: "x") { edges { node { id } } ${info} } }`, /no list/],
  ['no edges', `query A($after: String) { things(after: $after) { totalCount ${info} } }`, /no list/],
  [
    'no end of the page',
    'query A($after: String) { things(after: $after) { edges { node { id } } pageInfo { hasNextPage } } }',
    /pageInfo/,
  ],
  [
    'edges under another name',
    `query A($after: String) { things(after: $after) { e: edges { node { id } } ${info} } }`,
    /edges under its own name/,
  ],
  [
    'nodes under another name',
    `query A($after: String) { things(after: $after) { edges { n: node { id } } ${info} } }`,
    /node under its own name/,
  ],
  [
    'nodes under another name beside their own',
    `query A($after: String) { things(after: $after) { edges { node { id } n: node { price { minor } } } ${info} } }`,
    /node under its own name/,
  ],
  [
    'two lists',
    `query A($after: String) { a: things(after: $after) { edges { node { id } } ${info} } b: things(after: $after) { edges { node { id } } ${info} } }`,
    /more than one/,
  ],
];

describe('the list of a document', () => {
  it.each<[string, string, object]>([
    [
      'at the root',
      `query A($after: String) { things(after: $after) { edges { node { id price { minor currency } } } ${info} } }`,
      {
        path: ['things'],
        afterVariable: 'after',
        firstVariable: null,
        columns: [['id'], ['price', 'minor'], ['price', 'currency']],
      },
    ],
    [
      'further in, under other names, its lists in one column',
      `query A($n: Int, $c: String) { s: shop(id: "1") { t: things(first: $n, after: $c) { ...page } } }
       fragment page on ThingConnection { edges { node { key: id tags { name } __typename } } ${info} }`,
      { path: ['s', 't'], afterVariable: 'c', firstVariable: 'n', columns: [['key'], ['tags'], ['__typename']] },
    ],
    [
      'of several types, each field once',
      `query A($after: String) { things(after: $after) { edges { node { id ... on Book { id pages } ... on Pen { colour } } } ${info} } }`,
      { path: ['things'], columns: [['id'], ['pages'], ['colour']] },
    ],
    [
      'whose edges, nodes and ends are asked for in several places',
      `query A($after: String) { things(after: $after) { edges { node { id } node { tags { name } } } ...page pageInfo { endCursor } } }
       fragment page on ThingConnection { edges { cursor } edges { node { id price { minor } } } pageInfo { hasNextPage } }`,
      { path: ['things'], columns: [['id'], ['tags'], ['price', 'minor']] },
    ],
  ])('%s', (_name, text, expected) => {
    expect(exportedList(schema, text)).toMatchObject(expected);
  });

  it.each(unfit)('%s is refused', (_name, text, message) => {
    expect(() => exportedList(schema, text)).toThrow(message);
  });

  it('has a path and columns for lists of the real graph', () => {
    const { apiSdl } = readContract(join(root, 'schema'));
    const text = `query P($after: String) { payments(after: $after) { edges { node { paymentId money { amount { minor } } } } ${info} } }`;
    expect(exportedList(buildSchema(apiSdl), text)).toMatchObject({ path: ['payments'] });
  });
});

describe('a row', () => {
  const columns = [['id'], ['price', 'minor'], ['tags']];
  it.each<[string, unknown, string]>([
    ['plain', { id: 'a', price: { minor: '5' }, tags: [] }, 'a,5,[]\r\n'],
    ['without a value', { id: null, price: null, tags: [{ name: 'x' }] }, ',,"[{""name"":""x""}]"\r\n'],
    ['with what CSV quotes', { id: 'a "b", c\nd', price: { minor: -12 }, tags: 1.5 }, '"a ""b"", c\nd",-12,1.5\r\n'],
    ['that would be a formula', { id: '=1+1', price: { minor: '-12' }, tags: '@x' }, "'=1+1,-12,'@x\r\n"],
  ])('%s', (_name, node, expected) => {
    expect(rowText('csv', columns, node)).toBe(expected);
  });
  it('has a head in CSV only', () => {
    expect([headText('csv', columns), headText('jsonl', columns)]).toEqual(['id,price.minor,tags\r\n', '']);
    expect(rowText('jsonl', columns, { id: 'a' })).toBe('{"id":"a"}\n');
  });
});

describe('an export', () => {
  const query = `query A($first: Int, $after: String) { things(first: $first, after: $after) { edges { node { id } } ${info} } }`;
  const staff = client(null, 'graph:support');
  let server: Server;
  let pages: (after: unknown) => object | Promise<object> = () => ({});
  let recorded: AuditedExport[] = [];
  let recording: Promise<void> = Promise.resolve();
  let ended: unknown[] = [];
  let stillMay: ExportCall['stillMay'] = async () => caller;
  let caller = staff;

  beforeAll(async () => {
    const prepared = {
      kind: 'query',
      label: 'A',
      introspects: false,
      faultsIn: () => [],
      used: () => ({ all: [], deprecated: [] }),
      execute: (variables: { after: unknown }) => pages(variables.after),
    };
    const deps = {
      graph: {
        apiSchema: schema,
        prepared: () => ({ ...prepared, execute: async (given: { after: unknown }) => prepared.execute(given) }),
        trusts: () => false,
      },
      options: { isSandbox: true, timeoutMs: 5_000, log: createLog('silent', 'test') },
      recordExport: async (_context: unknown, exported: AuditedExport) => {
        await recording;
        recorded.push(exported);
      },
    } as unknown as ExportDeps;
    const exports = createExports(deps);
    server = createServer((request, response) => {
      const asked = { query, operationName: undefined, variables: {}, isNamed: false };
      exports(request, response, { record: startRecord('r'), caller, asked, stillMay }).catch((error) => {
        ended.push(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(400).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    [recorded, ended, recording, stillMay, caller] = [[], [], Promise.resolve(), async () => caller, staff];
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const url = (more = '') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/export${more}`;
  const page = (ids: string[], endCursor: string | null) => ({
    data: {
      things: { edges: ids.map((id) => ({ node: { id } })), pageInfo: { hasNextPage: endCursor !== null, endCursor } },
    },
  });

  it('goes on until the last page, zipped for whoever reads that', async () => {
    pages = (after) => (after === null ? page(['1', '2'], 'x') : page(['3'], null));
    const plain = await fetch(url(), { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-type'), await plain.text()]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'id\r\n1\r\n2\r\n3\r\n',
    ]);
    const zipped = await fetch(url('?format=jsonl'), { headers: { 'accept-encoding': 'gzip' } });
    expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual([
      'gzip',
      '{"id":"1"}\n{"id":"2"}\n{"id":"3"}\n',
    ]);
    expect(recorded).toEqual([
      { list: 'things', format: 'csv', filter: {} },
      { list: 'things', format: 'jsonl', filter: {} },
    ]);
  });

  it('that cannot go on never looks whole', async () => {
    pages = (after) => (after === null ? page(['1'], 'x') : { errors: [new GraphQLError('away')] });
    const answer = await fetch(url(), { headers: { 'accept-encoding': 'identity' } });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(ended[0]).toBeInstanceOf(PageRefused);
  });

  it('ends with the credential', async () => {
    pages = (after) => page([String(after)], 'more');
    let looks = 0;
    stillMay = async () => {
      looks += 1;
      if (looks === 3) throw new Error('revoked');
      return caller;
    };
    await expect(fetch(url()).then((answer) => answer.text())).rejects.toThrow();
    expect(looks).toBe(3);
  });

  it.each([
    ['the right to export', client(null, 'graph:viewer')],
    ['one of the other rights', { ...staff, scopes: [...staff.scopes, 'graph:viewer'] } satisfies Caller],
    ['what it may see', { ...staff, accountId: 'alpha' }],
    ['its merchant', { ...staff, merchantId: 'm' }],
  ])('ends when %s is another meanwhile, and asks for no more', async (_what, now) => {
    const asked: unknown[] = [];
    pages = (after) => {
      asked.push(after);
      return page(['1'], asked.length < 3 ? 'more' : null);
    };
    stillMay = async () => now;
    await expect(fetch(url()).then((answer) => answer.text())).rejects.toThrow();
    expect([asked, ended]).toMatchObject([[null], [{ code: 'forbidden' }]]);
  });

  it('sends nothing when it cannot be recorded', async () => {
    pages = () => page(['1'], null);
    recording = Promise.reject(new Error('the audit is away'));
    expect((await fetch(url())).status).toBe(400);
  });

  it.each([
    ['a format that nobody knows', '?format=xml', staff, 'invalidInput'],
    ['who may only look', '', client(null, 'graph:viewer'), 'forbidden'],
    ['a client of an account', '', client('alpha', 'graph:admin'), 'forbidden'],
  ])('%s is refused', async (_name, more, who, code) => {
    caller = who;
    expect((await fetch(url(more))).status).toBe(400);
    expect([ended[0], recorded]).toMatchObject([{ code }, []]);
  });

  it('is one of two at a time for each caller, and gives its place back', async () => {
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    pages = async () => {
      await held;
      return page(['1'], null);
    };
    const two = [fetch(url()), fetch(url())];
    const third = await fetch(url());
    expect([third.status, ended[0]]).toMatchObject([400, { code: 'rateLimited' }]);
    go();
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all((await Promise.all(two)).map((answer) => answer.text()));
    expect((await fetch(url())).status).toBe(200);
  });
});
