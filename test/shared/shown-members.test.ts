// Which members of a record a selection shows: through aliases, fragments and interfaces, whatever condition stands there; of a field that nobody knows, the whole record.
import { buildSchema, graphql } from 'graphql';
import { type ShownMembers, selectedAlong, shownMembersOf } from '../../subgraphs/shared/graph/shown-members';

const schema = buildSchema(`
  interface Node { id: ID! }
  type Payment implements Node { id: ID! state: String amount: String terminal: Terminal actions: [String] }
  type Terminal implements Node { id: ID! state: String label: String }
  union Entity = Payment | Terminal
  type Query { entities: [Entity] }
`);
const shownIn = shownMembersOf<'state' | 'amountMinor' | 'terminalId'>('Payment', {
  sameName: ['state'],
  others: { __typename: [], id: [], amount: ['amountMinor'], terminal: ['terminalId'] },
});

async function shown(source: string, variableValues = {}): Promise<ShownMembers<string> | null | undefined> {
  let found: ShownMembers<string> | null | undefined;
  const entities = (_args: unknown, _context: unknown, info: Parameters<typeof shownIn>[0]) => {
    found = shownIn(info);
    return [];
  };
  const { errors } = await graphql({ schema, source, rootValue: { entities }, variableValues });
  expect(errors).toBeUndefined();
  return found;
}

it.each([
  ['nothing but its key', '{ entities { __typename ... on Node { id } } }', ''],
  ['fields by their aliases', '{ entities { ... on Payment { a: amount b: amount state } } }', 'amountMinor state'],
  ['what is below a field not', '{ entities { ... on Payment { terminal { label state } } } }', 'terminalId'],
  ['what another type shows not', '{ entities { ... on Payment { state } ... on Terminal { label } } }', 'state'],
  [
    'fragments by name, in each other',
    '{ entities { ...P } } fragment P on Payment { ...Q state } fragment Q on Payment { amount }',
    'amountMinor state',
  ],
])('%s', async (_what, source, key) => {
  expect(await shown(source)).toEqual({ key, members: key === '' ? [] : key.split(' ') });
});

it('takes what stands under a condition for wanted', async () => {
  const source = 'query ($no: Boolean!) { entities { ... on Payment { state @include(if: $no) amount } } }';
  expect((await shown(source, { no: false }))?.key).toBe('amountMinor state');
});

it.each([
  ['a field that nobody said anything of', '{ entities { ... on Payment { state actions } } }'],
  [
    'a field that is selected twice',
    '{ entities { ... on Payment { state } } entities { ... on Payment { amount } } }',
  ],
])('%s is shown the whole record', async (_what, source) => {
  expect(await shown(source)).toBeNull();
});

it.each([
  ['by its name', '{ entities { ... on Payment { terminal { label } } } }', true],
  [
    'by an alias, in fragments',
    '{ e: entities { ...P } } fragment P on Payment { t: terminal { ... { l: label } } }',
    true,
  ],
  ['in the second of two', '{ entities { __typename } entities { ... on Payment { terminal { label } } } }', true],
  ['under a condition', '{ entities { ... on Payment { terminal { label @skip(if: true) } } } }', true],
  ['not', '{ entities { ... on Payment { terminal { state } } ... on Terminal { label } } }', false],
])('a path is selected %s', async (_how, source, isSelected) => {
  let found: boolean | undefined;
  const entities = (_args: unknown, _context: unknown, info: Parameters<typeof shownIn>[0]) => {
    found = selectedAlong(info, ['terminal']).has('label');
    return [];
  };
  expect((await graphql({ schema, source, rootValue: { entities } })).errors).toBeUndefined();
  expect(found).toBe(isSelected);
});
