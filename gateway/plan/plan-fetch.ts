// One Fetch of a query plan: representations out of what is known, one call to a subgraph, its answer merged back (entities asked for once each).

import type { FetchNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import { GraphQLError, type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Log } from '../../subgraphs/shared/log/log';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { type ErrorPath, refusal } from '../errors';
import { UnknownPlanShape } from '../planner/plan-shape';
import type {
  ResultObject,
  SubgraphClient,
  SubgraphOperation,
  SubgraphResult,
  Variables,
} from '../subgraphs/subgraph-client';
import { mergeInto, namesIn, objectsAt, type PlanPath, responsePathsAt } from './result-merge';

/** One run of a plan. */
export interface PlanRun {
  data: ResultObject;
  /** As the caller sent them; each subgraph coerces them by its own operation. */
  provided: Variables;
  /** With defaults, as conditions read them. */
  coerced: Variables;
  context: RequestContext;
  errors: GraphQLError[];
  /** What a subgraph answered with null as a whole. */
  absent: Set<ResultObject> | null;
}

export type PlanStep = (run: PlanRun) => void | Promise<void>;

export interface PlanScope {
  apiSchema: GraphQLSchema;
  log: Log;
  subgraph(name: string): SubgraphClient;
}

export function compileFetch(scope: PlanScope, node: FetchNode, path: PlanPath): PlanStep {
  if (node.inputRewrites?.length || node.outputRewrites?.length || node.contextRewrites?.length) {
    throw new UnknownPlanShape(`rewrites in a fetch from ${node.serviceName}`);
  }
  const call = traced(node.serviceName, scope.subgraph(node.serviceName).prepare(node.operation, node.operationName));
  const usages = node.variableUsages ?? [];
  if (!node.requires) return rootFetch(call, usages, path);
  return entityFetch({ call, usages, path, represent: compileRequires(scope, node.requires) });
}

function traced(name: string, call: SubgraphOperation): SubgraphOperation {
  return (variables, context) => {
    const { trace } = context;
    trace?.subgraphs.add(name);
    if (!trace?.span) return call(variables, context);
    return trace.span.fetch(name, (traceparent) => call(variables, context, traceparent));
  };
}

function rootFetch(call: SubgraphOperation, usages: readonly string[], path: PlanPath): PlanStep {
  return (run) => {
    const targets = objectsAt(run.data, path);
    if (targets.length === 0) return;
    const merge = (result: SubgraphResult) => {
      // Nothing without an error is a lack, and told as such.
      const isRefused = result.data === null && result.errors !== undefined;
      for (const target of targets) {
        if (isRefused) leaveOut(run, target);
        else mergeInto(target, result.data);
      }
      for (const error of result.errors ?? [])
        run.errors.push(relocated(error, error.path ? [...namesIn(path), ...error.path] : undefined));
    };
    return settle(run, () => call(pick(run.provided, usages), run.context), merge);
  };
}

interface EntityFetch {
  call: SubgraphOperation;
  usages: readonly string[];
  path: PlanPath;
  represent: Represent;
}

function entityFetch({ call, usages, path, represent }: EntityFetch): PlanStep {
  return (run) => {
    const entities = objectsAt(run.data, path);
    const { representations, owners } = distinct(entities, represent);
    if (representations.length === 0) return;
    const merge = (result: SubgraphResult) => {
      for (const error of result.errors ?? []) run.errors.push(...atOwners(error, run, path, owners));
      if (!result.data) return;
      const received = result.data['_entities'];
      if (!Array.isArray(received) || received.length !== representations.length) {
        throw new Error(`expected ${representations.length} entities`);
      }
      received.forEach((entity: ResultObject | null, index) => {
        for (const owner of owners[index] ?? []) {
          const target = entities[owner] as ResultObject;
          if (entity === null) leaveOut(run, target);
          else mergeInto(target, entity);
        }
      });
    };
    return settle(run, () => call({ ...pick(run.provided, usages), representations }, run.context), merge);
  };
}

function leaveOut(run: PlanRun, target: ResultObject): void {
  run.absent ??= new Set();
  run.absent.add(target);
}

/** Calls and merges; whatever is thrown becomes an error of this run, never a rejection that would stop its neighbours. */
function settle(
  run: PlanRun,
  call: () => SubgraphResult | Promise<SubgraphResult>,
  merge: (result: SubgraphResult) => void,
): void | Promise<void> {
  const fail = (error: unknown) => {
    run.errors.push(error instanceof DomainError ? refusal(error) : wrapped(error));
  };
  if (run.context.cancellation?.isCancelled) return;
  try {
    const result = call();
    if (result instanceof Promise) return result.then(merge).catch(fail);
    merge(result);
  } catch (error) {
    fail(error);
  }
}

function wrapped(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError, extensions: { code: 'internal' } });
}

function pick(provided: Variables, usages: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of usages) {
    if (Object.hasOwn(provided, name) && provided[name] !== undefined) picked[name] = provided[name];
  }
  return picked;
}

/** Each distinct representation once, with the indexes of the entities that have it. */
function distinct(entities: readonly ResultObject[], represent: Represent) {
  const representations: ResultObject[] = [];
  const owners: number[][] = [];
  const seen = new Map<string, number>();
  entities.forEach((entity, index) => {
    const representation = represent(entity);
    if (!representation?.['__typename']) return;
    const key = keyOf(representation);
    const known = seen.get(key);
    if (known !== undefined) {
      owners[known]?.push(index);
      return;
    }
    seen.set(key, representations.length);
    representations.push(representation);
    owners.push([index]);
  });
  return { representations, owners };
}

/** Equal for equal representations; the usual ones, all strings, need no JSON. */
function keyOf(representation: ResultObject): string {
  let key = '';
  for (const name in representation) {
    const value = representation[name];
    if (typeof value !== 'string' || value.includes('\n')) return JSON.stringify(representation);
    key += `${name}:${value}\n`;
  }
  return key;
}

/** An error below `_entities` belongs to every place that showed the entity. */
function atOwners(error: GraphQLError, run: PlanRun, path: PlanPath, owners: readonly number[][]): GraphQLError[] {
  const index = error.path?.[1];
  if (!error.path || typeof index !== 'number')
    return [relocated(error, error.path ? [...namesIn(path), ...error.path] : undefined)];
  const places = responsePathsAt(run.data, path);
  const below = error.path.slice(2);
  return (owners[index] ?? []).map((owner) => relocated(error, [...(places[owner] ?? []), ...below]));
}

function relocated(error: GraphQLError, path: ErrorPath | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    ...withoutUndefined({ path }),
    originalError: error.originalError ?? error,
    extensions: error.extensions,
  });
}

type Represent = (source: ResultObject) => ResultObject | null;

/** Compiles the `requires` of a fetch: the part of an object that the next subgraph needs; null when it is not all there. */
function compileRequires(scope: PlanScope, selections: readonly QueryPlanSelectionNode[]): Represent {
  const parts = selections.map((selection) => compileRequired(scope, selection));
  return (source) => {
    const representation: ResultObject = {};
    return parts.every((part) => part(source, representation)) ? representation : null;
  };
}

type RequiredPart = (source: ResultObject, representation: ResultObject) => boolean;

function compileRequired(scope: PlanScope, selection: QueryPlanSelectionNode): RequiredPart {
  if (selection.kind === 'InlineFragment') {
    if (!selection.typeCondition) throw new UnknownPlanShape('a requires fragment without a type');
    const types = possibleTypes(scope.apiSchema, selection.typeCondition);
    const inner = compileRequires(scope, selection.selections);
    return (source, representation) => {
      if (types.has(source['__typename'] as string)) mergeInto(representation, inner(source));
      return true;
    };
  }
  const name = selection.alias ?? selection.name;
  const inner = selection.selections ? compileRequires(scope, selection.selections) : null;
  const part = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(part);
    return inner && value !== null ? inner(value as ResultObject) : value;
  };
  return (source, representation) => {
    if (!Object.hasOwn(source, name) || source[name] === undefined) return false;
    representation[name] = part(source[name]);
    return true;
  };
}

function possibleTypes(schema: GraphQLSchema, condition: string): ReadonlySet<string> {
  const type = schema.getType(condition);
  if (isObjectType(type)) return new Set([type.name]);
  if (isAbstractType(type)) return new Set(schema.getPossibleTypes(type).map(({ name }) => name));
  throw new UnknownPlanShape(`requires names ${condition}, which callers cannot see`);
}
