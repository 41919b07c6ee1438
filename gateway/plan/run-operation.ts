// One call of a prepared operation on behalf of a caller: rights that belong to the graph as a whole, a deadline that cancels, and no leak of a defect.
import type { ExecutionResult } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { may, mayAct } from '../../subgraphs/shared/callers/rights';
import { startDeadline } from '../../subgraphs/shared/deadline';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Log } from '../../subgraphs/shared/log/log';
import type { OperationSpan, Tracing } from '../../subgraphs/shared/log/tracing';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { presentError, refusal } from '../errors';
import type { Variables } from '../subgraphs/subgraph-client';
import type { Cancellation } from './cancellation';
import { callsFor, limits } from './limits';
import { startRecord } from './operation-record';
import { faultsFor, type PreparedOperation } from './prepared-operation';

export interface RunOptions {
  isSandbox: boolean;
  /** Longest time one operation may take. */
  timeoutMs: number;
  log: Log;
  /** Absent: nobody collects spans. */
  tracing?: Tracing;
  /** Takes what an operation could cost beyond one call from the rate of its caller. */
  charge?: (caller: Caller, objects: number) => void;
}

/** Asks for the cost of an operation in its answer. */
export const costHeader = 'graph-cost';

/** Runs it; the result always comes, with errors as outsiders may see them. `cancellation` is set at the deadline. */
export function runOperation(
  options: RunOptions,
  prepared: PreparedOperation,
  call: { variables: Variables; context: RequestContext; cancellation: Cancellation; tellsCost?: boolean },
): Promise<ExecutionResult> {
  const { context, cancellation, variables, tellsCost } = call;
  if (context.trace) {
    context.trace.name = prepared.label;
    context.trace.kind = prepared.kind;
    context.trace.used = prepared.used();
  }
  const strange = faultsFor(prepared, context.caller, context.trace);
  if (strange.length > 0) return Promise.resolve({ errors: strange });
  const refused = decideRefusal(options, prepared, context);
  if (refused) return Promise.resolve({ errors: [refusal(refused)] });
  const span = options.tracing && beginSpan(options.tracing, prepared, context);
  return new Promise((resolve) => {
    const stopDeadline = startDeadline(options.timeoutMs, () => {
      cancellation.cancel();
      span?.end('unavailable');
      resolve({
        errors: [refusal(new DomainError('unavailable', 'the operation took too long', { retryAfterSeconds: 1 }))],
      });
    });
    const settle = (result: ExecutionResult) => {
      stopDeadline();
      span?.end(result.errors?.[0] && String(result.errors[0].extensions['code']));
      const objects = context.trace?.cost ?? 0;
      // What is refused for its size was never asked for: it costs its one call.
      const hasRun = objects <= limits.objectsMax;
      if (hasRun && objects > limits.objectsPerCall) options.charge?.(context.caller, objects);
      resolve(tellsCost ? withCost(result, objects) : result);
    };
    prepared.execute(variables, context).then(
      (result) => settle(result.errors ? presented(result, context, options.log) : result),
      (error: unknown) => settle({ errors: [presentError(error, context, options.log)] }),
    );
  });
}

function beginSpan(tracing: Tracing, { kind, name }: PreparedOperation, context: RequestContext): OperationSpan {
  const { trace, requestId } = context;
  const span = tracing.operation({ kind, name, requestId, ...withoutUndefined({ traceparent: trace?.traceparent }) });
  if (trace) trace.span = span;
  return span;
}

/**
 * What nobody asked of the graph itself, such as persisted operations of the REST facade: with its calls of subgraphs below its span, and
 * without a collector just run. `kind`: what the span is called, where it is not the operation's own.
 */
export async function tracedRun(
  tracing: Tracing | undefined,
  prepared: PreparedOperation,
  { variables, context, kind = prepared.kind }: { variables: Variables; context: RequestContext; kind?: string },
): Promise<ExecutionResult> {
  if (!tracing) return prepared.execute(variables, context);
  const { requestId, traceparent } = context;
  const span = tracing.operation({ kind, name: prepared.label, requestId, ...withoutUndefined({ traceparent }) });
  context.trace ??= startRecord(requestId).trace;
  context.trace.span = span;
  try {
    const result = await prepared.execute(variables, context);
    span.end(result.errors?.[0] && String(result.errors[0].extensions['code']));
    return result;
  } catch (error) {
    span.end('internal');
    throw error;
  }
}

function withCost(result: ExecutionResult, objects: number): ExecutionResult {
  const cost = { objects, objectsMax: limits.objectsMax, calls: callsFor(objects) };
  return { ...result, extensions: { ...result.extensions, cost } };
}

/** Why this caller may not run this kind of operation, or null. */
function decideRefusal(
  { isSandbox }: Pick<RunOptions, 'isSandbox'>,
  prepared: Pick<PreparedOperation, 'kind' | 'introspects'>,
  { caller }: Pick<RequestContext, 'caller'>,
): DomainError | null {
  if (prepared.introspects && !(isSandbox && may(caller, 'schema:read'))) {
    return new DomainError(
      'forbidden',
      'introspection takes schema:read (graph:admin), in the sandbox; GET /graphql/schema.graphql has the schema for whoever may use the graph',
    );
  }
  // Whoever signed in has settings of its own; what else it may change each field says.
  if (prepared.kind === 'mutation' && caller.kind !== 'person' && !mayAct(caller)) {
    return new DomainError('forbidden', 'the access token grants reading only');
  }
  if (prepared.kind === 'subscription')
    return new DomainError('invalidInput', 'subscriptions are served over WebSocket');
  return null;
}

/** Refusals stand as they are; whatever else is in there is a defect of ours. */
function presented(result: ExecutionResult, context: RequestContext, log: Log): ExecutionResult {
  return {
    ...result,
    errors: (result.errors ?? []).map((error) =>
      error.originalError instanceof DomainError ? error : presentError(error, context, log),
    ),
  };
}
