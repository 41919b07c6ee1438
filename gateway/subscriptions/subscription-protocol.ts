// What graphql-ws asks of us: prepare and check an operation, run a query or mutation, start a subscription.
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { requireMayAsk } from '../context';
import { refusal } from '../errors';
import { Cancellation } from '../plan/cancellation';
import { namedDocument } from '../plan/named-document';
import {
  createOperationRecorder,
  noteErrors,
  type OperationRecord,
  operationNameOf,
  startRecord,
} from '../plan/operation-record';
import { faultsFor, type PreparedOperation } from '../plan/prepared-operation';
import { type RunOptions, runOperation } from '../plan/run-operation';
import { requireModestValues } from '../plan/variable-size';
import type { Variables } from '../subgraphs/subgraph-client';
import { RunningSubscription } from './running-subscription';
import type { SubscriptionConnection } from './subscription-connection';
import { type CheckedSubscription, checkSubscription, type SubscriptionRunDeps } from './subscription-run';

type Params = Record<string, unknown>;

/** Travels from the check of an operation to its run. */
interface Admitted {
  asked: OperationRecord;
  connection: SubscriptionConnection;
  caller: Caller;
  operation: PreparedOperation;
  variables: Variables;
  subscribed?: { id: string; checked: CheckedSubscription };
}

export function createSubscriptionProtocol(
  deps: SubscriptionRunDeps,
): Pick<ServerOptions<Params, SubscriptionConnection>, 'onSubscribe' | 'execute' | 'subscribe'> {
  const { graph, config, log } = deps;
  const record = createOperationRecorder(deps);
  const { isSandbox, REQUEST_TIMEOUT_MS: timeoutMs } = config;
  const options: RunOptions = {
    isSandbox,
    timeoutMs,
    log,
    ...withoutUndefined({ charge: deps.charge, tracing: deps.tracing }),
  };

  async function check(
    context: Context<Params, SubscriptionConnection>,
    { id, payload, asked }: { id: string; payload: SubscribePayload; asked: OperationRecord },
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const arrived = deps.tail.snapshot();
    const connection = context.extra;
    const { caller } = connection;
    if (!caller) throw new Error('an operation came before the connection was admitted');
    if (Object.keys(context.subscriptions).length > config.SUBSCRIPTIONS_PER_CONNECTION_MAX) {
      const message = `one connection carries at most ${config.SUBSCRIPTIONS_PER_CONNECTION_MAX} operations at once`;
      return [refusal(new DomainError('rateLimited', message))];
    }
    await deps.admit(caller);
    requireModestValues(payload.variables);
    const named = namedDocument(graph.trusted, payload);
    if (!('isNamed' in named)) return [named];
    const { text, isNamed } = named;
    if (!config.isSandbox && !isNamed) requireMayAsk(caller, graph.trusts(text));
    const document = { query: text ?? '', operationName: payload.operationName || undefined };
    const operation = await (isNamed ? graph.prepareTrusted(document) : graph.prepare(document));
    if (!('execute' in operation)) return operation;
    const variables = payload.variables ?? {};
    asked.trace.name = operation.label;
    const admitted: Admitted = { asked, connection, caller, operation, variables };
    const strange = faultsFor(operation, caller, asked.trace);
    if (strange.length > 0) return strange;
    if (operation.kind === 'subscription') {
      admitted.subscribed = { id, checked: await checkSubscription(deps, admitted, arrived) };
      // The library keeps the message as well, and has no use for its text any more.
      Object.assign(payload, { query: '' });
    }
    return {
      schema: graph.apiSchema,
      document: operation.document,
      // Its own name: the library finds what was checked, and a group that was taken is left again.
      operationName: operation.name,
      variableValues: variables,
      contextValue: { admitted },
    };
  }

  return {
    async onSubscribe(context, id, payload) {
      const asked = startRecord(newId());
      asked.caller = context.extra.caller;
      asked.address = context.extra.address;
      asked.trace.name = operationNameOf(payload);
      const checked = await check(context, { id, payload, asked }).catch((error: unknown) => {
        if (error instanceof DomainError) return [refusal(error)];
        log.error({ error, code: 'internal' }, 'a subscription could not be started');
        return [refusal(new DomainError('internal'))];
      });
      if ('schema' in checked) return checked;
      noteErrors(asked.trace, checked);
      record(asked);
      return checked;
    },
    async execute({ contextValue }) {
      const { asked, operation, variables, caller } = take(contextValue);
      const cancellation = new Cancellation();
      const context = requestContext(caller, asked.requestId, undefined, {
        trace: asked.trace,
        cancellation,
        address: asked.address,
      });
      const result = await runOperation(options, operation, { variables, context, cancellation });
      noteErrors(asked.trace, result.errors);
      record(asked);
      return result as ExecutionResult;
    },
    subscribe({ contextValue }) {
      const admitted = take(contextValue);
      record(admitted.asked, 'subscribed');
      return start(deps, admitted);
    },
  };
}

function start(deps: SubscriptionRunDeps, { asked, connection, operation, variables, subscribed }: Admitted) {
  if (!subscribed) throw new Error('a subscription was not checked');
  const { id, checked } = subscribed;
  const { group, from } = checked;
  const started = { id, connection, group, from, requestId: asked.requestId, label: operation.label };
  return new RunningSubscription(deps, started, async (running) => {
    try {
      await checked.run({ operation, variables, member: running }, () => running.isOver);
    } catch (error) {
      if (error instanceof DomainError) throw refusal(error);
      deps.log.error({ error, code: 'internal' }, 'a subscription could not be brought up to date');
      throw refusal(new DomainError('internal'));
    }
  });
}

/** What travels is taken out: the library keeps its arguments for as long as a subscription runs, and would keep all of it. */
function take(contextValue: unknown): Admitted {
  const travelling = contextValue as { admitted: Admitted | null };
  const { admitted } = travelling;
  if (!admitted) throw new Error('an operation was run twice');
  travelling.admitted = null;
  return admitted;
}
