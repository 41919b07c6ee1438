// Every operation runs through the compiled plan and through the gateway's own executor; data, error codes and error paths must be the same.
import { parse, validate } from 'graphql';
import { openGraph } from '../../gateway/graph';
import type { Graph } from '../../gateway/plan/execute';
import { proof } from '../faults/proof';
import { comparable } from './comparison';
import { auditFederation, plannersOwn } from './federation-audit';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog } from './fixture';
import { operations } from './operations';
import { randomDocument } from './random-document';

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

it('a non-null variable that has a default may be left out', async () => {
  const results = await both(
    'query($upc: ID! = "1", $yes: Boolean! = true) { product(upc: $upc) { upc name @include(if: $yes) } }',
    {},
  );
  expect(results?.compiled).toMatchObject({ data: { product: { upc: '1', name: expect.any(String) } }, errors: [] });
});

/** Values for the arguments of the fixture by name. */
const argumentValues: Readonly<Record<string, readonly string[]>> = {
  upc: ['"1"', '"2"', '"3"', '"gone"', '"none"', '$upc'],
  id: ['"1-1"', '"gone-1"', '"2-9"'],
  first: ['1', '2', '4', '$n'],
  name: ['"new"'],
};

proof('plan-fuzz', { smoke: { documents: 120 }, full: { documents: 50_000 } }, async ({ size, isSmoke, random }) => {
  let compared = 0;
  for (let drawn = 0; drawn < size.documents; drawn += 1) {
    const { query, variables } = randomDocument(graph.apiSchema, random.between(0, 2 ** 31), ({ name }, next) => {
      const values = argumentValues[name] ?? [];
      return values[Math.floor(next() * values.length)] ?? null;
    });
    if (validate(graph.apiSchema, parse(query)).length > 0) continue;
    const results = await both(query, variables);
    // What could return too many objects is refused before the plan runs.
    if (!results || results.compiled.errors.join() === '{"code":"invalidInput"}') continue;
    compared += 1;
    expect({ query, ...results.compiled }).toEqual({ query, ...results.expected });
    // Some fields of the fixture fail on purpose; a defect of the gateway belongs to none.
    const defects = results.compiled.errors.filter((error) => error === '{"code":"internal"}');
    expect({ query, defects }).toEqual({ query, defects: [] });
  }
  if (isSmoke || size.documents > 100) expect(compared).toBeGreaterThan(size.documents / 4);
  return { documents: size.documents, compared, differences: 0 };
});

// By name alone: the checkout is the user's (docs/proof.md).
const checkout = process.env['FEDERATION_AUDIT'];
if (checkout) {
  const once = { smoke: { runs: 1 }, full: { runs: 1 } };
  const audited = async (place: 'in process' | 'over HTTP') => {
    const { suites, tests, failed } = await auditFederation(checkout, place);
    const names = failed.map((each) => each.replace(/:.*/s, ''));
    if (names.some((name) => !plannersOwn.includes(name))) throw new Error(failed.join('\n'));
    return { suites, tests, passed: tests - failed.length, "the planner's own failures": names.join(', ') };
  };
  proof('federation-audit', once, () => audited('in process'));
  proof('federation-audit-http', once, () => audited('over HTTP'));
}
