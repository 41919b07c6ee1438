// What is told of a variable that does not fit: where it is wrong and what belongs there, and nothing of its value.
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { wrongVariable } from '../../gateway/errors';

const schema = buildSchema(`
  scalar Day
  enum State { Captured Failed }
  input Filter { first: Int! state: State states: [State!] from: Day }
  type Query { payments(filter: Filter): Int }
`);
Object.assign(schema.getType('Day') ?? {}, {
  parseValue(value: unknown) {
    throw new TypeError(`a day cannot be ${String(value)}`);
  },
});
const [asked] = parse('query ($filter: Filter, $count: Int!, $from: Day) { payments(filter: $filter) }').definitions;
const card = '4111111111111111';
const good = { count: 1 };

it.each<[string, Record<string, unknown>, string, string]>([
  ['a variable that is not there', {}, 'count', 'variable $count is missing'],
  ['one that is null', { count: null }, 'count', 'variable $count is missing'],
  ['a member that is not there', { ...good, filter: {} }, 'filter.first', 'variable $filter lacks first'],
  [
    'a member that nobody knows',
    { ...good, filter: { first: 1, nosuch: card } },
    'filter.nosuch',
    'variable $filter is a Filter, which has no nosuch',
  ],
  [
    'a member that is named like a card',
    { ...good, filter: { first: 1, [`c${card}`]: 1 } },
    'filter',
    'variable $filter is of the wrong type',
  ],
  [
    'a word of no enum',
    { ...good, filter: { first: 1, state: card } },
    'filter.state',
    'variable $filter.state is no value of State',
  ],
  [
    'one of a list',
    { ...good, filter: { first: 1, states: ['Failed', 'NOPE'] } },
    'filter.states[1]',
    'variable $filter.states[1] is no value of State',
  ],
  ['what a scalar refuses', { ...good, from: card }, 'from', 'variable $from is no Day'],
  ['what is no object', { ...good, filter: card }, 'filter', 'variable $filter is no Filter'],
  [
    'what is no number',
    { ...good, filter: { first: card } },
    'filter.first',
    'variable $filter.first is of the wrong type',
  ],
  [
    'a value that reads like the library',
    { ...good, filter: { first: `x; Field "${card}" of required type "Int!" was not provided.` } },
    'filter.first',
    'variable $filter.first is of the wrong type',
  ],
])('%s', (_what, values, field, message) => {
  const { variableDefinitions = [] } = asked as OperationDefinitionNode;
  const [error] = getVariableValues(schema, variableDefinitions, values).errors ?? [];
  if (!error) throw new Error('nothing was refused');
  const refused = wrongVariable(error);
  expect([refused.code, refused.details.field, refused.message]).toEqual(['invalidInput', field, message]);
  expect(JSON.stringify([refused.message, refused.details])).not.toContain(card);
});
