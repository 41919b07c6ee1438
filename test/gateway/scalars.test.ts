// The graph's own scalars in documents and variables: what they do not take is the caller's mistake, told before a subgraph is asked.
import { buildSchema, getVariableValues, parse, validate } from 'graphql';
import { withScalarRules } from '../../gateway/plan/scalars';

const schema = withScalarRules(
  buildSchema(`
    scalar JSONObject
    scalar DateTimeISO
    scalar Unknown
    type Query { ask(part: JSONObject, at: DateTimeISO, any: Unknown): String }
  `),
);
const faultsOf = (args: string) => validate(schema, parse(`{ ask(${args}) }`)).map(({ message }) => message);
const read = (type: string, value: unknown) => {
  const [definition] = parse(`query ($value: ${type}) { ask }`).definitions;
  if (definition?.kind !== 'OperationDefinition') throw new Error('no operation');
  const { coerced, errors } = getVariableValues(schema, definition.variableDefinitions ?? [], { value });
  return errors ? 'refused' : coerced['value'];
};

test.each(['part: {}', 'part: { a: [1, { b: null }] }', 'at: "2026-11-21T12:00:00Z"', 'any: 5', 'any: { a: "b" }'])(
  'a document may say %s',
  (args) => {
    expect(faultsOf(args)).toEqual([]);
  },
);

test.each([
  'part: "x"',
  'part: 5',
  'part: [1]',
  'part: true',
  'at: "yesterday"',
  'at: "2026-13-01T00:00:00Z"',
  'at: {}',
])('a document may not say %s', (args) => {
  expect(faultsOf(args)).toHaveLength(1);
});

test.each<[string, unknown]>([
  ['JSONObject', { a: [1, { b: null }] }],
  ['DateTimeISO', '2026-11-21T12:00:00.000Z'],
  ['DateTimeISO', new Date(0)],
  ['Unknown', 'anything'],
])('a variable of %s goes on as it came: %j', (type, value) => {
  expect(read(type, value)).toBe(value);
});

test.each<[string, unknown]>([
  ['JSONObject', 'x'],
  ['JSONObject', 5],
  ['JSONObject', [1]],
  ['DateTimeISO', 'yesterday'],
  ['DateTimeISO', {}],
])('a variable of %s is refused: %j', (type, value) => {
  expect(read(type, value)).toBe('refused');
});
