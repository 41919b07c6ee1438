// An answer that lacks what the schema promises says so in `errors`, once for each place, and in one line of the log; what is not there and may be null is no fault.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { openGraph } from '../../gateway/graph';
import { composeContract } from '../../gateway/plan/compose';
import type { Graph } from '../../gateway/plan/execute';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { createLog } from '../../subgraphs/shared/log/log';
import { contextOf, fixtureConfig, fixtureSubgraphs } from './fixture';

const subgraphs = [...fixtureSubgraphs, ofAnotherRelease()];
const contract = composeContract(subgraphs, {});
let lines: Record<string, unknown>[];
let graph: Graph;
// Each with a log of its own: lines of one kind are told once in a while.
beforeEach(async () => {
  lines = [];
  const log = createLog('info', 'test', (line) => void lines.push(JSON.parse(line)));
  graph = openGraph({ contract: await contract, subgraphs, config: fixtureConfig, log });
});
afterEach(() => graph.close());

/** Promises more than it answers, as a process of another release may. */
function ofAnotherRelease(): Subgraph {
  const sdl = (promise: string) => `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")
    type Query { promised: [Promised!]${promise} } type Promised { kept: String kind: String${promise} }`;
  const resolvers = {
    Query: {
      promised: () => [
        { kept: 'a', kind: 'b' },
        { kept: 'c', kind: null },
      ],
    },
  };
  const schema = buildSubgraphSchema([{ typeDefs: parse(sdl('')), resolvers: resolvers as never }]);
  return { name: 'another', sdl: sdl('!'), typeDefs: parse(sdl('!')), schema };
}

type Place = (string | number)[];
const refused = (code: string, ...path: Place) => ({ code, path });
const lacking = (...path: Place) => refused('internal', ...path);
const count = 'count';

test.each<[string, string, { data: unknown; errors?: object[]; logged?: Record<string, unknown> | undefined }]>([
  [
    'nothing is there where something must be',
    '{ review(id: "1-1") { id witness { name } } }',
    { data: { review: null }, errors: [lacking('review', 'witness')], logged: { [count]: 1, path: 'review.witness' } },
  ],
  [
    'of a list, each place has its error, and all of them one line',
    '{ latest { id witness { name } } }',
    {
      data: { latest: [null, null, null, null] },
      errors: [0, 2, 3].map((index) => lacking('latest', index, 'witness')),
      logged: { [count]: 3, path: 'latest.0.witness' },
    },
  ],
  [
    'a subgraph answers less than it promises',
    '{ promised { kept kind } product(upc: "1") { name } }',
    { data: null, errors: [lacking('promised', 1, 'kind')], logged: { [count]: 1, path: 'promised.1.kind' } },
  ],
  [
    'nothing is there where nothing may be',
    '{ review(id: "1-1") { helpful { id name email } } gone: review(id: "gone-1") { product { name kind } } }',
    {
      data: {
        review: { helpful: [{ id: 'u1', name: 'user u1', email: 'a@b' }, null, null] },
        gone: { product: null },
      },
    },
  ],
  [
    'a refusal says why already',
    '{ product(upc: "3") { name score } }',
    { data: { product: null }, errors: [refused('unavailable', 'product', '_entities')] },
  ],
  [
    'a refusal of something else does not',
    '{ denied { name } review(id: "1-1") { witness { name } } }',
    {
      data: { denied: null, review: null },
      errors: [refused('forbidden', 'denied'), lacking('review', 'witness')],
      logged: { [count]: 1 },
    },
  ],
])('%s', async (_what, query, { data, errors, logged }) => {
  const answer = await graph.executeDocument({ query }, {}, contextOf());
  const told = answer.errors?.map(({ path, extensions }) => ({ code: extensions['code'], path }));
  expect(JSON.parse(JSON.stringify({ ...answer, errors: told }))).toEqual(JSON.parse(JSON.stringify({ data, errors })));
  expect(lines).toEqual(logged ? [expect.objectContaining({ ...logged, level: 'error', code: 'internal' })] : []);
});

test('outsiders read that it is a defect of ours, and the log what was promised', async () => {
  const { errors } = await graph.executeDocument(
    { query: '{ review(id: "1-1") { witness { name } } }' },
    {},
    contextOf(),
  );
  expect(errors?.map(({ message }) => message)).toEqual(['A defect of ours.']);
  expect(JSON.stringify(lines)).toContain('Cannot return null for non-nullable field Review.witness.');
});

test('whoever has left hears nothing any more, and neither does the log', async () => {
  const context = contextOf();
  const cancellation = { isCancelled: true } as never;
  const query = '{ review(id: "1-1") { witness { name } } }';
  const { errors } = await graph.executeDocument({ query }, {}, { ...context, cancellation });
  expect([errors, lines]).toEqual([undefined, []]);
});
