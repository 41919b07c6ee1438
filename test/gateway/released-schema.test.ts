// Each contract of the graph against that of the last release: whatever would break a client has its line in the changelog.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { contracts } from '../../subgraphs/shared/callers/audience';
import { lastRelease, namesIn, unreleasedNames } from '../support/changelog';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What would break since `released`, and what of it is not named, by path or by its last name. */
async function untold(released: string, present: string, named: ReadonlySet<string>): Promise<string[]> {
  const changes = await diff(buildSchema(released), buildSchema(present));
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
  return breaking.flatMap(({ path = '', message }) => {
    const isTold = named.has(path) || named.has(String(path.split('.').at(-1)));
    return isTold ? [] : [`${path}: ${message}`];
  });
}

describe.each(contracts)('the contract %s', (contract) => {
  const released = read(`schema/released/${contract}.graphql`);

  it('breaks nothing without a line in the changelog', async () => {
    expect(await untold(released, read(`schema/contracts/${contract}.graphql`), unreleasedNames())).toEqual([]);
  });

  it('is compared with the release that the changelog closed last', () => {
    expect(released).toContain(`# The graph of release ${lastRelease()} under the contract of ${contract}`);
  });
});

it.each([
  ['a field that is gone', 'type Query { one: Int }', '', ['Query.two']],
  ['a type that differs', 'type Query { one: String two: Int }', '', ['Query.one']],
  ['an argument that is demanded', 'type Query { one(of: Int!): Int two: Int }', '', ['Query.one']],
  ['what the changelog names', 'type Query { one: Int }', '- `Query.two` is gone.', []],
  ['what it names by its last name', 'type Query { one: Int }', '- Nobody asked `two`.', []],
  ['what is only added', 'type Query { one: Int two: Int three: Int }', '', []],
])('tells %s', async (_name, present, changelog, expected) => {
  const told = await untold('type Query { one: Int two: Int }', present, namesIn(changelog));
  expect(told.map((line) => line.split(/[:(]/)[0]?.replace(/\.of$/, ''))).toEqual(expected);
});
