// Every request to /graphql: who calls, which operation, the short way when it was prepared before, Apollo Server when it was not. Beside it the schema as text, and lists as files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { contractOf } from '../../subgraphs/shared/callers/audience';
import type { RecordExport } from '../../subgraphs/shared/callers/audit';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type RequestContext, requestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import { ClientGone, readBody } from '../../subgraphs/shared/http/request-body';
import type { TextReply } from '../../subgraphs/shared/http/send-text';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import type { Log } from '../../subgraphs/shared/log/log';
import { contextRequestId, idempotencyOf, requireGraphScope, requireMayAsk } from '../context';
import { refusal } from '../errors';
import { createExports, PageRefused } from '../export/exports';
import { Cancellation } from '../plan/cancellation';
import { readDocument } from '../plan/document-check';
import type { Graph } from '../plan/execute';
import { limits } from '../plan/limits';
import {
  createOperationRecorder,
  noteErrors,
  type OperationRecord,
  operationNameOf,
  type RecorderDeps,
  startRecord,
} from '../plan/operation-record';
import { costHeader, type RunOptions, runOperation } from '../plan/run-operation';
import { harmlessBytes, requireModestValues } from '../plan/variable-size';
import type { Admit } from './admission';
import { type ApolloFront, startApollo } from './apollo';
import { isJsonPost, isMutation, type PlainRequest, parseJson, plainRequest, sentText, withoutHash } from './asked';
import { type CallerDeps, callerOfRequest } from './caller-of-request';
import { revalidated, sendEncoded } from './encoding';
import { httpOutcome, notAcceptable, printResult, refusalReply, withCommonHeaders } from './http-reply';
import { type MediaType, negotiate, sdlMediaType, usualMediaType } from './media-type';

export interface GraphHandlerDeps extends CallerDeps {
  graph: Graph;
  options: RunOptions;
  log: Log;
  admit: Admit;
  metrics?: RecorderDeps['metrics'];
  audit?: RecorderDeps['audit'];
  usage?: RecorderDeps['usage'];
  /** Absent: nothing is exported here. */
  recordExport?: RecordExport | undefined;
}

export interface GraphHandler {
  /** Answers an operation. */
  operation(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers with the caller's contract in SDL, to whoever may use the graph; in production too. */
  schema(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers with every row of one list, as a file. */
  exportList(request: IncomingMessage, response: ServerResponse): Promise<void>;
  stop(): Promise<void>;
}

/** What is known of a request before it is looked at more closely. */
interface HandledRequest {
  record: OperationRecord;
  caller: Caller;
  /** Null when Accept allows no form of an operation's result. */
  mediaType: MediaType | null;
}

export function createGraphHandler(deps: GraphHandlerDeps): GraphHandler {
  const { graph, options, log, recordExport } = deps;
  const keep = createOperationRecorder(deps);
  const exports = recordExport && createExports({ graph, options, recordExport });
  let apollo: Promise<ApolloFront> | undefined;

  /** Who calls, at which rate, and what is kept about it; `answer` does the rest or throws a refusal. Null: it has sent the answer itself. */
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (asked: HandledRequest) => Promise<TextReply | null>,
  ): Promise<void> {
    const requestId = contextRequestId(request.headers);
    const mediaType = negotiate(request.headers.accept);
    const record = startRecord(requestId);
    record.address = deps.audit?.addressOf(request);
    const { traceparent } = request.headers;
    if (options.tracing && typeof traceparent === 'string') record.trace.traceparent = traceparent;
    const finish = async (reply: TextReply | null) => {
      const compressed = reply && sendEncoded(request, response, reply);
      if (compressed) await compressed;
      record.status = response.statusCode;
      keep(record);
    };
    try {
      const caller = await callerOfRequest(deps, request, requestId);
      record.caller = caller;
      requireGraphScope(caller);
      await deps.admit(caller);
      await finish(await answer({ record, caller, mediaType }));
    } catch (error) {
      if (error instanceof ClientGone) return;
      if (error instanceof PageRefused) {
        noteErrors(record.trace, error.errors);
        const form = mediaType ?? usualMediaType;
        return finish(
          cutShort(response) ? null : withCommonHeaders(printed(error, form), { requestId, mediaType: form }),
        );
      }
      const refused = refusalOf(error) ?? new DomainError('internal');
      if (refused.code === 'internal' && !response.destroyed)
        log.error({ requestId, error, code: 'internal' }, 'a graph request failed unexpectedly');
      noteErrors(record.trace, [refusal(refused)]);
      await finish(cutShort(response) ? null : refusalReply(refused, requestId, mediaType ?? usualMediaType));
    }
  }

  /** Every row of one list. */
  async function answerExport(request: IncomingMessage, response: ServerResponse, { record, caller }: HandledRequest) {
    if (!exports) throw new DomainError('notFound', 'nothing is exported here');
    const { plain: asked } = await read(request);
    if (asked instanceof GraphQLError) throw new PageRefused([asked]);
    if (!asked) throw new DomainError('invalidInput', 'a document with the variables of one list is expected');
    requireModestValues(asked.variables);
    const stillMay = () => callerOfRequest(deps, request, record.requestId);
    await exports(request, response, { record, caller, asked, stillMay });
    return null;
  }

  /** What the body or the address asks for. */
  async function read(request: IncomingMessage) {
    const text = isJsonPost(request) ? await readBody(request, { bytesMax: limits.bodyBytesMax }) : undefined;
    const body = text && parseJson(text);
    return { text, body, plain: plainRequest(graph.trusted, request, body) };
  }

  async function answerOperation(
    request: IncomingMessage,
    response: ServerResponse,
    { record, caller, mediaType }: HandledRequest,
  ): Promise<TextReply> {
    const { requestId, trace, address } = record;
    if (!mediaType) {
      noteErrors(trace, [{ extensions: { code: 'invalidInput', field: 'Accept' } }]);
      return notAcceptable(requestId);
    }
    const { text, body, plain } = await read(request);
    if (plain instanceof GraphQLError) {
      noteErrors(trace, [plain]);
      return withCommonHeaders(printed({ errors: [plain] }, mediaType), { requestId, mediaType });
    }
    if ((text ?? request.url ?? '').length > harmlessBytes) requireModestValues(plain?.variables ?? body);
    if (!options.isSandbox && !plain?.isNamed) requireMayAsk(caller, graph.trusts(plain?.query));
    const idempotency =
      plain && isMutation(plain) ? idempotencyOf(request.headers['idempotency-key'], plain) : undefined;
    const cancellation = new Cancellation();
    const context = requestContext(caller, requestId, idempotency, { trace, cancellation, address });
    response.on('close', () => {
      if (!response.writableFinished) cancellation.cancel();
    });
    const reply = await run(request, { plain, body, mediaType, context, cancellation });
    const whole = withCommonHeaders(reply, { requestId, mediaType, replayed: context.reply.idempotentReplayed });
    const isKept = plain?.isNamed && request.method === 'GET' && trace.kind === 'query' && trace.code === undefined;
    return isKept ? revalidated(request, whole) : whole;
  }

  async function run(request: IncomingMessage, call: GraphCall): Promise<TextReply> {
    const { plain, body, mediaType, context, cancellation } = call;
    const tellsCost = request.headers[costHeader] !== undefined;
    const known = plain && graph.prepared(plain);
    const prepared = known ?? (plain?.isNamed ? await graph.prepareTrusted(plain) : undefined);
    if (prepared && 'execute' in prepared && plain) {
      if (request.method === 'POST' || prepared.kind === 'query') {
        const run = { variables: plain.variables, context, cancellation, tellsCost };
        return noted(await runOperation(options, prepared, run));
      }
      if (plain.isNamed) return { ...noted({ errors: [mutationByGet()] }), status: 405, headers: { allow: 'POST' } };
    } else if (prepared) return noted({ errors: prepared as readonly GraphQLError[] });
    const text = sentText(request, body);
    if (context.trace) context.trace.name = operationNameOf({ query: text, operationName: plain?.operationName });
    const refused = refusedUnread(text);
    if (refused) return noted(refused);
    apollo ??= startApollo(graph, options);
    return (await apollo).answer(request, withoutHash(body), { request: context, cancellation, mediaType, tellsCost });

    function noted(result: ExecutionResult): TextReply {
      noteErrors(context.trace, result.errors);
      return printed(result, mediaType);
    }
  }

  return {
    operation: (request, response) => serve(request, response, (asked) => answerOperation(request, response, asked)),
    schema: (request, response) =>
      serve(request, response, async ({ record, caller }) => {
        Object.assign(record.trace, { name: 'schema', kind: 'query' });
        const common = { requestId: record.requestId, mediaType: sdlMediaType };
        const text = graph.sdlOf(contractOf(caller));
        return revalidated(request, withCommonHeaders({ status: 200, headers: {}, text }, common));
      }),
    exportList: (request, response) => serve(request, response, (asked) => answerExport(request, response, asked)),
    async stop() {
      await (await apollo)?.stop();
    },
  };
}

function printed(result: ExecutionResult, mediaType: MediaType): TextReply {
  return { ...httpOutcome(result, mediaType), text: printResult(result) };
}

/** An answer that has begun can only be ended: whoever reads it sees that it is not whole. */
function cutShort(response: ServerResponse): boolean {
  if (response.headersSent) response.destroy();
  return response.headersSent || response.destroyed;
}

interface GraphCall {
  plain: PlainRequest | undefined;
  body: unknown;
  mediaType: MediaType;
  context: RequestContext;
  cancellation: Cancellation;
}

function mutationByGet(): GraphQLError {
  return new GraphQLError('a mutation is asked by POST', { extensions: { code: 'BAD_REQUEST' } });
}

/** What would be too large to validate is refused before Apollo Server sees it; its own parser says what is no document at all. */
function refusedUnread(text: string | null): ExecutionResult | null {
  if (text === null) return null;
  const errors = readDocument(text);
  if ('definitions' in errors || errors[0]?.extensions['code'] === 'GRAPHQL_PARSE_FAILED') return null;
  return { errors };
}
