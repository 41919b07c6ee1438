// A call of any root field with just enough arguments to be valid, made from the schema: what matters is who gets past the rule, not what is answered.
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

export interface RootField {
  root: 'Query' | 'Mutation' | 'Subscription';
  field: string;
  /** A document that calls it. */
  document: string;
}

const roots = ['Query', 'Mutation', 'Subscription'] as const;
const ofFederation = new Set(['_service', '_entities']);

export function rootFields(schema: GraphQLSchema): RootField[] {
  return roots.flatMap((root) =>
    Object.values(schema.getType(root) ? rootType(schema, root).getFields() : {})
      .filter(({ name }) => !ofFederation.has(name))
      .map(({ name, args, type }) => {
        const given = args.filter(isNeeded).map((arg) => `${arg.name}: ${literal(arg.type)}`);
        const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
        const call = `${name}${given.length > 0 ? `(${given.join(', ')})` : ''}${selection}`;
        return { root, field: name, document: `${root.toLowerCase()} { ${call} }` };
      }),
  );
}

function rootType(schema: GraphQLSchema, root: (typeof roots)[number]) {
  const types = {
    Query: schema.getQueryType(),
    Mutation: schema.getMutationType(),
    Subscription: schema.getSubscriptionType(),
  };
  const type = types[root];
  if (!type) throw new Error(`there is no ${root}`);
  return type;
}

function isNeeded({ type, defaultValue }: Pick<GraphQLArgument, 'type' | 'defaultValue'>): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter(isNeeded);
    return `{ ${needed.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')} }`;
  }
  return scalars[type.name] ?? '"x"';
}

const scalars: Record<string, string> = {
  Int: '1',
  Float: '1',
  Boolean: 'true',
  JSONObject: '{}',
  DateTimeISO: '"2026-11-21T12:00:00Z"',
};
