// Hive Router's query planner (MIT, Rust, its own reading of the federation specification) behind the same interface: its plans, said in the words of those that this gateway compiles.
import type { FetchNode, PlanNode, QueryPlan, QueryPlanSelectionNode } from '@apollo/query-planner';
import type { QueryPlanner, PlanNode as TheirNode } from '@graphql-hive/router-query-planner';
import {
  type DocumentNode,
  type FieldNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  print,
  stripIgnoredCharacters,
  type VariableNode,
  visit,
} from 'graphql';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { fragmentsOf, reachable, variablesIn } from '../plan/selection';
import { UnknownPlanShape } from './plan-shape';

/** No label of a progressive @override is active: none is used here. */
const noLabels = new Set<string>();

/** Loads the add-on and opens the supergraph in it (about a fifth of a second). */
export async function loadHivePlanner(supergraphSdl: string) {
  const { QueryPlanner } = await import('@graphql-hive/router-query-planner');
  const planner = new QueryPlanner(supergraphSdl);
  return {
    plan: (document: DocumentNode, operationName: string | undefined) => planOf(planner, document, operationName),
  };
}

function planOf(planner: QueryPlanner, document: DocumentNode, operationName: string | undefined): QueryPlan {
  const { node } = ask(planner, document, operationName);
  return node ? { kind: 'QueryPlan', node: nodeOf(node) } : { kind: 'QueryPlan' };
}

/** What it cannot plan (some conditions on fragments within each other) is left to the gateway's own executor. */
function ask(planner: QueryPlanner, document: DocumentNode, operationName: string | undefined) {
  try {
    return planner.plan(print(document), operationName, noLabels, 0);
  } catch (error) {
    throw new UnknownPlanShape(`no plan of Hive Router: ${error instanceof Error ? error.message : error}`);
  }
}

function nodeOf(node: TheirNode): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map(nodeOf) };
    case 'Flatten':
      return { kind: 'Flatten', path: pathOf(node.path), node: nodeOf(node.node) };
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      return {
        kind: 'Condition',
        condition,
        ...withoutUndefined({
          ifClause: ifClause ? nodeOf(ifClause) : undefined,
          elseClause: elseClause ? nodeOf(elseClause) : undefined,
        }),
      };
    }
    case 'Fetch':
      return fetchOf(node);
    case 'BatchFetch':
      return apart(node);
    default:
      throw new UnknownPlanShape(`a ${node.kind} node`);
  }
}

type TheirFetch = Extract<TheirNode, { kind: 'Fetch' }>;
type TheirBatch = Extract<TheirNode, { kind: 'BatchFetch' }>;
type TheirPath = Extract<TheirNode, { kind: 'Flatten' }>['path'];

/** Of a path that begins with the operation's own type nothing is said by it: the root has no name of its type. */
function pathOf(path: TheirPath): string[] {
  const [first, ...rest] = path;
  return (typeof first === 'object' && 'TypeCondition' in first ? rest : path).map(partOf);
}

/** A name, `@` for every element of a list, or `|Type|Type` for the objects of these types. */
function partOf(part: TheirPath[number]): string {
  if (part === '@') return part;
  return 'Field' in part ? part.Field : part.TypeCondition.map((name) => `|${name}`).join('');
}

function fetchOf(node: Omit<TheirFetch, 'kind'>): FetchNode {
  const { serviceName, operation, operationName, operationKind = 'query', variableUsages = [], requires } = node;
  if (node.inputRewrites?.length || node.outputRewrites?.length)
    throw new UnknownPlanShape(`rewrites in a fetch from ${serviceName}`);
  return {
    kind: 'Fetch',
    serviceName,
    operation,
    operationName,
    operationKind: operationKind as OperationTypeNode,
    variableUsages,
    ...withoutUndefined({ requires: requires as QueryPlanSelectionNode[] | undefined }),
  };
}

/** One call for entities of several places, taken apart into a call for each place: what is asked, and for which objects, stays the same. */
function apart({ serviceName, operation, entityBatch, variableUsages = [] }: TheirBatch): PlanNode {
  const document = parse(operation);
  const nodes = entityBatch.aliases.flatMap(({ alias, paths, ...batched }): PlanNode[] => {
    const own = ofAlias(document, alias);
    const usages = variableUsages.filter((name) => own.variables.has(name));
    const fetch = fetchOf({ ...batched, serviceName, operation: own.operation, variableUsages: usages });
    return paths.map((path) => ({ kind: 'Flatten', path: pathOf(path), node: fetch }));
  });
  return { kind: 'Parallel', nodes };
}

/** The part of a batched document that stands under one alias, as an operation on `representations`. */
function ofAlias(document: DocumentNode, alias: string): { operation: string; variables: ReadonlySet<string> } {
  const batch = getOperationAST(document);
  const field = batch?.selectionSet.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.alias?.value === alias,
  );
  if (!batch || !field) throw new UnknownPlanShape(`a batch without its ${alias}`);
  const { alias: _alias, ...unaliased } = field;
  const fragments = reachable(fragmentsOf(document), field);
  const variables = variablesIn([field, ...fragments]);
  const own: OperationDefinitionNode = {
    ...batch,
    variableDefinitions: batch.variableDefinitions?.filter(({ variable }) => variables.has(variable.name.value)) ?? [],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [unaliased] },
  };
  const given = field.arguments?.find(({ name }) => name.value === 'representations')?.value;
  const renamed = visit(own, {
    [Kind.VARIABLE]: (variable: VariableNode) =>
      given?.kind === Kind.VARIABLE && variable.name.value === given.name.value
        ? { ...variable, name: { ...variable.name, value: 'representations' } }
        : undefined,
  });
  const operation = print({ kind: Kind.DOCUMENT, definitions: [renamed, ...fragments] });
  return { operation: stripIgnoredCharacters(operation), variables };
}
