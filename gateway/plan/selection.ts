// Fields of a selection set, collected once per concrete type instead of once per request; conditions stay open until variables are known.
import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Variables } from '../subgraphs/subgraph-client';

/** One operation of a document that was read. */
export interface Parsed {
  source: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** `{ variable, is }`: the selection counts when that Boolean variable has that value. All of a list must hold. */
interface Condition {
  variable: string;
  is: boolean;
}

/** One place where a response name is selected, with the conditions on the way to it. */
interface Occurrence {
  node: FieldNode;
  conditions: readonly Condition[];
}

export interface CollectedField {
  responseName: string;
  fieldName: string;
  occurrences: Occurrence[];
}

export interface GuardedSelection {
  selectionSet: SelectionSetNode;
  conditions: readonly Condition[];
}

export interface SelectionScope {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Fields that a value of `type` answers, in the order of the document; selections that can never count are left out. */
export function collectFields(
  scope: SelectionScope,
  type: GraphQLCompositeType,
  selections: readonly GuardedSelection[],
): CollectedField[] {
  const fields = new Map<string, CollectedField>();
  for (const { selectionSet, conditions } of selections) collectFrom(scope, type, selectionSet, conditions, fields);
  return [...fields.values()];
}

function collectFrom(
  scope: SelectionScope,
  type: GraphQLCompositeType,
  selectionSet: SelectionSetNode,
  outer: readonly Condition[],
  fields: Map<string, CollectedField>,
): void {
  for (const selection of selectionSet.selections) {
    const conditions = conditionsOf(selection.directives ?? [], outer);
    if (!conditions) continue;
    if (selection.kind === 'Field') {
      const responseName = selection.alias?.value ?? selection.name.value;
      const known = fields.get(responseName);
      const field = known ?? { responseName, fieldName: selection.name.value, occurrences: [] };
      field.occurrences.push({ node: selection, conditions });
      if (!known) fields.set(responseName, field);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : scope.fragments.get(selection.name.value);
    if (!fragment) throw new Error('a fragment is spread that the document does not define');
    const condition = fragment.typeCondition?.name.value;
    if (condition === undefined || includesType(scope.schema, condition, type)) {
      collectFrom(scope, type, fragment.selectionSet, conditions, fields);
    }
  }
}

/** True when every value of `type` is also of the type called `condition`. */
function includesType(schema: GraphQLSchema, condition: string, type: GraphQLCompositeType): boolean {
  if (condition === type.name) return true;
  const wider = schema.getType(condition);
  return isAbstractType(wider) && 'getFields' in type && schema.isSubType(wider, type);
}

/** Conditions of @skip and @include added to the outer ones; null when the selection can never count. */
function conditionsOf(directives: readonly DirectiveNode[], outer: readonly Condition[]): readonly Condition[] | null {
  if (directives.length === 0) return outer;
  const conditions = [...outer];
  for (const directive of directives) {
    const wanted = directive.name.value === 'include' ? true : directive.name.value === 'skip' ? false : undefined;
    if (wanted === undefined) continue;
    const value = argument(directive.arguments, 'if');
    if (value?.kind === 'Variable') conditions.push({ variable: value.name.value, is: wanted });
    else if (value?.kind === 'BooleanValue' && value.value !== wanted) return null;
  }
  return conditions;
}

function argument(nodes: readonly ArgumentNode[] | undefined, name: string) {
  return nodes?.find((node) => node.name.value === name)?.value;
}

function holds(conditions: readonly Condition[], variables: Variables): boolean {
  return conditions.every(({ variable, is }) => variables[variable] === is);
}

/** Whether a field counts at all under these variables. */
export function isIncluded(field: CollectedField, variables: Variables): boolean {
  return field.occurrences.some(({ conditions }) => holds(conditions, variables));
}

/** Selection sets below a field, each with the conditions under which it counts. */
export function selectionsBelow(field: CollectedField): GuardedSelection[] {
  return field.occurrences.flatMap(({ node, conditions }) =>
    node.selectionSet ? [{ selectionSet: node.selectionSet, conditions }] : [],
  );
}

export function hasConditions(field: CollectedField): boolean {
  return field.occurrences.every(({ conditions }) => conditions.length > 0);
}

/** Whether a mutation would be done more than once under these variables; `tryX` does what `x` does. */
export function repeatsMutations(
  scope: SelectionScope,
  { operation, selectionSet }: OperationDefinitionNode,
): (variables: Variables) => boolean {
  const root = operation === 'mutation' ? scope.schema.getMutationType() : null;
  const fields = root ? collectFields(scope, root, [{ selectionSet, conditions: [] }]) : [];
  const acts = fields.filter(({ fieldName }) => fieldName !== '__typename');
  const nameOf = ({ fieldName }: CollectedField) =>
    fieldName.replace(/^try([A-Z])/, (_try, initial: string) => initial.toLowerCase());
  if (new Set(acts.map(nameOf)).size === acts.length) return () => false;
  return (variables) => {
    const done = acts.filter((field) => isIncluded(field, variables)).map(nameOf);
    return new Set(done).size < done.length;
  };
}

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** The fragments that a selection spreads, and that those spread, each once. */
export function reachable(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  from: FieldNode | OperationDefinitionNode,
): FragmentDefinitionNode[] {
  const found = new Map<string, FragmentDefinitionNode>();
  const follow = (node: FieldNode | OperationDefinitionNode | FragmentDefinitionNode) => {
    visit(node, {
      FragmentSpread({ name: { value } }) {
        const fragment = fragments.get(value);
        if (!fragment || found.has(value)) return;
        found.set(value, fragment);
        follow(fragment);
      },
    });
  };
  follow(from);
  return [...found.values()];
}

/** Names of the variables that are used. */
export function variablesIn(nodes: readonly (FieldNode | FragmentDefinitionNode)[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    visit(node, {
      Variable({ name }) {
        names.add(name.value);
      },
    });
  }
  return names;
}

/** The first variable of an operation that is null and counts where null may not be: its type has it for the sake of a default, its own or the place's. */
export function nullFinder(
  scope: SelectionScope,
  operation: OperationDefinitionNode,
): (coerced: Variables) => string | undefined {
  const anywhere = valuePlaces(scope, operation);
  const names = (operation.variableDefinitions ?? []).flatMap(({ variable: { name }, type }) =>
    type.kind !== Kind.NON_NULL_TYPE && anywhere.has(name.value) ? [name.value] : [],
  );
  return (coerced) => {
    const nulls = names.filter((name) => coerced[name] === null);
    if (nulls.length === 0) return undefined;
    const neverNull = valuePlaces(scope, operation, coerced);
    return nulls.find((name) => neverNull.has(name));
  };
}

/** Variables that stand where null may not be, in what counts under these values; anywhere without them. */
function valuePlaces(
  { schema, fragments }: SelectionScope,
  operation: OperationDefinitionNode,
  variables?: Variables,
): ReadonlySet<string> {
  const found = new Set<string>();
  const spread = new Set<string>();
  const info = new TypeInfo(schema);
  /** False: the visitor passes over what is below. */
  const enter = ({ directives = [] }: { readonly directives?: readonly DirectiveNode[] }) => {
    const conditions = conditionsOf(directives, []);
    for (const { variable } of conditions ?? []) if (!variables || variables[variable] === null) found.add(variable);
    return conditions && (!variables || holds(conditions, variables)) ? undefined : false;
  };
  const visitor = visitWithTypeInfo(info, {
    Field: enter,
    InlineFragment: enter,
    FragmentSpread(node) {
      if (enter(node) === undefined) spread.add(node.name.value);
    },
    Variable({ name }) {
      if (isNonNullType(info.getInputType())) found.add(name.value);
    },
  });
  visit(operation, visitor);
  // Those that are spread within them come after.
  for (const name of spread) {
    const fragment = fragments.get(name);
    if (fragment) visit(fragment, visitor);
  }
  return found;
}
