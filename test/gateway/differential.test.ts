// Every operation runs through the compiled plan and through the gateway's own executor; data, error codes and error paths must be the same.
import { parse, validate } from 'graphql';
import { openGraph } from '../../gateway/graph';
import type { Graph } from '../../gateway/plan/execute';
import type { PlannerName } from '../../gateway/planner/planner';
import { proof } from '../faults/proof';
import { compared } from './comparison';
import { auditFederation, plannersOwn } from './federation-audit';
import { contextOf, fixtureConfig, fixtureContract, fixtureSubgraphs, silentLog } from './fixture';
import { operations } from './operations';
import { randomDocument } from './random-document';

let graph: Graph;
/** The same, planned by Hive Router's planner: another reading of the specification, by other people. */
let hive: Graph;
beforeAll(async () => {
  const contract = await fixtureContract();
  const opened = (GRAPH_PLANNER: PlannerName) =>
    openGraph({ contract, subgraphs: fixtureSubgraphs, config: { ...fixtureConfig, GRAPH_PLANNER }, log: silentLog });
  graph = opened('apollo');
  hive = opened('hive');
});
afterAll(() => Promise.all([graph.close(), hive.close()]));

async function both(query: string, variables: Record<string, unknown>) {
  const prepared = await graph.prepare({ query });
  if (!('execute' in prepared)) return null;
  const byHive = await hive.prepare({ query });
  if (!('execute' in byHive)) throw new Error('what one graph takes the other refuses');
  const oracle = await graph.oracle();
  const { document, operation } = prepared;
  const answer = await oracle.execute({ source: query, document, operation, variables, context: contextOf() });
  const { found: compiled, expected } = compared(await prepared.execute(variables, contextOf()), answer);
  const { found: byTheOther } = compared(await byHive.execute(variables, contextOf()), answer);
  return { via: [prepared.via, byHive.via], hive: byTheOther, compiled, expected };
}

/** Of an object of which nothing is left by it, Apollo's planner makes null, and Hive's an empty object, which is right. */
const skippedForGood = /@skip\(if: true\)|@include\(if: false\)/;

it.each(operations)('%s', async (_name, query, variables = {}) => {
  const results = await both(query, variables);
  expect(results?.via).toEqual(['compiled', 'compiled']);
  expect(results?.compiled).toEqual(results?.expected);
  expect(results?.hive).toEqual(results?.expected);
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

// The oracle asks the same subgraphs, so these say themselves what a resolver gets.
it.each<[string, string, Record<string, unknown>, object | null]>([
  ['left out', '($a: String, $b: String) { written(input: { title: $a, body: $b }) }', { a: 'x' }, { title: 'x' }],
  ['null', '($a: String, $b: String) { written(input: { title: $a, body: $b }) }', { b: null }, { body: null }],
  ['further in', '($a: String) { written(input: { next: { body: "x", title: $a } }) }', {}, { next: { body: 'x' } }],
  ['in a list', '($a: String) { written(input: { tags: [$a, "x"] }) }', {}, { tags: [null, 'x'] }],
  ['a list', '($a: [String]) { written(input: { tags: $a }) }', {}, {}],
  ['a whole object', '($a: NoteInput) { written(input: $a) }', {}, null],
  [
    'a member of an object',
    '($a: NextInput) { written(input: { next: $a }) }',
    { a: { body: null } },
    { next: { body: null } },
  ],
  ['a default', '($a: NoteInput = { at: "2026-11-01" }) { written(input: $a) }', {}, { at: 'a time' }],
  ['a time by default', '($a: Moment = "2026") { written(input: { at: $a }) }', {}, { at: 'a time' }],
  ['a time', '($a: NoteInput) { written(input: $a) }', { a: { at: '2026' } }, { at: 'a time' }],
  ['none: a time', '{ written(input: { at: "2026" }) }', {}, { at: 'a time' }],
  ['null for a default', '($a: Moment = "2026") { written(input: { at: $a }) }', { a: null }, { at: null }],
  ['a list of one by default', '($a: [String] = "x") { written(input: { tags: $a }) }', {}, { tags: ['x'] }],
  ['null by default', '($a: NoteInput = null) { written(input: $a) }', {}, null],
])('a variable of an input, %s: what the resolver gets', async (_name, source, variables, expected) => {
  const results = await both(`mutation${source}`, variables);
  const { data, errors } = results?.compiled ?? {};
  expect(errors).toEqual([]);
  expect(JSON.parse((data as { written: string }).written)).toEqual(expected);
  expect(results?.hive).toEqual(results?.compiled);
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
  let plannedByBoth = 0;
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
    // Which fetches there are, and so which of the failing ones is met and what it takes along, is each planner's own choice.
    const isClear = results.hive.errors.length + results.expected.errors.length === 0 && !skippedForGood.test(query);
    if (isClear) {
      expect({ query, ...results.hive }).toEqual({ query, ...results.expected });
      if (results.via[1] === 'compiled') plannedByBoth += 1;
    }
    // Some fields of the fixture fail on purpose; a defect of the gateway belongs to none.
    const defects = results.compiled.errors.filter((error) => error === '{"code":"internal"}');
    expect({ query, defects }).toEqual({ query, defects: [] });
  }
  if (isSmoke || size.documents > 100) {
    expect(compared).toBeGreaterThan(size.documents / 4);
    expect(plannedByBoth).toBeGreaterThan(size.documents / 20);
  }
  return { documents: size.documents, compared, plannedByBoth, differences: 0 };
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
