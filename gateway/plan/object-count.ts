// How many objects an operation could return: the page sizes of its lists multiplied, variables included.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isCompositeType,
  isListType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { pageSizeDefault } from '../../subgraphs/shared/lists/page';
import type { Variables } from '../subgraphs/subgraph-client';

/** What a list without a page size is taken for. */
const plainListSize = 5;

/** Objects that an operation could return, as a function of its variables; `isConstant` when they do not matter. */
export interface ObjectCount {
  isConstant: boolean;
  of(variables: Variables): number;
}

export function countObjects(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ObjectCount {
  const root = schema.getRootType(operation.operation);
  if (!root) return nothing;
  return below({ schema, fragments, known: new Map() }, operation.selectionSet, root, false);
}

interface CountScope {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Counts of fragments: one that is spread many times is counted once. */
  known: Map<string, ObjectCount>;
}

function below(
  scope: CountScope,
  selectionSet: SelectionSetNode,
  type: GraphQLNamedType,
  isPaged: boolean,
): ObjectCount {
  const parts = selectionSet.selections.map((selection): ObjectCount => {
    if (selection.kind === 'Field') return countField(scope, selection, type, isPaged);
    if (selection.kind === 'InlineFragment') return belowFragment(scope, selection, type, isPaged);
    const fragment = scope.fragments.get(selection.name.value);
    if (!fragment) return nothing;
    const key = `${selection.name.value} ${isPaged}`;
    const known = scope.known.get(key) ?? belowFragment(scope, fragment, type, isPaged);
    scope.known.set(key, known);
    return known;
  });
  const varying = parts.filter(({ isConstant }) => !isConstant);
  const constant = parts.reduce((sum, part) => (part.isConstant ? sum + part.of({}) : sum), 0);
  if (varying.length === 0) return always(constant);
  return { isConstant: false, of: (variables) => varying.reduce((sum, part) => sum + part.of(variables), constant) };
}

function belowFragment(
  scope: CountScope,
  { typeCondition, selectionSet }: Pick<FragmentDefinitionNode | InlineFragmentNode, 'typeCondition' | 'selectionSet'>,
  type: GraphQLNamedType,
  isPaged: boolean,
): ObjectCount {
  const narrowed = typeCondition ? scope.schema.getType(typeCondition.name.value) : type;
  return below(scope, selectionSet, narrowed ?? type, isPaged);
}

function always(objects: number): ObjectCount {
  return { isConstant: true, of: () => objects };
}

const nothing = always(0);

function countField(scope: CountScope, node: FieldNode, parent: GraphQLNamedType, isPaged: boolean): ObjectCount {
  const field =
    'getFields' in parent
      ? (parent.getFields()[node.name.value] as GraphQLField<unknown, unknown> | undefined)
      : undefined;
  if (!field || !node.selectionSet) return nothing;
  const named = getNamedType(field.type);
  if (!isCompositeType(named)) return nothing;
  const size = sizeOf(field, node, isPaged);
  const inner = below(scope, node.selectionSet, named, takesPageSize(field));
  if (size.isConstant && inner.isConstant) return always(size.of({}) * (1 + inner.of({})));
  return {
    isConstant: false,
    of: (variables) => size.of(variables) * (1 + inner.of(variables)),
  };
}

function takesPageSize(field: GraphQLField<unknown, unknown>): boolean {
  return field.args?.some(({ name }) => name === 'first') ?? false;
}

function sizeOf(field: GraphQLField<unknown, unknown>, node: FieldNode, isPaged: boolean): ObjectCount {
  const ids = idsOf(field, node);
  if (ids) return ids;
  if (!takesPageSize(field)) return fixed(isListType(getNullableType(field.type)) && !isPaged ? plainListSize : 1);
  const [last, first] = [givenSize(node, 'last'), givenSize(node, 'first')];
  // A list that is paged from its end has its size there, unless that is null; both at once are refused.
  const of = (variables: Variables) => Math.max(1, last.of(variables) ?? first.of(variables) ?? pageSizeDefault);
  return { isConstant: last.isConstant && first.isConstant, of };
}

/** The page size in that argument, as a function of the variables; null where it is not given, as for the list itself. */
function givenSize(
  { arguments: given = [] }: FieldNode,
  wanted: 'first' | 'last',
): { isConstant: boolean; of(variables: Variables): number | null } {
  const value = given.find(({ name }) => name.value === wanted)?.value;
  if (value?.kind !== 'Variable') {
    const size = value?.kind === 'IntValue' ? Number(value.value) : null;
    return { isConstant: true, of: () => size };
  }
  const name = value.name.value;
  return { isConstant: false, of: ({ [name]: size }) => (typeof size === 'number' ? size : null) };
}

/** A list by ids has as many items as ids are asked for. */
function idsOf(field: GraphQLField<unknown, unknown>, { arguments: given = [] }: FieldNode): ObjectCount | null {
  const argument = field.args.find(({ type }) => String(type) === '[ID!]!');
  const value = given.find(({ name }) => name.value === argument?.name)?.value;
  if (!value || !isListType(getNullableType(field.type))) return null;
  if (value.kind === 'ListValue') return fixed(value.values.length);
  if (value.kind !== 'Variable') return null;
  const name = value.name.value;
  // Null only where the field does not count under these variables.
  const lengthOf = (variables: Variables) => (variables[name] as readonly unknown[] | null)?.length ?? 0;
  return { isConstant: false, of: (variables) => Math.max(1, lengthOf(variables)) };
}

function fixed(size: number): ObjectCount {
  return always(Math.max(1, size));
}
