// Whom each field is for: worked out from rules and from where a type is reached; the printed graph has exactly one tag on every field, and its contracts follow from them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print as printDocument,
  printSchema,
  validate,
} from 'graphql';
import { audiencesOf, taggedParts, tagOf } from '../../gateway/contracts/audience-tags';
import { contractSchemas } from '../../gateway/contracts/contract-schemas';
import { type Audience, contractOf } from '../../subgraphs/shared/callers/audience';
import { contract } from '../support/graph-contract';

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable", "@tag", "@inaccessible", "@composeDirective"]) @link(url: "https://specs.open-payments.example/allow/v1.0", import: ["@allow"]) @composeDirective(name: "@allow")\ndirective @allow(any: [String!]!, freshSignIn: Boolean) on FIELD_DEFINITION';
const partOf = (name: string, sdl: string) => ({ name, typeDefs: parse(`${link}\n${sdl}`) });

/** Two subgraphs in which everything that decides occurs. */
const parts = [
  partOf(
    'one',
    `type Query {
      shop(id: ID!): Shop @allow(any: ["merchants:read"])
      shops(filter: ShopFilter): [Found!]! @allow(any: ["clients:write", "merchants:read"])
      keys: [Key!]! @allow(any: ["keys:write"])
      page(with: PageInput): Page @allow(any: ["pages", "sandbox:control"])
      sink: Sink @allow(any: ["public"]) @tag(name: "internal")
      me: Me @allow(any: ["public"])
    }
    type Mutation { close(shop: CloseInput!): Shop @allow(any: ["checkout", "merchants:write"]) }
    interface Named { name: String }
    type Shop implements Named @key(fields: "id") { id: ID! name: String mood: Mood secret: Key @allow(any: ["keys:write"]) }
    type Stall implements Named { name: String rent: Rent }
    type Rent { amount: Int }
    union Found = Stall | Shop
    enum Mood { GOOD BAD }
    input ShopFilter { name: String other: OtherFilter }
    input OtherFilter { mood: Mood }
    input CloseInput { id: ID! }
    input PageInput { no: Int }
    type Key { key: ID! shop: Shop }
    type Page { no: Int shop: Shop }
    type Sink { answer: Int }
    type Me { name: String }
    type Nobody { asks: Int }`,
  ),
  partOf(
    'two',
    `type Shop @key(fields: "id") { id: ID! @external visits: Visits ledger: Int @allow(any: ["ledger:book"]) }
    type Visits { count: Int }
    type Query { pages: [String!] @allow(any: ["pages"]) }`,
  ),
];

describe('whom a field is for', () => {
  const found = audiencesOf(parts);
  it.each<[string, string, Audience | undefined]>([
    ['a right that accounts may hold', 'Query.shop', 'tenant'],
    ['the wider of two rights', 'Query.shops', 'tenant'],
    ['a right of staff', 'Query.keys', 'staff'],
    ['a right of staff beside a credential of a surface', 'Mutation.close', 'staff'],
    ['credentials of our own surfaces', 'Query.page', 'internal'],
    ['what is everybody’s', 'Query.me', 'tenant'],
    ['what is everybody’s and only a surface of ours asks', 'Query.sink', 'internal'],
    ['what the type is reached from', 'Shop.name', 'tenant'],
    ['a rule of its own within it', 'Shop.secret', 'staff'],
    ['a rule of its own in another subgraph', 'Shop.ledger', 'staff'],
    ['a type that another subgraph adds', 'Visits.count', 'tenant'],
    ['a member of a union', 'Rent.amount', 'tenant'],
    ['an interface of an object', 'Named.name', 'tenant'],
    ['an input within an input', 'OtherFilter.mood', 'tenant'],
    ['an input of staff', 'CloseInput.id', 'staff'],
    ['an input of a surface', 'PageInput.no', 'internal'],
    ['what is reached through a field of staff', 'Key.key', 'staff'],
    ['what only a surface reaches', 'Page.no', 'internal'],
    ['what nobody reaches', 'Nobody.asks', undefined],
  ])('%s', (_name, field, audience) => {
    expect(found.get(field)).toBe(audience);
  });

  it.each<[string, string | null, string]>([
    ['staff', null, 'staff'],
    ['a client of an account', 'alpha', 'tenant'],
    ['nobody', '', 'tenant'],
  ])('%s has a contract', (_name, accountId, expected) => {
    expect(contractOf({ accountId })).toBe(expected);
  });
});

describe('contracts', () => {
  const { staff, tenant } = contractSchemas(taggedParts(parts));
  it('hold what their tags let in, and nothing that is reached from nowhere', () => {
    const both = 'Found Me Mood Named OtherFilter Query Rent Shop ShopFilter Stall Visits'.split(' ');
    expect(namesIn(tenant)).toEqual(both);
    expect(namesIn(staff)).toEqual([...both, 'CloseInput', 'Key', 'Mutation'].sort());
    expect(fieldsIn(tenant, 'Query')).toEqual(['shop', 'shops', 'me']);
    expect(fieldsIn(tenant, 'Shop')).toEqual(['id', 'name', 'mood', 'visits']);
    expect(fieldsIn(staff, 'Shop')).toEqual(['id', 'name', 'mood', 'secret', 'visits', 'ledger']);
  });
});

describe('the printed graph', () => {
  const read = (file: string) => readFileSync(join(__dirname, '../../schema', file), 'utf8');
  const [internal, staff, tenant] = ['internal', 'staff', 'tenant'].map((audience) =>
    buildSchema(read(`contracts/${audience}.graphql`)),
  ) as [GraphQLSchema, GraphQLSchema, GraphQLSchema];

  it('has one tag on every field of the supergraph', () => {
    expect(untagged(read('supergraph.graphql'))).toEqual([]);
  });

  it('sees a field that has no tag, or two', () => {
    const sdl =
      'type Query { none: Int one: Int @tag(name: "staff") two: Int @tag(name: "staff") @tag(name: "tenant") }';
    expect(untagged(sdl)).toEqual(['Query.none', 'Query.two']);
  });

  it('is wider from contract to contract', () => {
    for (const [narrow, wide] of [
      [tenant, staff],
      [staff, internal],
    ] as const) {
      expect(namesIn(wide)).toEqual(expect.arrayContaining(namesIn(narrow)));
      for (const name of namesIn(narrow))
        expect(fieldsIn(wide, name)).toEqual(expect.arrayContaining(fieldsIn(narrow, name)));
      expect(printSchema(narrow).length).toBeLessThan(printSchema(wide).length);
    }
  });

  it('lets persons of a tenant read all that the dashboard asks', () => {
    const documents = [...(contract.trusted ?? new Map<string, string>()).values()].map((text) => parse(text));
    const queries = documents.filter(({ definitions }) =>
      definitions.every((each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation !== 'mutation'),
    );
    expect(queries.length).toBeGreaterThan(20);
    expect(queries.flatMap((document) => validate(tenant, document)).map(String)).toEqual([]);
  });
});

function untagged(sdl: string): string[] {
  return parse(sdl, { noLocation: true }).definitions.flatMap((definition) => {
    if (
      definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
      definition.kind !== Kind.INTERFACE_TYPE_DEFINITION &&
      definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION
    )
      return [];
    const { name, fields = [] } = definition;
    if (/^(join|link)__/.test(name.value)) return [];
    return fields
      .filter((field) => !tagOf(field) || field.directives?.filter((each) => each.name.value === 'tag').length !== 1)
      .map((field) => `${name.value}.${field.name.value}`);
  });
}

function namesIn(schema: GraphQLSchema): string[] {
  const own = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'));
  return own.filter((name) => !['ID', 'String', 'Int', 'Boolean', 'Float'].includes(name)).sort();
}

function fieldsIn(schema: GraphQLSchema, name: string): string[] {
  const type: GraphQLNamedType | undefined = schema.getType(name);
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

it.each<[Exclude<Audience, 'internal'>, string, string, string | undefined]>([
  ['staff', 'Query', 'shop', 'Needs `merchants:read`.'],
  ['staff', 'Query', 'shops', 'Needs `clients:write` or `merchants:read`.'],
  ['staff', 'Mutation', 'close', 'One shop.\nNeeds `merchants:write`, and of a person a fresh sign-in.'],
  ['staff', 'Shop', 'secret', 'Needs `keys:write`.'],
  ['staff', 'Query', 'me', undefined],
  ['tenant', 'Query', 'shops', 'Needs `merchants:read`.'],
])('the contract of %s says at %s.%s which of its callers may: %s', (audience, type, field, words) => {
  const fresh = parts.map(({ name, typeDefs }) => ({
    name,
    typeDefs: parse(
      printDocument(typeDefs)
        .replace('close(', '"One shop." close(')
        .replace('"merchants:write"])', '"merchants:write"], freshSignIn: true)'),
    ),
  }));
  const shown = contractSchemas(taggedParts(fresh))[audience].getType(type);
  expect(isObjectType(shown) && (shown.getFields()[field]?.description ?? undefined)).toBe(words);
});
