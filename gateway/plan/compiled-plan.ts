// From a query plan of the gateway's own planner to a function: fetches compiled, order and conditions kept, the result shaped for the caller.
import type { PlanNode, QueryPlan, SubscriptionNode } from '@apollo/query-planner';
import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { UnknownPlanShape } from '../planner/plan-shape';
import type { Variables } from '../subgraphs/subgraph-client';
import { withLacks } from './lacking-answer';
import { compileFetch, type PlanRun, type PlanScope, type PlanStep } from './plan-fetch';
import type { PlanPath } from './result-merge';
import { compileShaping } from './result-shaping';
import { isOneFetchOf } from './same-selection';
import { fragmentsOf } from './selection';

/** What one call brings: the variables as sent, and as coerced by the caller's operation (defaults filled in). */
interface PlanCall {
  provided: Variables;
  coerced: Variables;
  context: RequestContext;
}

export type ExecutePlan = (call: PlanCall) => Promise<ExecutionResult>;

export interface PlannedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  plan: QueryPlan;
}

/** Compiles a plan. Throws UnknownPlanShape for a plan that only the gateway's executor can run. */
export function compilePlan(scope: PlanScope, { document, operation, plan }: PlannedOperation): ExecutePlan {
  const step = plan.node ? compileNode(scope, plan.node, []) : () => {};
  const rootType = scope.apiSchema.getRootType(operation.operation);
  if (!rootType) throw new UnknownPlanShape(`no root type for a ${operation.operation}`);
  const selections = [{ selectionSet: operation.selectionSet, conditions: [] }];
  const asked = { schema: scope.apiSchema, fragments: fragmentsOf(document) };
  const shape = compileShaping(asked, rootType, selections);
  const isWhole = isOwn(scope, plan) && isOneFetchOf({ scope: asked, selections }, rootType, plan);
  return async ({ provided, coerced, context }) => {
    const run: PlanRun = { data: {}, provided, coerced, context, errors: [], absent: null };
    await step(run);
    if (isWhole && run.errors.length === 0) return { data: run.data };
    const { data, lacks } = shape(run.data, coerced, run.absent);
    const errors = withLacks(run.errors, lacks, { log: scope.log, context });
    return errors.length > 0 ? { errors, data } : { data };
  };
}

/** Whether its one subgraph runs in this process: its answers have been completed by the same types. */
function isOwn(scope: PlanScope, { node }: QueryPlan): boolean {
  return node?.kind === 'Fetch' && !scope.subgraph(node.serviceName).isAnswering;
}

function compileNode(scope: PlanScope, node: PlanNode | SubscriptionNode, path: PlanPath): PlanStep {
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((child) => compileNode(scope, child, path)));
    case 'Parallel':
      return inParallel(node.nodes.map((child) => compileNode(scope, child, path)));
    case 'Flatten':
      return compileNode(scope, node.node, [...path, ...planPath(node.path)]);
    case 'Fetch':
      return compileFetch(scope, node, path);
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      const whenTrue = ifClause ? compileNode(scope, ifClause, path) : () => {};
      const whenFalse = elseClause ? compileNode(scope, elseClause, path) : () => {};
      return (run) => (run.coerced[condition] === true ? whenTrue(run) : whenFalse(run));
    }
    default:
      throw new UnknownPlanShape(`a ${node.kind} node`);
  }
}

function planPath(path: readonly (string | number)[]): PlanPath {
  return path.map((part) => {
    if (typeof part === 'string' && !part.includes('|')) return part;
    if (typeof part === 'string' && /^(\|\w+)+$/.test(part)) return new Set(part.slice(1).split('|'));
    throw new UnknownPlanShape(`path part ${part}`);
  });
}

function inSequence(steps: readonly PlanStep[]): PlanStep {
  return async (run) => {
    for (const step of steps) {
      const pending = step(run);
      if (pending) await pending;
    }
  };
}

function inParallel(steps: readonly PlanStep[]): PlanStep {
  return (run) => {
    const pending = steps.map((step) => step(run)).filter((promise) => promise !== undefined);
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => {});
  };
}
