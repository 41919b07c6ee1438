// When the answer of a plan's one fetch is the caller's as it is: a table of documents and of what their fetch asks.
import type { QueryPlan } from '@apollo/query-planner';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { isOneFetchOf } from '../../gateway/plan/same-selection';
import { fragmentsOf } from '../../gateway/plan/selection';

const schema = buildSchema(`
  type Query { book(id: ID): Book found: Found shelf: [Book!]! }
  type Book { id: ID! title: String author: Author }
  type Author { id: ID! name: String }
  union Found = Book | Author
`);

interface Row {
  asked: string;
  fetched: string;
  is: boolean;
  requires?: [];
}

const rows: Record<string, Row> = {
  'the same fields': { asked: '{ book { id title } }', fetched: '{book{id title}}', is: true },
  'lists and nested objects': {
    asked: 'query Q($id: ID) { book(id: $id) { author { name } } shelf { id } }',
    fetched: 'query Q__books__0($id:ID){book(id:$id){author{name}}shelf{id}}',
    is: true,
  },
  'a fragment of the same type': {
    asked: '{ book { ...Short } } fragment Short on Book { id title }',
    fetched: '{book{id title}}',
    is: true,
  },
  'a fragment of the fetch': {
    asked: '{ book { id } }',
    fetched: '{book{...F}} fragment F on Book{id}',
    is: true,
  },
  'an alias': { asked: '{ b: book { id } }', fetched: '{b:book{id}}', is: true },
  'a type name that was asked for': { asked: '{ book { __typename id } }', fetched: '{book{__typename id}}', is: true },
  'a type name that was not': { asked: '{ book { id } }', fetched: '{book{__typename id}}', is: false },
  'a key that was not asked for': { asked: '{ book { title } }', fetched: '{book{title id}}', is: false },
  'another order': { asked: '{ book { title id } }', fetched: '{book{id title}}', is: false },
  'another field under the same name': { asked: '{ book { a: title } }', fetched: '{book{a:id}}', is: false },
  'less than was asked for': { asked: '{ book { id title } }', fetched: '{book{id}}', is: false },
  'a condition': {
    asked: 'query ($yes: Boolean!) { book { id title @include(if: $yes) } }',
    fetched: 'query($yes:Boolean!){book{id title@include(if:$yes)}}',
    is: false,
  },
  'a union': {
    asked: '{ found { ... on Book { id } } }',
    fetched: '{found{...on Book{id}}}',
    is: false,
  },
  'a name that every object has': {
    asked: '{ book { constructor: title } }',
    fetched: '{book{constructor:title}}',
    is: true,
  },
  'entities of another fetch': { asked: '{ book { id } }', fetched: '{book{id}}', is: false, requires: [] },
};

/** Whether a plan of that node fetches what the document asks for, and nothing else. */
function isWhole(asked: string, node: object | undefined): boolean {
  const document = parse(asked);
  const operation = getOperationAST(document);
  const rootType = schema.getQueryType();
  if (!operation || !rootType) throw new Error('a row that is no query');
  const selected = {
    scope: { schema, fragments: fragmentsOf(document) },
    selections: [{ selectionSet: operation.selectionSet, conditions: [] }],
  };
  return isOneFetchOf(selected, rootType, { kind: 'QueryPlan', node } as QueryPlan);
}

test.each(Object.entries(rows))('%s', (_name, { asked, fetched, is, ...entity }) => {
  expect(isWhole(asked, { kind: 'Fetch', serviceName: 'books', operation: fetched, ...entity })).toBe(is);
});

test.each([
  ['nothing', undefined],
  ['two after each other', { kind: 'Sequence', nodes: [] }],
])('a plan of %s is no fetch', (_name, node) => expect(isWhole('{ book { id } }', node)).toBe(false));
