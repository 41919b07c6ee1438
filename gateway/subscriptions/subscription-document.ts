// From a subscription document to the one query that completes events for every subscriber of that document.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parseType,
  print,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import { getArgumentValues, getVariableValues } from 'graphql/execution/values';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { misplacedNull, wrongVariable } from '../errors';
import type { Graph } from '../plan/execute';
import type { PreparedOperation } from '../plan/prepared-operation';
import { collectFields, fragmentsOf, reachable, variablesIn } from '../plan/selection';
import type { Variables } from '../subgraphs/subgraph-client';
import { type EventFilter, readFilter } from './event-filter';
import { eventsQuery, logField, type OwnedField, ownedFields } from './subscription-field';

/** Whose events a subscription carries: one owner's, or all that its caller may see. */
export type Followed = { field: OwnedField; owner: string } | { filter: EventFilter };

export interface PreparedSubscription {
  fieldName: string;
  /** Under which name an event is told. */
  responseName: string;
  follows: Followed;
  /** Cursor to resume after, as sent. */
  after: string | null;
  /** How many of what came before are wanted first. */
  last: number;
  /** Completes events; takes `variables` and the events' ids under `eventsVariable`, answers a list under `responseName`. */
  query: PreparedOperation;
  eventsVariable: string;
  /** What the query needs of the subscriber's variables. */
  variables: Variables;
  /** Names under which the cursor is selected, by the type of the event. */
  cursorNames: ReadonlyMap<string, readonly string[]>;
  /** A look at something of it stands in the audit, under the name of whoever was shown it. */
  isAudited: boolean;
  /** Equal for subscriptions that get equal bytes from the same caller's point of view. */
  key: string;
}

/** What a document alone decides, worked out once however many subscribe with it. */
interface Analysis
  extends Pick<
    PreparedSubscription,
    'fieldName' | 'responseName' | 'query' | 'eventsVariable' | 'cursorNames' | 'isAudited'
  > {
  /** Null: the whole log. */
  field: OwnedField | null;
  definition: GraphQLField<unknown, unknown>;
  node: FieldNode;
  text: string;
  used: readonly VariableDefinitionNode[];
}

const analyses = new WeakMap<PreparedOperation, Promise<Analysis>>();

/** Refuses what is not one known subscription field with good arguments. */
export async function prepareSubscription(
  graph: Graph,
  operation: PreparedOperation,
  variables: Variables,
): Promise<PreparedSubscription> {
  let analysis = analyses.get(operation);
  if (!analysis) {
    analysis = analyse(graph, operation);
    analyses.set(operation, analysis);
  }
  const { field, definition, node, text, used, ...prepared } = await analysis;
  const definitions = operation.operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(graph.apiSchema, definitions, variables, { maxErrors: 1 });
  const [error] = errors ?? [];
  if (error) throw wrongVariable(error);
  const noValue = operation.findNull(coerced ?? {});
  if (noValue !== undefined) throw misplacedNull(noValue);
  const args = getArgumentValues(definition, node, coerced);
  const needed = pick(variables, used);
  const after = typeof args['after'] === 'string' ? args['after'] : null;
  const last = readLast(args['last'] ?? 0);
  const owner = field ? String(args[field.ownerArgument]) : null;
  const follows = field ? { field, owner: String(owner) } : { filter: readFilter(args['filter']) };
  const key = JSON.stringify([owner ?? filterKey(args['filter']), text, needed]);
  return { ...prepared, follows, after, last, variables: needed, key };
}

const lastMax = 200;

/** 0: none of them. */
function readLast(given: unknown): number {
  const last = Number(given);
  if (last >= 0 && last <= lastMax) return last;
  throw new DomainError('invalidInput', `last is a number from 0 to ${lastMax}`, { field: 'last' });
}

/** Equal for filters that want the same. */
function filterKey(given: unknown): unknown {
  return Object.entries((given ?? {}) as Record<string, readonly string[] | null>)
    .filter(([, values]) => values !== null)
    .map(([name, values]) => [name, [...new Set(values)].sort()])
    .sort();
}

async function analyse(graph: Graph, operation: PreparedOperation): Promise<Analysis> {
  const node = rootField(graph, operation);
  const fieldName = node.name.value;
  const field = Object.hasOwn(ownedFields, fieldName) ? (ownedFields[fieldName] ?? null) : null;
  const definition = graph.apiSchema.getSubscriptionType()?.getFields()[fieldName];
  if (!(field || fieldName === logField) || !definition)
    throw new DomainError('invalidInput', `${fieldName} is not served`);
  const eventsVariable = freshName(operation.operation.variableDefinitions ?? []);
  const { document } = operation;
  const query = eventsDocument({ document, operation: operation.operation, node, field, eventsVariable });
  const text = print(query);
  const prepared = await graph.prepareValidated({ query: text }, query);
  const used = (query.definitions[0] as OperationDefinitionNode).variableDefinitions ?? [];
  return {
    fieldName,
    responseName: node.alias?.value ?? fieldName,
    field,
    definition,
    node,
    text,
    query: prepared,
    eventsVariable,
    cursorNames: field ? new Map() : cursorNamesOf(graph, document, node),
    isAudited: graph.showsUnmasked(prepared),
    used,
  };
}

/** The fields of each type of event that answer its cursor. */
function cursorNamesOf({ apiSchema: schema }: Graph, document: DocumentNode, { selectionSet }: FieldNode) {
  const type = schema.getType(eventsQuery.type);
  if (!isAbstractType(type) || !selectionSet) throw new Error(`${eventsQuery.type} is no interface of this graph`);
  const scope = { schema, fragments: fragmentsOf(document) };
  return new Map(
    schema.getPossibleTypes(type).map((possible) => {
      const fields = collectFields(scope, possible, [{ selectionSet, conditions: [] }]);
      const cursors = fields.filter(({ fieldName }) => fieldName === 'cursor');
      return [possible.name, cursors.map(({ responseName }) => responseName)];
    }),
  );
}

/** The single root field; conditions on it, or a second occurrence of it, would make "one event" ambiguous. */
function rootField(graph: Graph, { document, operation }: PreparedOperation): FieldNode {
  const type = graph.apiSchema.getSubscriptionType();
  if (!type) throw new DomainError('invalidInput', 'the graph has no subscriptions');
  const scope = { schema: graph.apiSchema, fragments: fragmentsOf(document) };
  const fields = collectFields(scope, type, [{ selectionSet: operation.selectionSet, conditions: [] }]);
  const occurrence = fields[0]?.occurrences[0];
  const isSingle = fields.length === 1 && fields[0]?.occurrences.length === 1 && occurrence?.conditions.length === 0;
  if (!occurrence || !isSingle)
    throw new DomainError('invalidInput', 'subscribe to exactly one field, without conditions');
  return occurrence.node;
}

interface EventDocumentParts {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  node: FieldNode;
  field: OwnedField | null;
  eventsVariable: string;
}

function eventsDocument({ document, operation, node, field, eventsVariable }: EventDocumentParts): DocumentNode {
  const fragments = reachable(fragmentsOf(document), node);
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const variable = { kind: Kind.VARIABLE, name: name(eventsVariable) } as const;
  const argument: ArgumentNode = { kind: Kind.ARGUMENT, name: name(eventsQuery.argument), value: variable };
  const root: FieldNode = {
    kind: Kind.FIELD,
    alias: name(node.alias?.value ?? node.name.value),
    name: name(eventsQuery.name),
    arguments: [argument],
    ...withoutUndefined({ selectionSet: field ? narrowed(node.selectionSet, field.type) : node.selectionSet }),
  };
  const used = variablesIn([root, ...fragments]);
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    ...withoutUndefined({ name: operation.name }),
    variableDefinitions: [
      { kind: Kind.VARIABLE_DEFINITION, variable, type: parseType('[ID!]!') },
      ...(operation.variableDefinitions ?? []).filter((definition) => used.has(definition.variable.name.value)),
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [root] },
  };
  return { kind: Kind.DOCUMENT, definitions: [query, ...fragments] };
}

/** What is selected of one type, asked of the interface. */
function narrowed(selectionSet: SelectionSetNode | undefined, type: string): SelectionSetNode | undefined {
  if (!selectionSet) return undefined;
  const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } } as const;
  return { kind: Kind.SELECTION_SET, selections: [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }] };
}

function freshName(definitions: readonly VariableDefinitionNode[]): string {
  const taken = new Set(definitions.map(({ variable }) => variable.name.value));
  let name = 'eventIds';
  while (taken.has(name)) name = `${name}_`;
  return name;
}

function pick(variables: Variables, definitions: readonly VariableDefinitionNode[]): Variables {
  const names = definitions.map(({ variable }) => variable.name.value).filter((name) => Object.hasOwn(variables, name));
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}
