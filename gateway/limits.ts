// How large an operation may be: depth, aliases, tokens, and the objects it could return, variables included.
import {
  type ASTVisitor,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { pageSizeDefault } from '../subgraphs/shared/page';
import type { Variables } from './subgraph-client';

export const limits = {
  depthMax: 15,
  aliasesMax: 15,
  tokensMax: 1_000,
  /** Objects that the page sizes of one operation multiply to. */
  objectsMax: 10_000,
  bodyBytesMax: 256 * 1024,
} as const;

/** What a list without a page size is taken for. */
const plainListSize = 5;

type FragmentOf = (name: string) => FragmentDefinitionNode | null | undefined;

/** Validation rule: depth (introspection is exempt), aliases, and names that belong to the language. */
export function documentLimits(context: ValidationContext): ASTVisitor {
  const fragmentOf: FragmentOf = (name) => context.getFragment(name);
  return {
    OperationDefinition(operation) {
      const { depth, aliases } = measure(operation.selectionSet, fragmentOf, new Set());
      if (depth > limits.depthMax)
        report(context, operation, `the operation is ${depth} levels deep; at most ${limits.depthMax} are served`);
      if (aliases > limits.aliasesMax)
        report(context, operation, `the operation has ${aliases} aliases; at most ${limits.aliasesMax} are served`);
    },
    Field(field) {
      if (field.alias?.value.startsWith('__'))
        report(context, field, 'aliases that begin with two underscores belong to the language');
    },
  };
}

function report(context: ValidationContext, node: OperationDefinitionNode | FieldNode, message: string): void {
  context.reportError(new GraphQLError(message, { nodes: node }));
}

interface Measure {
  depth: number;
  aliases: number;
}

function measure(selectionSet: SelectionSetNode, fragmentOf: FragmentOf, within: ReadonlySet<string>): Measure {
  let depth = 0;
  let aliases = 0;
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field' && (selection.name.value === '__schema' || selection.name.value === '__type'))
      continue;
    const below = measureBelow(selection, fragmentOf, within);
    depth = Math.max(depth, below.depth);
    aliases += below.aliases;
    if (aliases > limits.tokensMax) break;
  }
  return { depth, aliases };
}

function measureBelow(
  selection: SelectionSetNode['selections'][number],
  fragmentOf: FragmentOf,
  within: ReadonlySet<string>,
): Measure {
  if (selection.kind === 'Field') {
    const own = selection.alias ? 1 : 0;
    const inner = selection.selectionSet
      ? measure(selection.selectionSet, fragmentOf, within)
      : { depth: 0, aliases: 0 };
    return { depth: inner.depth + 1, aliases: inner.aliases + own };
  }
  if (selection.kind === 'InlineFragment') return measure(selection.selectionSet, fragmentOf, within);
  const name = selection.name.value;
  const fragment = fragmentOf(name);
  // A cycle is refused by another rule of the same pass.
  if (!fragment || within.has(name)) return { depth: 0, aliases: 0 };
  return measure(fragment.selectionSet, fragmentOf, new Set(within).add(name));
}

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
  if (!root) return { isConstant: true, of: () => 0 };
  return below({ schema, fragments }, operation.selectionSet, root, false);
}

interface CountScope {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

function below(
  scope: CountScope,
  selectionSet: SelectionSetNode,
  type: GraphQLNamedType,
  isPaged: boolean,
): ObjectCount {
  const parts = selectionSet.selections.map((selection): ObjectCount => {
    if (selection.kind === 'Field') return countField(scope, selection, type, isPaged);
    const fragment = selection.kind === 'InlineFragment' ? selection : scope.fragments.get(selection.name.value);
    if (!fragment) return nothing;
    const narrowed = fragment.typeCondition ? scope.schema.getType(fragment.typeCondition.name.value) : type;
    return below(scope, fragment.selectionSet, narrowed ?? type, isPaged);
  });
  return {
    isConstant: parts.every(({ isConstant }) => isConstant),
    of: (variables) => parts.reduce((sum, part) => sum + part.of(variables), 0),
  };
}

const nothing: ObjectCount = { isConstant: true, of: () => 0 };

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
  return {
    isConstant: size.isConstant && inner.isConstant,
    of: (variables) => size.of(variables) * (1 + inner.of(variables)),
  };
}

function takesPageSize(field: GraphQLField<unknown, unknown>): boolean {
  return field.args?.some(({ name }) => name === 'first') ?? false;
}

function sizeOf(field: GraphQLField<unknown, unknown>, node: FieldNode, isPaged: boolean): ObjectCount {
  if (!takesPageSize(field)) return fixed(isListType(getNullableType(field.type)) && !isPaged ? plainListSize : 1);
  const value = node.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind === 'IntValue') return fixed(Number(value.value));
  if (value?.kind !== 'Variable') return fixed(pageSizeDefault);
  const name = value.name.value;
  const sizeIn = (variables: Variables) => (typeof variables[name] === 'number' ? variables[name] : pageSizeDefault);
  return { isConstant: false, of: (variables) => Math.max(1, sizeIn(variables)) };
}

function fixed(size: number): ObjectCount {
  return { isConstant: true, of: () => Math.max(1, size) };
}
