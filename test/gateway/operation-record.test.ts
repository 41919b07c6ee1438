// What is kept about an operation: one line and one observation under its name or hash, good or refused; nothing that a variable held.
import { createLog } from '../../subgraphs/shared/log/log';
import { createMetrics } from '../../subgraphs/shared/log/metrics';
import { eventually } from '../support/stores';
import { byMerchant, openConversations } from './conversations';
import type { FixtureServer } from './fixture-server';
import { type GraphClient, graphClient, type PostOptions, startClientServer } from './graph-client';

type Line = Record<string, unknown>;
const requestId = '33333333-3333-4333-8333-333333333333';
const hash = expect.stringMatching(/^#[0-9a-f]{12}$/);
const secret = 'canary-5f2d';

const named = 'query Shelf($upc: ID!) { product(upc: $upc) { name reviews { rating author { name } } } }';
const rows: [string, string, PostOptions, Line][] = [
  [
    'a named query',
    named,
    { variables: { upc: '1' } },
    {
      operation: 'Shelf',
      kind: 'query',
      status: 200,
      cost: 41,
      subgraphs: ['catalog', 'reviews', 'shipping'],
      credentialId: 'staff',
    },
  ],
  [
    'one without a name',
    '{ product(upc: "1") { name } }',
    {},
    { operation: hash, kind: 'query', cost: 1, subgraphs: ['catalog'] },
  ],
  ['a mutation', 'mutation Count { count }', {}, { operation: 'Count', kind: 'mutation', status: 200 }],
  [
    'what a caller may not do',
    'mutation Count { count }',
    { token: 'viewer' },
    { operation: 'Count', status: 403, code: 'forbidden', credentialId: 'viewer' },
  ],
  [
    'an unknown field',
    '{ product(upc: "1") { nam } }',
    {},
    { operation: hash, status: 400, code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  ['no document', '{ product(', {}, { operation: hash, status: 400, code: 'GRAPHQL_PARSE_FAILED' }],
  [
    'a document that is too large',
    `{ ${'a: __typename '.repeat(30)} }`,
    {},
    { operation: hash, status: 400, code: 'GRAPHQL_VALIDATION_FAILED' },
  ],
  [
    'a wrong variable',
    named,
    { variables: { upc: { [secret]: secret } } },
    { operation: 'Shelf', code: 'invalidInput', field: 'upc' },
  ],
  ['a defect', 'query Broken { broken }', {}, { operation: 'Broken', status: 200, code: 'internal' }],
  [
    'a dependency that is away',
    'query Away { product(upc: "3") { reviews { id } } }',
    {},
    { operation: 'Away', code: 'unavailable' },
  ],
  ['nobody', named, { token: null }, { operation: 'none', status: 401, code: 'unauthenticated' }],
  [
    'another family',
    named,
    { token: 'psp' },
    { operation: 'none', status: 403, code: 'forbidden', credentialId: 'psp' },
  ],
  ['no JSON', '', { body: '{' }, { operation: 'none', status: 400, code: 'invalidInput' }],
];

describe('over HTTP', () => {
  const lines: Line[] = [];
  const metrics = createMetrics();
  let server: FixtureServer;
  let post: GraphClient['post'];

  beforeAll(async () => {
    const log = createLog('info', 'test', (line) => void lines.push(JSON.parse(line)));
    server = await startClientServer({ log, metrics });
    ({ post } = graphClient(server.url));
  });
  afterAll(() => server.stop());

  it.each(rows)('%s leaves one line, the first time and the second', async (_name, query, options, expected) => {
    for (const _time of [1, 2]) {
      lines.length = 0;
      await post(query, { ...options, headers: { 'x-request-id': requestId } });
      const told = lines.filter(({ msg }) => msg === 'answered' || msg === 'refused');
      expect(told).toEqual([expect.objectContaining({ requestId, durationMs: expect.any(Number), ...expected })]);
      expect(told[0]?.['msg']).toBe('code' in expected ? 'refused' : 'answered');
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
  });

  it('counts by name, as many as a hundred; what was never prepared counts together', async () => {
    for (let at = 0; at < 120; at += 1) await post(`query Made${at} { __typename }`);
    await post(`query Made { ${'x'.repeat(30)} }`);
    const { values } = await metrics.graphOperations.get();
    const names = new Set(values.map(({ labels }) => String(labels.operation)));
    expect(names).toContain('Shelf');
    expect(names).toContain('other');
    expect(names).toContain('refused');
    expect([...names].filter((name) => name !== 'other' && name !== 'refused')).toHaveLength(100);
    const outcomes = values.filter(({ labels }) => labels.operation === 'Away').map(({ labels }) => labels.outcome);
    expect(new Set(outcomes)).toEqual(new Set(['failed']));
  });
});

describe('over WebSocket', () => {
  const conversations = openConversations();

  it('each operation leaves one line, a subscription one at its start and one at its end', async () => {
    const lines: Line[] = [];
    await conversations.reopen({ onLine: (line) => void lines.push(line) });
    const client = await conversations.open('alpha');
    await client.subscribe('1', byMerchant.replace('subscription', 'subscription Live'), { m: 'm-alpha' });
    client.send({ id: '2', type: 'subscribe', payload: { query: '{ nothing }', variables: { secret } } });
    await eventually(() => client.of('2').length > 0);
    client.send({ id: '1', type: 'complete' });
    await eventually(() => lines.some(({ msg }) => msg === 'subscription ended'));
    const caller = { requestId: expect.any(String), credentialId: 'alpha' };
    const byName = [...lines].sort((one, other) => String(one['msg']).localeCompare(String(other['msg'])));
    expect(byName).toEqual([
      expect.objectContaining({ msg: 'answered', operation: hash, kind: 'query', ...caller }),
      expect.objectContaining({ msg: 'refused', operation: hash, code: 'GRAPHQL_VALIDATION_FAILED', ...caller }),
      expect.objectContaining({ msg: 'subscribed', operation: 'Live', kind: 'subscription', ...caller }),
      expect.objectContaining({ msg: 'subscription ended', operation: 'Live', ...caller }),
    ]);
    expect(byName[2]?.['requestId']).toBe(byName[3]?.['requestId']);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
