// One operation, ready to run any number of times: parsed, validated, planned and compiled; per call only variables are coerced.
import type { QueryPlan } from '@apollo/query-planner';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { getVariableValues } from 'graphql/execution/values';
import { type CallerContract, contractOf } from '../../subgraphs/shared/callers/audience';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { OperationTrace, RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { misplacedNull, refusal, wrongVariable } from '../errors';
import { UnknownPlanShape } from '../planner/plan-shape';
import type { Variables } from '../subgraphs/subgraph-client';
import { compilePlan, type ExecutePlan } from './compiled-plan';
import { validationFaults } from './document-check';
import { measureDocument } from './document-size';
import type { GatewayExecutor } from './gateway-executor';
import { isSchemaField, joinAnswers, partOf, rootFieldNames } from './introspection';
import { withLacksTold } from './lacking-answer';
import { limits } from './limits';
import { countObjects } from './object-count';
import { hashOf } from './operation-record';
import type { PlanScope } from './plan-fetch';
import { fragmentsOf, nullFinder, type Parsed, repeatsMutations } from './selection';
import { type UsedFields, usedFields } from './used-fields';

export interface PreparedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  /** Its name, or the hash of its text. */
  label: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** It asks for the schema itself. */
  introspects: boolean;
  /** `compiled`, or `gateway` when only the gateway's own executor knows the plan. */
  via: 'compiled' | 'gateway' | 'schema';
  /** How many it has, with fragments spread. */
  selections: number;
  /** What it asks for; worked out when somebody wants to know. */
  used(): UsedFields;
  /** What is wrong with it for whoever has that contract, as if nothing else existed; none for what is persisted. */
  faultsIn(contract: CallerContract): readonly GraphQLError[];
  /** The name of a variable that is null where null may not be; they are coerced. */
  findNull(coerced: Variables): string | undefined;
  execute(variables: Variables, context: RequestContext): Promise<ExecutionResult>;
}

export interface PreparationScope extends PlanScope {
  /** What is shown of the graph under a contract, made on first use. */
  schemaOf(contract: CallerContract): GraphQLSchema;
  /** The gateway's own executor, loaded on first use. */
  gatewayExecutor(): Promise<GatewayExecutor>;
}

const withoutVariables: { errors?: undefined; coerced: Variables } = { coerced: {} };

type RunPlan = (provided: Variables, coerced: Variables, context: RequestContext) => Promise<ExecutionResult>;

/** The plan of a document, asked for only when there is something to plan. */
type MakePlan = (document: DocumentNode) => QueryPlan | Promise<QueryPlan>;

export async function prepareOperation(
  scope: PreparationScope,
  parsed: Parsed,
  plan: MakePlan,
): Promise<PreparedOperation> {
  const { document, operation } = parsed;
  const fragments = fragmentsOf(document);
  const roots = rootFieldNames(operation.selectionSet, fragments);
  const introspects = roots.some(isSchemaField);
  const isSchemaOnly = introspects && roots.every((name) => isSchemaField(name) || name === '__typename');
  const { via, run } = isSchemaOnly
    ? { via: 'schema' as const, run: onSchema(scope, parsed) }
    : introspects
      ? await onBoth(scope, parsed, plan)
      : await onSubgraphs(scope, parsed, plan);
  const count = countObjects(scope.apiSchema, operation, fragments);
  const selected = { schema: scope.apiSchema, fragments };
  const repeats = repeatsMutations(selected, operation);
  const findNull = nullFinder(selected, operation);
  const definitions = operation.variableDefinitions ?? [];
  let used: UsedFields | undefined;
  // Whoever asks us to prepare has validated it against the widest contract.
  const faults: Partial<Record<CallerContract, readonly GraphQLError[]>> = { staff: [] };
  return {
    kind: operation.operation,
    name: operation.name?.value,
    label: operation.name?.value ?? hashOf(parsed.source),
    document,
    operation,
    introspects,
    via,
    selections: measureDocument(document).selections,
    used: () => {
      used ??= usedFields(scope.apiSchema, document, operation);
      return used;
    },
    faultsIn: (contract) => {
      faults[contract] ??= validationFaults(scope.schemaOf(contract), document);
      return faults[contract];
    },
    findNull,
    async execute(variables, context) {
      const { errors, coerced } =
        definitions.length === 0
          ? withoutVariables
          : getVariableValues(scope.apiSchema, definitions, variables, { maxErrors: 10 });
      if (errors) return { errors: errors.map((error) => refusal(wrongVariable(error))) };
      const noValue = findNull(coerced);
      if (noValue !== undefined) return { errors: [refusal(misplacedNull(noValue))] };
      // What a key keeps is found again by the mutation: the second one would be answered with the first one's result.
      if (context.idempotency && repeats(coerced)) return { errors: [oneCallPerKey()] };
      const objects = count.of(coerced);
      if (context.trace) context.trace.cost = objects;
      if (objects > limits.objectsMax) return { errors: [tooMany(objects)] };
      return run(variables, coerced, context);
    },
  };
}

/** What is wrong with an operation for that caller. What it asks for is there, and not for this one: an attempt like any other without a right. */
export function faultsFor(
  prepared: Pick<PreparedOperation, 'faultsIn'>,
  caller: Caller,
  trace: OperationTrace | undefined,
): readonly GraphQLError[] {
  const faults = prepared.faultsIn(contractOf(caller));
  if (faults.length > 0 && trace) trace.isForbidden = true;
  return faults;
}

interface Runner {
  via: PreparedOperation['via'];
  run: RunPlan;
}

async function onSubgraphs(scope: PreparationScope, parsed: Parsed, plan: MakePlan): Promise<Runner> {
  if (parsed.operation.operation !== 'subscription') {
    try {
      const compiled: ExecutePlan = compilePlan(scope, { ...parsed, plan: await plan(parsed.document) });
      return { via: 'compiled', run: (provided, coerced, context) => compiled({ provided, coerced, context }) };
    } catch (error) {
      if (!(error instanceof UnknownPlanShape)) throw error;
    }
  }
  const run: RunPlan = async (variables, _coerced, context) => {
    const executor = await scope.gatewayExecutor();
    return withLacksTold(await executor.execute({ ...parsed, variables, context }), { log: scope.log, context });
  };
  return { via: 'gateway', run };
}

/** The schema is asked for beside data. */
async function onBoth(scope: PreparationScope, parsed: Parsed, plan: MakePlan): Promise<Runner> {
  const describe = onSchema(scope, partOf(scope.apiSchema, parsed, 'schema'));
  const { via, run: answer } = await onSubgraphs(scope, partOf(scope.apiSchema, parsed, 'data'), plan);
  const join = joinAnswers(scope.apiSchema, parsed);
  return {
    via,
    run: async (...call) => join(await describe(...call), await answer(...call)),
  };
}

/** Each caller hears of the contract that is its own. */
function onSchema({ schemaOf }: PreparationScope, { document, operation }: Parsed): RunPlan {
  return async (variableValues, _coerced, { caller }) =>
    execute({
      schema: schemaOf(contractOf(caller)),
      document,
      variableValues,
      operationName: operation.name?.value,
    });
}

function oneCallPerKey(): GraphQLError {
  const message = 'one key stands for one call of a mutation: send each call that repeats one by itself';
  return refusal(new DomainError('invalidInput', message, { field: 'Idempotency-Key' }));
}

function tooMany(objects: number): GraphQLError {
  const message = `the operation could return ${objects} objects; at most ${limits.objectsMax} are served: ask for smaller pages`;
  return refusal(new DomainError('invalidInput', message, { field: 'first' }));
}
