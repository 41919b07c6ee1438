// Which list of a document is exported, and the columns of its rows: read from the document and the schema, so that the head of a file does not depend on what is in it.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';

export interface ExportedList {
  /** Response names from the answer's data to the connection. */
  path: readonly string[];
  /** The variable that its `after` is asked with. */
  afterVariable: string;
  /** The variable that its `first` is asked with; null: it has a fixed one, or the usual. */
  firstVariable: string | null;
  /** What narrows it, its own arguments and those of all that leads to it, by name; pages left out. */
  narrowedBy: readonly NamedValue[];
  /** What variables are where nothing is given for them. */
  defaults: Record<string, unknown>;
  /** Of a row, in the order of the document; each leads from the node to a value or to a list, which is one value. */
  columns: readonly (readonly string[])[];
}

interface NamedValue {
  name: string;
  value: ValueNode;
}

interface ExportScope {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** A field of a selection, and what it answers. */
interface FieldPlace {
  path: string[];
  field: FieldNode;
  output: GraphQLOutputType;
}

/** A valid document's one list that can be gone through; refuses with `invalidInput` when it has none, or several. */
export function exportedList(schema: GraphQLSchema, text: string, operationName?: string): ExportedList {
  const { definitions } = parse(text);
  const operations = definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const operation = operations.find(({ name }) => operationName === undefined || name?.value === operationName);
  const root = schema.getQueryType();
  if (operation?.operation !== 'query' || !root) throw unfit('only a query can be exported');
  const fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [])),
  );
  const scope = { schema, fragments };
  const [list, ...others] = connectionsIn(scope, { selection: operation.selectionSet, parent: root, trail: [] });
  if (!list) throw unfit('no list of the document can be exported: ask one with edges, its `after` as a variable');
  if (others.length > 0) throw unfit('more than one list of the document could be exported: leave one');
  return { ...list, defaults: defaultsOf(operation) };
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

type FoundList = Omit<ExportedList, 'defaults'>;

interface SearchedSelection {
  selection: SelectionSetNode;
  parent: GraphQLNamedType;
  /** The fields that lead to it, outermost first. */
  trail: readonly FieldPlace[];
}

function connectionsIn(scope: ExportScope, { selection, parent, trail }: SearchedSelection): FoundList[] {
  return placesIn(scope, selection, parent, trail.at(-1)?.path ?? []).flatMap((place) => {
    const list = listAt(scope, place, trail);
    if (list) return [list];
    const { selectionSet } = place.field;
    return selectionSet && !isList(place)
      ? connectionsIn(scope, { selection: selectionSet, parent: typeOf(place), trail: [...trail, place] })
      : [];
  });
}

function listAt(scope: ExportScope, place: FieldPlace, trail: readonly FieldPlace[]): FoundList | null {
  const { field, path } = place;
  const afterVariable = variableOf(field, 'after');
  if (!field.selectionSet || afterVariable === null) return null;
  const inside = placesIn(scope, field.selectionSet, typeOf(place), []);
  const ofEdges = insideOf(scope, inside, 'edges');
  const nodes = selectionsOf(ofEdges, 'node');
  if (nodes.length === 0) return null;
  requirePlain(inside, 'edges');
  requirePlain(ofEdges, 'node');
  requirePageInfo(scope, inside);
  const columns = onceEach(nodes.flatMap(({ selection, parent }) => columnsIn(scope, selection, parent, [])));
  const before = trail.flatMap((one) => argumentsOf(one.field, one.path));
  const narrowedBy = [...before, ...argumentsOf(field, [])];
  return { path, afterVariable, firstVariable: variableOf(field, 'first'), narrowedBy, columns };
}

const paging: ReadonlySet<string> = new Set(['first', 'after', 'last', 'before']);

/** Under the path of what leads to the list; its own have none. */
function argumentsOf(field: FieldNode, path: readonly string[]): NamedValue[] {
  const narrowing = (field.arguments ?? []).filter(({ name }) => !paging.has(name.value));
  return narrowing.map(({ name, value }) => ({ name: [...path, name.value].join('.'), value }));
}

/** Rows are found by these names in every page. */
function requirePlain(places: readonly FieldPlace[], name: string): void {
  const renamed = places.find(({ field, path }) => field.name.value === name && path.at(-1) !== name);
  if (renamed) throw unfit(`an export needs ${name} under its own name`);
}

function requirePageInfo(scope: ExportScope, inside: readonly FieldPlace[]): void {
  requirePlain(inside, 'pageInfo');
  const names = new Set(insideOf(scope, inside, 'pageInfo').map(({ path }) => path.at(-1)));
  if (!names.has('hasNextPage') || !names.has('endCursor'))
    throw unfit('an export needs pageInfo { hasNextPage endCursor } beside the edges');
}

function columnsIn(
  scope: ExportScope,
  selection: SelectionSetNode,
  parent: GraphQLNamedType,
  path: string[],
): (readonly string[])[] {
  const columns = placesIn(scope, selection, parent, path).flatMap((place) => {
    const { selectionSet, name } = place.field;
    // Every document of a client asks for it; it tells something where there is a choice.
    if (name.value === TypeNameMetaFieldDef.name && !isAbstractType(parent)) return [];
    return selectionSet && !isList(place) ? columnsIn(scope, selectionSet, typeOf(place), place.path) : [place.path];
  });
  return onceEach(columns);
}

/** A field that is asked for several times is one column. */
function onceEach(columns: (readonly string[])[]): (readonly string[])[] {
  return [...new Map(columns.map((column) => [column.join('.'), column])).values()];
}

/** What each field of that name selects: one may stand there several times. */
function selectionsOf(places: readonly FieldPlace[], name: string) {
  return places.flatMap((place) => {
    const { name: own, selectionSet } = place.field;
    return own.value === name && selectionSet ? [{ selection: selectionSet, parent: typeOf(place) }] : [];
  });
}

function insideOf(scope: ExportScope, places: readonly FieldPlace[], name: string): FieldPlace[] {
  return selectionsOf(places, name).flatMap(({ selection, parent }) => placesIn(scope, selection, parent, []));
}

/** The fields of a selection with their fragments opened; several of one response name are looked at one by one. */
function placesIn(
  scope: ExportScope,
  selection: SelectionSetNode,
  parent: GraphQLNamedType,
  path: string[],
): FieldPlace[] {
  return selection.selections.flatMap((one): FieldPlace[] => {
    if (one.kind === Kind.FIELD) {
      const output = outputOf(one, parent);
      return output ? [{ path: [...path, (one.alias ?? one.name).value], field: one, output }] : [];
    }
    const fragment = one.kind === Kind.FRAGMENT_SPREAD ? scope.fragments.get(one.name.value) : one;
    if (!fragment) return [];
    const condition = fragment.typeCondition && scope.schema.getType(fragment.typeCondition.name.value);
    return placesIn(scope, fragment.selectionSet, condition ?? parent, path);
  });
}

function outputOf({ name }: FieldNode, parent: GraphQLNamedType): GraphQLOutputType | undefined {
  if (name.value === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef.type;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value]?.type : undefined;
}

function typeOf({ output }: FieldPlace): GraphQLNamedType {
  return getNamedType(output);
}

function isList({ output }: FieldPlace): boolean {
  return isListType(getNullableType(output));
}

function variableOf(field: FieldNode, argument: string): string | null {
  const value = field.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : null;
}

function unfit(message: string): DomainError {
  return new DomainError('invalidInput', message, { field: 'query' });
}
