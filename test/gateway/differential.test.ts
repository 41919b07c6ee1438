// Every operation runs through the compiled plan and through the gateway's own executor; data, error codes and error paths must be the same.
import { parse, validate } from 'graphql';
import type { Graph } from '../../gateway/execute';
import { openGraph } from '../../gateway/graph';
import { propertySeed } from '../support/properties';
import { comparable } from './comparison';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog } from './fixture';
import { operations } from './operations';
import { randomDocument } from './random-document';

/** `FUZZ_RUNS=50000 FUZZ_SEED=1 npx jest test/gateway/differential` is the full size. */
const fuzzRuns = Number(process.env['FUZZ_RUNS'] ?? 120);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? propertySeed ?? Date.now() % 1_000_000_000);

let graph: Graph;
beforeAll(async () => {
  graph = openGraph({
    contract: await fixtureContract(),
    subgraphs: fixtureSubgraphs,
    config: fixtureConfig,
    log: silentLog,
  });
});
afterAll(() => graph.close());

async function both(query: string, variables: Record<string, unknown>) {
  const prepared = await graph.prepare({ query });
  if (!('execute' in prepared)) return null;
  const oracle = await graph.oracle();
  const { document, operation } = prepared;
  return {
    via: prepared.via,
    compiled: comparable(await prepared.execute(variables, contextOf())),
    expected: comparable(await oracle.execute({ source: query, document, operation, variables, context: contextOf() })),
  };
}

it.each(operations)('%s', async (_name, query, variables = {}) => {
  const results = await both(query, variables);
  expect(results?.via).toBe('compiled');
  expect(results?.compiled).toEqual(results?.expected);
  // These select each field once: their order is that of the document.
  expect(JSON.stringify(results?.compiled.data)).toBe(JSON.stringify(results?.expected.data));
});

it(`random documents from seed ${firstSeed}`, async () => {
  let compared = 0;
  for (let seed = firstSeed; seed < firstSeed + fuzzRuns; seed += 1) {
    const { query, variables } = randomDocument(graph.apiSchema, seed);
    if (validate(graph.apiSchema, parse(query)).length > 0) continue;
    const results = await both(query, variables);
    if (!results) continue;
    compared += 1;
    const replay = `FUZZ_RUNS=1 FUZZ_SEED=${seed} npx jest test/gateway/differential -t random`;
    expect({ replay, query, ...results.compiled }).toEqual({ replay, query, ...results.expected });
    expect(results.compiled.errors.filter((error) => error.includes('INTERNAL'))).toEqual([]);
  }
  if (fuzzRuns > 100) expect(compared).toBeGreaterThan(fuzzRuns / 4);
}, 3_600_000);
