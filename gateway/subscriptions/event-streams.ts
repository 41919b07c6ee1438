// Live events as server-sent events (`GET /graphql/events`): the same log, filters, cursors, rights, bounds and ends as over WebSocket.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { sendText } from '../../subgraphs/shared/http/send-text';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { contextRequestId, requireGraphScope, requireMayAsk } from '../context';
import { refusal } from '../errors';
import { callerOfRequest } from '../http/caller-of-request';
import { errorsReply } from '../http/http-reply';
import { usualMediaType } from '../http/media-type';
import { namedDocument } from '../plan/named-document';
import { createOperationRecorder, noteErrors, type OperationRecord, startRecord } from '../plan/operation-record';
import { faultsFor, type PreparedOperation } from '../plan/prepared-operation';
import { streamId } from './event-frame';
import type { LiveCredentials } from './live-credentials';
import type { SocketBounds } from './socket-bounds';
import { readStreamRequest, requireHearing, type StreamRequest, streamDocument } from './stream-request';
import type { Member } from './subscriber-group';
import { type CloseCode, closeCodes } from './subscription-connection';
import { logField } from './subscription-field';
import {
  type CheckedSubscription,
  checkSubscription,
  leaveSubscription,
  type SubscriptionRunDeps,
} from './subscription-run';

/** A silent stream says so often that it is still there. */
const heartbeatMs = 15_000;
/** How soon a client shall come back. */
const retryMs = 2_000;
/** How long a peer may take to read the end of a stream. */
const endGraceMs = 5_000;

export interface EventStreamsDeps extends SubscriptionRunDeps {
  bounds: SocketBounds;
  live: LiveCredentials;
}

export interface EventStreams {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Tells each stream to come back, and takes no other. */
  stop(): void;
}

interface OpenStream {
  response: ServerResponse;
  caller: Caller;
  asked: OperationRecord;
  operation: PreparedOperation;
  variables: StreamRequest['variables'];
  checked: CheckedSubscription;
}

export function createEventStreams(deps: EventStreamsDeps): EventStreams {
  const { graph, config, log, metrics, tail, bounds, live } = deps;
  const record = createOperationRecorder(deps);
  const open = new Map<ServerResponse, (why: CloseCode) => void>();
  const heartbeat = setInterval(() => {
    for (const response of open.keys()) response.write(':\n\n');
  }, heartbeatMs);
  let isStopping = false;

  /** Counted while it is not known who asks, and then as that one's; `leave` for each thing that is to be given back. */
  async function admit(request: IncomingMessage, asked: OperationRecord, leave: (() => void)[]): Promise<Caller> {
    const introduced = bounds.wait(asked.address ?? '');
    if (typeof introduced === 'string') {
      metrics?.socketsRefused.inc({ bound: introduced });
      throw new DomainError('rateLimited', 'too many come at once', { retryAfterSeconds: 1 });
    }
    leave.push(introduced);
    const caller = requireGraphScope(await callerOfRequest(deps, request, asked.requestId));
    asked.caller = caller;
    introduced();
    const forget = bounds.admit(caller.accessTokenHash ?? caller.credentialId);
    if (!forget) {
      metrics?.socketsRefused.inc({ bound: 'token' });
      throw new DomainError('rateLimited', closeCodes.tooMany.reason, { retryAfterSeconds: 1 });
    }
    leave.push(forget);
    await deps.admit(caller);
    return caller;
  }

  async function prepared(asked: OperationRecord, caller: Caller, wanted: StreamRequest): Promise<PreparedOperation> {
    const { document } = wanted;
    const named = document ? namedDocument(graph.trusted, document) : { text: streamDocument, isNamed: true };
    if (!('isNamed' in named)) throw new UnfitDocument([named]);
    const { text: query = '', isNamed } = named;
    if (!config.isSandbox && !isNamed) requireMayAsk(caller, graph.trusts(query));
    const operation = await (isNamed ? graph.prepareTrusted({ query }) : graph.prepare({ query }));
    if (!('execute' in operation)) throw new UnfitDocument(operation);
    const faults = faultsFor(operation, caller, asked.trace);
    if (faults.length > 0) throw new UnfitDocument(faults);
    const [root] = operation.operation.selectionSet.selections;
    if (operation.kind !== 'subscription' || !(root?.kind === 'Field' && root.name.value === logField))
      throw new DomainError('invalidInput', `a stream carries a subscription to ${logField}`, { field: 'query' });
    requireHearing(root, wanted);
    return operation;
  }

  function start({ response, caller, asked, operation, variables, checked }: OpenStream, leave: (() => void)[]): void {
    let isOver = false;
    /** From here on nothing is written to it. */
    const over = () => {
      if (isOver) return;
      isOver = true;
      open.delete(response);
      for (const giveBack of leave) giveBack();
    };
    const end = (why: CloseCode) => {
      if (isOver) return;
      over();
      // Whoever does not read would not read this either.
      if (why === closeCodes.slow) return void response.destroy();
      response.end(`event: end\ndata: ${JSON.stringify(why)}\n\n`);
      setTimeout(() => response.destroy(), endGraceMs).unref();
    };
    const member: Member = {
      id: streamId,
      sink: response,
      from: checked.from,
      tooSlow() {
        if (!isOver) metrics?.slowSubscribersClosed.inc();
        end(closeCodes.slow);
      },
      giveUp: () => end(closeCodes.tryAgain),
    };
    const { group } = checked;
    const left = { group, requestId: asked.requestId, label: operation.label, credentialId: caller.credentialId };
    leave.push(() => leaveSubscription(deps, left, member), live.watch(caller, end));
    if (response.destroyed) {
      over();
      return;
    }
    response.once('close', over);
    response.once('error', over);
    open.set(response, end);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that gather answers are told not to.
      'x-accel-buffering': 'no',
      'x-request-id': asked.requestId,
      vary: 'Accept, Origin',
    });
    response.write(`retry: ${retryMs}\n\n`);
    record(asked, 'subscribed');
    checked
      .run({ operation, variables, member }, () => isOver)
      .catch((error: unknown) => {
        if (isOver) return;
        log.error({ error, code: 'internal' }, 'a stream of events could not be brought up to date');
        end(closeCodes.tryAgain);
      });
  }

  return {
    async serve(request, response) {
      const asked = startRecord(contextRequestId(request.headers));
      if (request.method !== 'GET') return turnAway(request, response, asked);
      asked.address = deps.addressOf(request);
      asked.trace.name = 'EventStream';
      const { traceparent } = request.headers;
      if (deps.tracing && typeof traceparent === 'string') asked.trace.traceparent = traceparent;
      const leave: (() => void)[] = [];
      try {
        if (isStopping) throw new DomainError('unavailable', closeCodes.restart.reason, { retryAfterSeconds: 1 });
        const caller = await admit(request, asked, leave);
        await tail.hold();
        leave.push(() => tail.release());
        const arrived = tail.snapshot();
        const wanted = readStreamRequest(request);
        const operation = await prepared(asked, caller, wanted);
        const { variables } = wanted;
        const checked = await checkSubscription(deps, { asked, caller, operation, variables }, arrived);
        const stream = { response, caller, asked, operation, variables, checked };
        start(stream, leave);
        if (isStopping) open.get(response)?.(closeCodes.restart);
      } catch (error) {
        for (const giveBack of leave) giveBack();
        refuse(response, asked, error);
      }
    },
    stop() {
      isStopping = true;
      clearInterval(heartbeat);
      for (const end of [...open.values()]) end(closeCodes.restart);
    },
  };

  function refuse(response: ServerResponse, asked: OperationRecord, error: unknown): void {
    const errors = error instanceof UnfitDocument ? error.faults : [refusal(refusedBy(error))];
    send(response, asked, errors, isStopping ? { headers: { connection: 'close' } } : {});
  }

  function turnAway(request: IncomingMessage, response: ServerResponse, asked: OperationRecord): void {
    // What it sends is not read.
    request.resume();
    send(response, asked, [notGet()], { status: 405, headers: { allow: 'GET' } });
  }

  function refusedBy(error: unknown): DomainError {
    const refused = refusalOf(error) ?? new DomainError('internal');
    if (refused.code === 'internal') log.error({ error, code: 'internal' }, 'a stream of events could not be started');
    return refused;
  }

  function send(
    response: ServerResponse,
    asked: OperationRecord,
    errors: readonly GraphQLError[],
    { status, headers = {} }: { status?: number; headers?: Record<string, string> },
  ): void {
    noteErrors(asked.trace, errors);
    const reply = errorsReply(errors, asked.requestId, usualMediaType);
    asked.status = status ?? reply.status;
    sendText(response, { ...reply, status: asked.status, headers: { ...reply.headers, ...headers } });
    record(asked);
  }
}

/** What is wrong with a document, by the codes that it has over every way. */
class UnfitDocument extends Error {
  constructor(readonly faults: readonly GraphQLError[]) {
    super('the document cannot be followed');
  }
}

function notGet(): GraphQLError {
  return new GraphQLError('a stream of events is asked for by GET', { extensions: { code: 'BAD_REQUEST' } });
}
