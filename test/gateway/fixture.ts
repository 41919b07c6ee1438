// Three small subgraphs that use everything a plan can contain: entities, lists of lists, interfaces, unions, required fields, nulls and failures.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLScalarType, parse } from 'graphql';
import { composeContract } from '../../gateway/plan/compose';
import { newInternalKey } from '../../gateway/subgraphs/internal-keys';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { createLog } from '../../subgraphs/shared/log/log';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides", "@shareable"])`;

function subgraph(name: string, sdl: string, resolvers: Record<string, unknown>): Subgraph {
  const full = `${link}\n${sdl}`;
  const typeDefs = parse(full);
  return { name, sdl: full, typeDefs, schema: buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]) };
}

const products = [
  {
    upc: '1',
    name: 'table',
    price: 899,
    kind: 'FURNITURE',
    weight: 100,
    tags: ['a', 'b'],
    parts: [['leg', 'top'], []],
  },
  { upc: '2', name: 'couch', price: 1299, kind: 'FURNITURE', weight: 1000, tags: [], parts: null },
  { upc: '3', name: 'book', price: null, kind: 'BOOK', weight: null, tags: null, parts: [] },
  { upc: 'gone', name: 'gone', price: 1, kind: 'BOOK', weight: 1, tags: null, parts: [] },
];
const find = (upc: string) => products.find((product) => product.upc === upc) ?? null;

export const calls = { references: 0 };

function catalog(): Subgraph {
  return subgraph(
    'catalog',
    `
    interface Item { upc: ID! name: String }
    enum Kind { FURNITURE BOOK }
    scalar Moment
    type Product implements Item @key(fields: "upc") { upc: ID! name: String price: Int kind: Kind! weight: Int tags: [String!] parts: [[String!]!] bundle: [Product] twin: Product! strict: Product }
    type Voucher implements Item { upc: ID! name: String amount: Int! }
    union Hit = Product | Voucher
    type Query { product(upc: ID!): Product products(first: Int = 3, last: Int): [Product!]! several(upcs: [ID!]!): [Product]! items: [Item!]! hits: [Hit] broken: String secret: String! safe: Safe denied: Product slow(ms: Int!): Int }
    type Safe { inner: Inner }
    type Inner { must: String! other: String }
    type Mutation { rename(upc: ID!, name: String!): Product count: Int! order(input: OrderInput!): Int! written(input: NoteInput): String! }
    input OrderInput { upc: ID! count: Int! = 2 }
    input NoteInput { title: String body: String tags: [String] at: Moment next: NextInput }
    input NextInput { title: String body: String }
    type Subscription { productEvents(upc: ID!, after: String): Product }
    `,
    {
      Moment: new GraphQLScalarType({ name: 'Moment', parseValue: (text) => new Date(String(text)) }),
      Item: { __resolveType: (value: object) => ('amount' in value ? 'Voucher' : 'Product') },
      Hit: { __resolveType: (value: object) => ('amount' in value ? 'Voucher' : 'Product') },
      Product: {
        __resolveReference: ({ upc }: { upc: string }) => {
          calls.references += 1;
          return upc === 'gone' ? null : find(upc);
        },
        bundle: ({ upc }: { upc: string }) => (upc === '1' ? [find('2'), null, find('2'), find('3')] : null),
        twin: ({ upc }: { upc: string }) => (upc === '1' ? find('2') : null),
        strict: ({ upc }: { upc: string }) => find(upc),
      },
      Query: {
        product: (_: unknown, { upc }: { upc: string }) => find(upc),
        products: (_: unknown, { first, last }: { first: number; last?: number | null }) =>
          last ? products.slice(-last) : products.slice(0, first),
        several: (_: unknown, { upcs }: { upcs: string[] }) => upcs.map(find),
        items: () => [find('1'), { upc: 'v', name: 'voucher', amount: 5 }, find('3')],
        hits: () => [find('3'), null, { upc: 'v', name: 'voucher', amount: 5 }],
        broken: () => {
          throw new Error('the database password is hunter2');
        },
        secret: () => null,
        safe: () => ({ inner: { must: null, other: 'x' } }),
        denied: async () => {
          throw new DomainError('forbidden', 'not for you', { field: 'upc' });
        },
        slow: (_: unknown, { ms }: { ms: number }) => new Promise((resolve) => setTimeout(() => resolve(ms), ms)),
      },
      Mutation: {
        rename: (_: unknown, { upc, name }: { upc: string; name: string }) => ({ ...find(upc), name }),
        count: () => 1,
        order: (_: unknown, { input }: { input: { count: number } }) => input.count,
        written: (_: unknown, { input }: { input?: object | null }) => JSON.stringify(input ?? null, timesNamed),
      },
    },
  );
}

/** Tells a time from its text, which JSON does not. */
function timesNamed(this: Record<string, unknown>, name: string, value: unknown): unknown {
  return this[name] instanceof Date ? 'a time' : value;
}

function reviews(): Subgraph {
  return subgraph(
    'reviews',
    `
    type Review @key(fields: "id") { id: ID! body: String rating: Int! product: Product author: User! helpful: [User] witness: User! }
    type Product @key(fields: "upc") { upc: ID! reviews(first: Int = 5): [Review!] best: Review! score: Int! verdict: Opinion }
    type User @key(fields: "id") { id: ID! }
    union Opinion = Review | Rumour
    type Rumour { text: String! about: Product }
    type Query { review(id: ID!): Review latest: [Review] }
    type Mutation { praise(upc: ID!): Review! }
    `,
    {
      Opinion: { __resolveType: (value: object) => ('text' in value ? 'Rumour' : 'Review') },
      Product: {
        __resolveReference: ({ upc }: { upc: string }) => {
          if (upc === '3') throw new DomainError('unavailable', 'reviews are away', { retryAfterSeconds: 2 });
          return { upc };
        },
        reviews: ({ upc }: { upc: string }) => (upc === '2' ? [] : [review(`${upc}-1`), review(`${upc}-2`)]),
        best: ({ upc }: { upc: string }) => (upc === '2' ? null : review(`${upc}-1`)),
        score: ({ upc }: { upc: string }) => Number(upc) * 10,
        verdict: ({ upc }: { upc: string }) =>
          upc === '1' ? { text: 'wobbly', about: { upc: '2' } } : review(`${upc}-9`),
      },
      Review: { __resolveReference: ({ id }: { id: string }) => review(id) },
      Query: {
        review: (_: unknown, { id }: { id: string }) => review(id),
        latest: () => [review('1-1'), null, review('gone-1'), review('2-1')],
      },
      Mutation: { praise: (_: unknown, { upc }: { upc: string }) => review(`${upc}-new`) },
    },
  );
}

function review(id: string) {
  const [upc] = id.split('-');
  return {
    id,
    body: id === '1-2' ? null : `about ${upc}`,
    rating: 4,
    product: { upc },
    author: { id: `u${upc}` },
    helpful: [{ id: 'u1' }, null, { id: 'nobody' }],
    witness: { id: 'nobody' },
  };
}

function shipping(): Subgraph {
  return subgraph(
    'shipping',
    `
    type Product @key(fields: "upc") { upc: ID! weight: Int @external kind: Kind! @external shipping: Int @requires(fields: "weight kind") crate: Crate! }
    enum Kind { FURNITURE BOOK }
    type Crate { size: Int! label: String! }
    type User @key(fields: "id") { id: ID! name: String! email: String }
    `,
    {
      Product: {
        __resolveReference: (reference: object) => reference,
        shipping: ({ weight, kind }: { weight: number | null; kind: string }) =>
          weight === null ? null : weight * (kind === 'BOOK' ? 1 : 2),
        crate: ({ upc }: { upc: string }) => ({ size: Number(upc), label: upc === '2' ? null : `crate ${upc}` }),
      },
      User: {
        __resolveReference: ({ id }: { id: string }) =>
          id === 'nobody' ? null : { id, name: `user ${id}`, email: id === 'u1' ? 'a@b' : null },
      },
    },
  );
}

export const fixtureSubgraphs: readonly Subgraph[] = [catalog(), reviews(), shipping()];

export const silentLog = createLog(process.env['TEST_LOG'] ?? 'silent', 'test');

export const staff: Caller = {
  kind: 'client',
  credentialId: 'staff',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read', 'graph:admin'],
  identifiers: [],
};

export const contextOf = (caller: Caller = staff) => requestContext(caller, '11111111-1111-4111-8111-111111111111');

export const fixtureContract = (documents: Record<string, string> = {}) => composeContract(fixtureSubgraphs, documents);

/** The gateway's key, for subgraphs behind HTTP. */
export const gatewayKey = newInternalKey();

export const fixtureConfig = {
  SUBGRAPH_URLS: {},
  ROLES: ['gateway'],
  INTERNAL_PRIVATE_KEY: gatewayKey,
  REQUEST_TIMEOUT_MS: 5_000,
  SUBGRAPH_TIMEOUT_MS: 4_000,
  GRAPH_PLANNER: 'apollo' as const,
};
