// One operation, ready to run any number of times: parsed, validated, planned and compiled; per call only variables are coerced.
import type { QueryPlan } from '@apollo/query-planner';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { getVariableValues } from 'graphql/execution/values';
import type { RequestContext } from '../subgraphs/shared/context';
import { DomainError } from '../subgraphs/shared/errors';
import { compilePlan, type ExecutePlan } from './compiled-plan';
import { refusal } from './errors';
import type { GatewayExecutor } from './gateway-executor';
import { limits } from './limits';
import { countObjects } from './object-count';
import { type PlanScope, UnknownPlanShape } from './plan-fetch';
import { fragmentsOf } from './selection';
import type { Variables } from './subgraph-client';

export interface PreparedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** It asks for the schema itself. */
  introspects: boolean;
  /** `compiled`, or `gateway` when only the gateway's own executor knows the plan. */
  via: 'compiled' | 'gateway' | 'schema';
  execute(variables: Variables, context: RequestContext): Promise<ExecutionResult>;
}

export interface Parsed {
  source: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

export interface PreparationScope extends PlanScope {
  /** The gateway's own executor, loaded on first use. */
  gatewayExecutor(): Promise<GatewayExecutor>;
}

const withoutVariables: { errors?: undefined; coerced: Variables } = { coerced: {} };

type Run = (provided: Variables, coerced: Variables, context: RequestContext) => Promise<ExecutionResult>;

/** `plan` is asked for only when there is something to plan. */
export async function prepareOperation(
  scope: PreparationScope,
  parsed: Parsed,
  plan: () => QueryPlan | Promise<QueryPlan>,
): Promise<PreparedOperation> {
  const { document, operation } = parsed;
  const fragments = fragmentsOf(document);
  const roots = rootFieldNames(operation.selectionSet, fragments);
  const introspects = roots.some(isSchemaField);
  const isSchemaOnly = introspects && roots.every((name) => isSchemaField(name) || name === '__typename');
  const { via, run } = isSchemaOnly
    ? { via: 'schema' as const, run: onSchema(scope.apiSchema, parsed) }
    : await onSubgraphs(scope, parsed, { mustFallBack: introspects, plan });
  const count = countObjects(scope.apiSchema, operation, fragments);
  const definitions = operation.variableDefinitions ?? [];
  return {
    kind: operation.operation,
    name: operation.name?.value,
    document,
    operation,
    introspects,
    via,
    async execute(variables, context) {
      const { errors, coerced } =
        definitions.length === 0
          ? withoutVariables
          : getVariableValues(scope.apiSchema, definitions, variables, { maxErrors: 10 });
      if (errors) return { errors: errors.map(wrongVariable) };
      const objects = count.of(coerced);
      if (objects > limits.objectsMax) return { errors: [tooMany(objects)] };
      return run(variables, coerced, context);
    },
  };
}

async function onSubgraphs(
  scope: PreparationScope,
  parsed: Parsed,
  { mustFallBack, plan }: { mustFallBack: boolean; plan: () => QueryPlan | Promise<QueryPlan> },
): Promise<{ via: PreparedOperation['via']; run: Run }> {
  if (!mustFallBack && parsed.operation.operation !== 'subscription') {
    try {
      const compiled: ExecutePlan = compilePlan(scope, { ...parsed, plan: await plan() });
      return { via: 'compiled', run: (provided, coerced, context) => compiled({ provided, coerced, context }) };
    } catch (error) {
      if (!(error instanceof UnknownPlanShape)) throw error;
    }
  }
  const run: Run = async (variables, _coerced, context) => {
    const executor = await scope.gatewayExecutor();
    return executor.execute({ ...parsed, variables, context });
  };
  return { via: 'gateway', run };
}

function onSchema(schema: GraphQLSchema, { document, operation }: Parsed): Run {
  return async (variableValues) =>
    execute({ schema, document, variableValues, ...(operation.name ? { operationName: operation.name.value } : {}) });
}

function isSchemaField(name: string): boolean {
  return name === '__schema' || name === '__type';
}

function rootFieldNames(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): string[] {
  return selectionSet.selections.flatMap((selection) => {
    if (selection.kind === 'Field') return [selection.name.value];
    const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    return fragment ? rootFieldNames(fragment.selectionSet, fragments) : [];
  });
}

/** The library's message repeats the value, which may be a card number: only the place is told. */
function wrongVariable(error: GraphQLError): GraphQLError {
  const variable = /^Variable "\$(\w+)"/.exec(error.message)?.[1] ?? 'variables';
  const field = / at "([\w.[\]]+)";/.exec(error.message)?.[1] ?? variable;
  return refusal(new DomainError('invalidInput', `variable $${variable} is missing or of the wrong type`, { field }));
}

function tooMany(objects: number): GraphQLError {
  const message = `the operation could return ${objects} objects; at most ${limits.objectsMax} are served: ask for smaller pages`;
  return refusal(new DomainError('invalidInput', message, { field: 'first' }));
}
