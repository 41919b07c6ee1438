// Who uses what of the graph: fields per document, counted by client, and never more series than there is room for, whatever callers send.
import { buildSchema, getOperationAST, parse } from 'graphql';
import { createUsage, type UsageCaller } from '../../gateway/plan/usage';
import { usedFields } from '../../gateway/plan/used-fields';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { staff } from './fixture';
import { startFixtureServer } from './fixture-server';
import { graphClient } from './graph-client';

const schema = buildSchema(`
  type Query { shop(id: ID): Shop found: [Found] }
  type Mutation { close: Shop }
  interface Named { name: String }
  type Shop implements Named { name: String old: String @deprecated(reason: "new") next: Shop }
  type Stall implements Named { name: String rent: Int @deprecated }
  union Found = Shop | Stall
`);

describe('fields of a document', () => {
  it.each<[string, string, string | undefined, string[], string[]]>([
    ['plain', '{ shop { name } }', undefined, ['Query.shop', 'Shop.name'], []],
    ['each once', '{ a: shop { name } b: shop { name } }', undefined, ['Query.shop', 'Shop.name'], []],
    ['no schema fields', '{ __typename shop { __typename } }', undefined, ['Query.shop'], []],
    ['deprecated ones', '{ shop { old } }', undefined, ['Query.shop', 'Shop.old'], ['Shop.old']],
    [
      'behind fragments, once though they are spread twice',
      'query { shop { ...A next { ...A } } } fragment A on Shop { name ...B } fragment B on Shop { old }',
      undefined,
      ['Query.shop', 'Shop.next', 'Shop.name', 'Shop.old'],
      ['Shop.old'],
    ],
    [
      'by the type that is asked',
      '{ found { ... on Named { name } ... on Stall { rent } } }',
      undefined,
      ['Query.found', 'Named.name', 'Stall.rent'],
      ['Stall.rent'],
    ],
    [
      'of the operation that runs',
      'query A { shop { old } } mutation B { close { name } }',
      'B',
      ['Mutation.close', 'Shop.name'],
      [],
    ],
  ])('%s', (_name, text, operationName, all, deprecated) => {
    const document = parse(text);
    const operation = getOperationAST(document, operationName);
    if (!operation) throw new Error('no such operation');
    expect(usedFields(schema, document, operation)).toEqual({ all, deprecated });
  });
});

const client = (credentialId: string): UsageCaller => ({ kind: 'client', credentialId, accountId: null, scopes: [] });
const used = { all: ['Query.shop', 'Shop.old'], deprecated: ['Shop.old'] };

async function seriesOf(counter: { get(): Promise<{ values: { labels: object; value: number }[] }> }) {
  return (await counter.get()).values.map(({ labels, value }) => ({ ...labels, value }));
}

describe('the metrics', () => {
  it('tell operations by client, fields, and what is to go by client', async () => {
    const metrics = createMetrics();
    const usage = createUsage(metrics);
    const person = { ...client('person:1'), kind: 'person' } as const;
    usage.note(client('shop-1'), 'Shelf', used);
    usage.note(client('shop-1'), 'Shelf', used);
    usage.note({ ...person, scopes: ['graph:viewer', 'graph:operator'] }, 'Shelf', {
      all: ['Query.shop'],
      deprecated: [],
    });
    usage.note({ ...person, accountId: 'alpha', scopes: ['graph:read'] }, 'Other', used);
    expect(await seriesOf(metrics.graphClients)).toEqual([
      { client: 'shop-1', operation: 'Shelf', value: 2 },
      { client: 'person:tenant', operation: 'Other', value: 1 },
      { client: 'person:operator', operation: 'Shelf', value: 1 },
    ]);
    expect(await seriesOf(metrics.graphFields)).toEqual([
      { field: 'Query.shop', value: 4 },
      { field: 'Shop.old', value: 3 },
    ]);
    expect(await seriesOf(metrics.graphDeprecatedFields)).toEqual([
      { field: 'Shop.old', client: 'shop-1', value: 2 },
      { field: 'Shop.old', client: 'person:tenant', value: 1 },
    ]);
    // Read again, nothing is counted twice.
    expect((await metrics.graphFields.get()).values.map(({ value }) => value)).toEqual([4, 3]);
  });

  it('have room for so many clients and pairs, and count the others together', async () => {
    const metrics = createMetrics();
    const usage = createUsage(metrics);
    for (let one = 0; one < 300; one += 1)
      for (let name = 0; name < 20; name += 1) usage.note(client(`c${one}`), `O${name}`, { ...used });
    const { values } = await metrics.graphClients.get();
    const labels = values.map((series) => series.labels as { client: string; operation: string });
    expect(new Set(labels.map((each) => each.client)).size).toBe(101);
    expect(values.length).toBeLessThanOrEqual(1_101);
    expect(values.reduce((sum, { value }) => sum + value, 0)).toBe(6_000);
    expect(values.find((series) => series.labels['client'] === 'other')?.value).toBeGreaterThan(0);
    expect((await metrics.graphDeprecatedFields.get()).values.length).toBeLessThanOrEqual(101);
    expect((await metrics.graphFields.get()).values.map(({ value }) => value)).toEqual([6_000, 6_000]);
  });

  it('count what comes over HTTP, on either way through the server, and nothing that was refused unread', async () => {
    const metrics = createMetrics();
    const server = await startFixtureServer({
      authenticate: async () => ({ ...staff, kind: 'client', credentialId: 'tool' }),
      admit: async () => {},
      usage: createUsage(metrics),
    });
    const { post } = graphClient(server.url);
    for (const _time of [1, 2, 3]) await post('query Shelf { product(upc: "1") { name } }');
    await post('{ product(upc: "1") { nothing } }');
    await server.stop();
    expect((await metrics.graphClients.get()).values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ client: 'tool', operation: 'Shelf' }, 3],
    ]);
    expect((await metrics.graphFields.get()).values.map(({ labels, value }) => [labels['field'], value])).toEqual([
      ['Query.product', 3],
      ['Product.name', 3],
    ]);
  });
});
