// The questions that can be asked of every list of the graph, read from the schema: by each filter and in each order.
import {
  buildSchema,
  type GraphQLField,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { contract } from '../support/graph-contract';
import type { Asked, ListPlan } from './list-plan';
import { dayOf, timeOf } from './row-place';

const schema = buildSchema(contract.apiSdl);

/** One list asked by one filter, or in one order. */
export interface ListCase {
  list: string;
  /** The argument or filter that is asked by; null: none. */
  by: string | null;
  order: Record<string, string>;
}

const paging = new Set(['first', 'after', 'last', 'before']);

function fieldOf(list: string): GraphQLField<unknown, unknown> {
  const [typeName = '', fieldName = ''] = list.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field) throw new Error(`the graph has no list ${list}`);
  return field;
}

const isConnection = (field: GraphQLField<unknown, unknown>) => getNamedType(field.type).name.endsWith('Connection');

/** Every field that answers with a connection, or with a list for arguments or of a query. */
export function listsOfGraph(): string[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  return types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      const isAsked = (field: GraphQLField<unknown, unknown>) =>
        isListType(getNullableType(field.type)) && (type === schema.getQueryType() || field.args.length > 0);
      const lists = Object.values(type.getFields()).filter((field) => isConnection(field) || isAsked(field));
      return lists.map(({ name }) => `${type.name}.${name}`);
    });
}

export const isPagedList = (list: string): boolean => isConnection(fieldOf(list));

/** By nothing, by each filter, and by nothing in each order. */
export function casesOf(list: string, { always = {} }: ListPlan): ListCase[] {
  const filters: string[] = [];
  let orders: Record<string, string>[] = [{}];
  for (const { name, type } of fieldOf(list).args) {
    const named = getNamedType(type);
    if (paging.has(name) || name in always) continue;
    if (isInputObjectType(named)) filters.push(...Object.keys(named.getFields()));
    else if (isEnumType(named) && /^(order|sort)/.test(name))
      orders = orders.flatMap((order) => named.getValues().map((value) => ({ ...order, [name]: value.name })));
    else filters.push(name);
  }
  return [...orders.map((order) => ({ list, by: null, order })), ...filters.map((by) => ({ list, by, order: {} }))];
}

/** What nothing can fit: the two ends of each range the wrong way round, each list without a value, and words that there are not. */
export interface ImpossibleCase {
  list: string;
  /** What the refusal names. */
  field: string;
  values: Record<string, unknown>;
}

/** The name of a range's other end; its own where there is none. */
const endOf = (start: string): string =>
  start
    .replace(/^min/, 'max')
    .replace(/^from/, 'to')
    .replace(/From$/, 'To')
    .replace(/^since$/, 'until');

export function impossibleOf(list: string): ImpossibleCase[] {
  const all = fieldOf(list).args.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) ? Object.values(named.getFields()) : [{ name, type }];
  });
  const caseOf = (field: string, value: unknown) => ({ list, field, values: { [field]: value } });
  return all.flatMap(({ name, type }) => {
    if (isListType(getNullableType(type))) return [[], ...unknownOf(name, type)].map((value) => caseOf(name, value));
    if (unknownOf(name, type).length > 0) return unknownOf(name, type).map((value) => caseOf(name, value));
    const end = endOf(name);
    if (end === name || !all.some((other) => other.name === end)) return [];
    const [earlier, later] = endsOf(name, String(getNullableType(type)));
    return [{ list, field: name, values: { [name]: later, [end]: earlier } }];
  });
}

/** Text that is none of the words of a field, by its name: alone, and behind one that is. */
const unknownWords: Record<string, readonly unknown[]> = {
  currency: ['ZZZ', 'eur', ''],
  currencies: [['EUR', 'ZZZ'], ['eur']],
  action: ['payment.refund', ''],
  actions: [['payment.refunded', 'payment.refund']],
};

/** What nothing can be called. */
function unknownOf(name: string, type: GraphQLType): readonly unknown[] {
  return getNamedType(type).name === 'String' ? (unknownWords[name] ?? []) : [];
}

function endsOf(name: string, type: string): [unknown, unknown] {
  if (name.endsWith('Amount')) return ['1', '2'];
  return type === 'DateTimeISO' ? [timeOf(1), timeOf(2)] : [dayOf(1), dayOf(2)];
}

/** The document and the variables of a case. */
export function questionOf({ list, by, order }: ListCase, plan: ListPlan, value?: Asked['rare'], part: Part = 'page') {
  return documentOf(list, plan, order, by === null ? {} : { [by]: value }, part);
}

/** What of a list is asked for: items, or how many it has. */
type Part = 'page' | 'total';

const selections: Record<Part, string> = {
  page: '{ edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }',
  total: '{ totalCount { value isExact } }',
};

/** The same, asked by several filters or arguments. */
export function documentOf(
  list: string,
  { parent, always = {} }: ListPlan,
  order: Record<string, string>,
  asked: Record<string, unknown>,
  part: Part = 'page',
) {
  const field = fieldOf(list);
  const given: Record<string, unknown> = { ...always, ...order };
  const filter = field.args.find(({ type }) => isInputObjectType(getNamedType(type)));
  for (const [name, value] of Object.entries(asked)) {
    if (field.args.some((argument) => argument.name === name)) given[name] = value;
    else given[String(filter?.name)] = { ...(given[String(filter?.name)] as object), [name]: value };
  }
  const used = field.args.filter(({ name }) => name in given || (isConnection(field) && paging.has(name)));
  const declared = used.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isConnection(field) ? selections[part] : '{ __typename }';
  const found = `found: ${field.name}${passed ? `(${passed})` : ''} ${selection}`;
  const query = `query${declared ? `(${declared})` : ''} { ${parent ? `parent: ${parent} { ${found} }` : found} }`;
  return { query, variables: given, isPaged: isConnection(field) };
}
