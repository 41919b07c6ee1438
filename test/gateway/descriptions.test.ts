// Everything that callers see of the graph is described in words: the printed schema is the documentation of the product.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Fewer words than these are a note, not a description. */
const wordsMin = 3;
const contract = (name: string) => readFileSync(join(__dirname, `../../schema/contracts/${name}.graphql`), 'utf8');
const printed = contract('internal');
const roots = new Set(['Query', 'Mutation', 'Subscription']);
/** Given by the specification, and words that add nothing to a name. */
const foreign = new Set(['String', 'Int', 'Float', 'ID', 'Boolean']);
const fillers = new Set(['a', 'an', 'the', 'of', 'its', 'this', 'is', 'id']);

it('describes every type, field, argument, input field and enum value', () => {
  expect(undescribed(printed)).toEqual([]);
});

it('sees what lacks a description, says too little or repeats its name', () => {
  const found = undescribed(`
    """What can be read."""
    type Query {
      bare(given: Int): Int
      """Minor units."""
      short: Int
      """The payment id."""
      paymentId: ID
      """What the payer is asked for, in minor units."""
      amount(
        """The currency that it is told in."""
        currency: String
      ): String
    }
    enum Colour { RED }
    input Filter { one: Int }
  `);
  const bare = ['Query.bare', 'Query.bare(given)', 'Query.short', 'Query.paymentId'];
  expect(found).toEqual([...bare, 'Colour', 'Colour.RED', 'Filter', 'Filter.one']);
});

function undescribed(sdl: string): string[] {
  const types = Object.values(buildSchema(sdl).getTypeMap());
  const own = types.filter(({ name }) => !name.startsWith('__') && !foreign.has(name));
  return own.flatMap(elementsOf).flatMap(({ path, name, text }) => (isDescription(name, text) ? [] : [path]));
}

interface Element {
  path: string;
  name: string;
  text: string;
}

function elementsOf(type: GraphQLNamedType): Element[] {
  const element = (path: string, { name, description }: { name: string; description?: string | null | undefined }) => ({
    path,
    name,
    text: description ?? '',
  });
  const own = element(type.name, type);
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => element(`${type.name}.${value.name}`, value))];
  if (isInputObjectType(type)) {
    return [own, ...Object.values(type.getFields()).map((field) => element(`${type.name}.${field.name}`, field))];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  const fields = Object.values(type.getFields());
  return [
    own,
    ...fields.flatMap((field) => {
      const path = `${type.name}.${field.name}`;
      return [element(path, field), ...field.args.map((arg) => element(`${path}(${arg.name})`, arg))];
    }),
  ];
}

function isDescription(name: string, text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const nameWords = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/);
  const added = words.filter((word) => !fillers.has(word) && !nameWords.includes(word));
  return text.split(/\s+/).length >= wordsMin && added.length > 0;
}

it('has nothing that may be refused by itself where a refusal would take its siblings along', () => {
  // What a field needs stands in the contracts of those who may lack it.
  expect(contract('staff')).toContain('Needs `');
  expect(takingAlong(contract('staff'))).toEqual([]);
});

it('sees a field with a right of its own that may not be null, of a root or not', () => {
  const found = takingAlong(`
    type Query {
      "What needs a right is all that was asked for. Needs \`a:read\`."
      root: Int!
      payment: Payment
    }
    type Payment {
      "Beside others. Needs \`b:read\`."
      refused: [Int!]!
      "Beside others. Needs \`b:read\`."
      nullable: [Int!]
      "Needs nothing of its own."
      plain: Int!
    }
  `);
  expect(found).toEqual(['Payment.refused']);
});

/** Whoever may read a payment is not to lose it because something beside it needs one right more. */
function takingAlong(sdl: string): string[] {
  const types = Object.values(buildSchema(sdl).getTypeMap());
  return types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter(({ name }) => !roots.has(name))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, ...field })),
    )
    .filter(({ description, type }) => description?.includes('Needs `') && isNonNullType(type))
    .map(({ path }) => path);
}
