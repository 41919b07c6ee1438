// From a subscription document to the one query that completes an event for every subscriber of that document.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parseType,
  print,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { getArgumentValues, getVariableValues } from 'graphql/execution/values';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/without-undefined';
import type { Graph } from '../plan/execute';
import type { PreparedOperation } from '../plan/prepared-operation';
import { collectFields, fragmentsOf } from '../plan/selection';
import type { Variables } from '../subgraphs/subgraph-client';
import { type SubscriptionField, subscriptionFields } from './subscription-field';

export interface PreparedSubscription {
  fieldName: string;
  field: SubscriptionField;
  owner: string;
  /** Cursor to resume after, as sent. */
  after: string | null;
  /** Completes one event; takes `variables` and the event's id under `eventVariable`. */
  query: PreparedOperation;
  eventVariable: string;
  /** What the query needs of the subscriber's variables. */
  variables: Variables;
  /** Equal for subscriptions that get equal bytes from the same caller's point of view. */
  key: string;
}

/** What a document alone decides, worked out once however many subscribe with it. */
interface Analysis {
  fieldName: string;
  field: SubscriptionField;
  definition: GraphQLField<unknown, unknown>;
  node: FieldNode;
  text: string;
  query: PreparedOperation;
  eventVariable: string;
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
  const { fieldName, field, definition, node, text, query, eventVariable, used } = await analysis;
  const definitions = operation.operation.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(graph.apiSchema, definitions, variables, { maxErrors: 1 });
  if (errors) throw new DomainError('invalidInput', 'a variable is missing or of the wrong type');
  const args = getArgumentValues(definition, node, coerced);
  const needed = pick(variables, used);
  const owner = String(args[field.ownerArgument]);
  const after = typeof args['after'] === 'string' ? args['after'] : null;
  const key = JSON.stringify([owner, text, needed]);
  return { fieldName, field, owner, after, query, eventVariable, variables: needed, key };
}

async function analyse(graph: Graph, operation: PreparedOperation): Promise<Analysis> {
  const node = rootField(graph, operation);
  const fieldName = node.name.value;
  const field = Object.hasOwn(subscriptionFields, fieldName) ? subscriptionFields[fieldName] : undefined;
  const definition = graph.apiSchema.getSubscriptionType()?.getFields()[fieldName];
  if (!field || !definition) throw new DomainError('invalidInput', `${fieldName} is not served`);
  const eventVariable = freshName(operation.operation.variableDefinitions ?? []);
  const { document } = operation;
  const query = eventDocument({ document, operation: operation.operation, node, field, eventVariable });
  const text = print(query);
  const used = (query.definitions[0] as OperationDefinitionNode).variableDefinitions ?? [];
  return {
    fieldName,
    field,
    definition,
    node,
    text,
    query: await graph.prepareValidated({ query: text }, query),
    eventVariable,
    used,
  };
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
  field: SubscriptionField;
  eventVariable: string;
}

function eventDocument({ document, operation, node, field, eventVariable }: EventDocumentParts): DocumentNode {
  const fragments = reachable(fragmentsOf(document), node);
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const variable = { kind: Kind.VARIABLE, name: name(eventVariable) } as const;
  const argument: ArgumentNode = { kind: Kind.ARGUMENT, name: name('eventId'), value: variable };
  const root: FieldNode = {
    kind: Kind.FIELD,
    alias: name(node.alias?.value ?? node.name.value),
    name: name(field.eventQuery),
    arguments: [argument],
    ...withoutUndefined({ selectionSet: node.selectionSet }),
  };
  const used = variablesIn([root, ...fragments]);
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    ...withoutUndefined({ name: operation.name }),
    variableDefinitions: [
      { kind: Kind.VARIABLE_DEFINITION, variable, type: parseType('ID!') },
      ...(operation.variableDefinitions ?? []).filter((definition) => used.has(definition.variable.name.value)),
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [root] },
  };
  return { kind: Kind.DOCUMENT, definitions: [query, ...fragments] };
}

function reachable(fragments: ReadonlyMap<string, FragmentDefinitionNode>, from: FieldNode): FragmentDefinitionNode[] {
  const found = new Map<string, FragmentDefinitionNode>();
  const follow = (node: FieldNode | FragmentDefinitionNode) => {
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

function variablesIn(nodes: readonly (FieldNode | FragmentDefinitionNode)[]): ReadonlySet<string> {
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

function freshName(definitions: readonly VariableDefinitionNode[]): string {
  const taken = new Set(definitions.map(({ variable }) => variable.name.value));
  let name = 'eventId';
  while (taken.has(name)) name = `${name}_`;
  return name;
}

function pick(variables: Variables, definitions: readonly VariableDefinitionNode[]): Variables {
  const names = definitions.map(({ variable }) => variable.name.value).filter((name) => Object.hasOwn(variables, name));
  return Object.fromEntries(names.map((name) => [name, variables[name]]));
}
