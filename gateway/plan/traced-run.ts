// A span around a run that nobody outside asked of the graph itself: persisted operations of the REST facade and the pages, events completed for subscribers.
import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Tracing } from '../../subgraphs/shared/log/tracing';
import { withoutUndefined } from '../../subgraphs/shared/without-undefined';
import type { Variables } from '../subgraphs/subgraph-client';
import { startRecord } from './operation-record';
import type { PreparedOperation } from './prepared-operation';

/** Runs it, with its calls of subgraphs below its span; without a collector it just runs. `kind`: what the span is called, where it is not the operation's own. */
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
