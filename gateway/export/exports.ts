// GET or POST /graphql/export: every row of one list of the graph, page after page, as a file. For staff, each one in the audit before its first row leaves.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExecutionResult, GraphQLError, valueFromASTUntyped } from 'graphql';
import type { RecordExport } from '../../subgraphs/shared/callers/audit';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { may } from '../../subgraphs/shared/callers/rights';
import { DomainError } from '../../subgraphs/shared/errors';
import { contentEncodingOf, encodingStream } from '../../subgraphs/shared/http/content-encoding';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { requireMayAsk } from '../context';
import type { PlainRequest } from '../http/asked';
import { Cancellation } from '../plan/cancellation';
import type { Graph } from '../plan/execute';
import type { OperationRecord } from '../plan/operation-record';
import type { PreparedOperation } from '../plan/prepared-operation';
import { type RunOptions, runOperation } from '../plan/run-operation';
import { scopeKey } from '../subscriptions/subscriber-groups';
import { type ExportedList, exportedList } from './exported-list';
import { contentTypes, type ExportFormat, exportFormats, headText, rowText } from './row-text';

const pageRows = 100;
const perCallerMax = 2;
const perProcessMax = 8;

export interface ExportDeps {
  graph: Graph;
  options: RunOptions;
  recordExport: RecordExport;
}

export interface ExportCall {
  record: OperationRecord;
  caller: Caller;
  asked: PlainRequest;
  /** Who its credential stands for now; refuses when it has ended meanwhile: a file takes longer than a request. */
  stillMay(): Promise<Caller>;
}

/** Answers; rejects with what is to be refused as long as nothing has been sent. */
export type Exports = (request: IncomingMessage, response: ServerResponse, call: ExportCall) => Promise<void>;

/** What a page came to that cannot be a part of a file. */
export class PageRefused extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('a page of an export was refused');
  }
}

interface ExportPage {
  rows: readonly { node: unknown }[];
  /** Null: it is the last one. */
  next: string | null;
}

export function createExports({ options, ...given }: ExportDeps): Exports {
  // The rows are not taken from the caller's rate.
  const { charge: _, ...uncharged } = options;
  const deps = { ...given, options: uncharged };
  const running = new Map<string, number>();

  /** Each caller a few at a time: one is worth thousands of operations. */
  function begin({ credentialId }: Caller): () => void {
    const own = running.get(credentialId) ?? 0;
    const all = [...running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= perCallerMax || all >= perProcessMax)
      throw new DomainError('rateLimited', 'too many exports are under way', { retryAfterSeconds: 5 });
    running.set(credentialId, own + 1);
    return () => {
      const left = (running.get(credentialId) ?? 1) - 1;
      if (left > 0) running.set(credentialId, left);
      else running.delete(credentialId);
    };
  }

  return async (request, response, call) => {
    const format = formatOf(request);
    requireMayExport(call.caller);
    if (!deps.options.isSandbox && !call.asked.isNamed) requireMayAsk(call.caller, deps.graph.trusts(call.asked.query));
    const end = begin(call.caller);
    try {
      await send(deps, request, response, { ...call, format });
    } finally {
      end();
    }
  };
}

async function send(
  deps: ExportDeps,
  request: IncomingMessage,
  response: ServerResponse,
  call: ExportCall & { format: ExportFormat },
): Promise<void> {
  const { asked, caller, format, record } = call;
  const prepared = await prepare(deps.graph, asked);
  const list = exportedList(deps.graph.apiSchema, asked.query, asked.operationName);
  const cancellation = new Cancellation();
  response.on('close', () => {
    if (!response.writableFinished) cancellation.cancel();
  });
  const context = requestContext(caller, record.requestId, undefined, {
    trace: record.trace,
    cancellation,
    address: record.address,
  });
  const page = (after: unknown) => pageOf(deps, { prepared, list, asked, context, cancellation, after });
  const first = await page(asked.variables[list.afterVariable] ?? null);
  const name = list.path.join('.');
  await deps.recordExport(context, { list: name, format, filter: filterOf(list, asked.variables) });
  const encoding = contentEncodingOf(request.headers['accept-encoding']);
  response.writeHead(200, {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${list.path.at(-1)}.${format}"`,
    'cache-control': 'no-store',
    vary: 'Accept, Accept-Encoding, Origin',
    'x-request-id': record.requestId,
    ...withoutUndefined({ 'content-encoding': encoding ?? undefined }),
  });
  const text = Readable.from(texts(call, list, first, page));
  if (encoding) await pipeline(text, encodingStream(encoding), response);
  else await pipeline(text, response);
}

/** As it was asked for, wherever that stands: in the document, in its variables, or in what these are unless they are given. */
function filterOf({ narrowedBy, defaults }: ExportedList, given: PlainRequest['variables']): Record<string, unknown> {
  const variables = { ...defaults, ...given };
  return Object.fromEntries(narrowedBy.map(({ name, value }) => [name, valueFromASTUntyped(value, variables)]));
}

/** Page by page, each asked when the one before is on its way. What fails in the middle ends the connection: a file that is short never looks whole. */
async function* texts(
  { caller, format, stillMay }: ExportCall & { format: ExportFormat },
  { columns }: ExportedList,
  first: ExportPage,
  page: (after: string) => Promise<ExportPage>,
): AsyncGenerator<string> {
  yield headText(format, columns);
  for (let current = first; ; ) {
    yield current.rows.map(({ node }) => rowText(format, columns, node)).join('');
    if (current.next === null) return;
    requireSame(caller, await stillMay());
    current = await page(current.next);
    // Others wait for this process too.
    await nextTurn();
  }
}

interface PageCall {
  prepared: PreparedOperation;
  list: ExportedList;
  asked: PlainRequest;
  context: ReturnType<typeof requestContext>;
  cancellation: Cancellation;
  after: unknown;
}

async function pageOf({ options }: ExportDeps, call: PageCall): Promise<ExportPage> {
  const { prepared, list, asked, context, cancellation, after } = call;
  const size = list.firstVariable === null ? {} : { [list.firstVariable]: pageRows };
  const variables = { ...size, ...asked.variables, [list.afterVariable]: after };
  // What a page has loaded goes with it: kept for the next one it would be kept until the last.
  const ofPage = { ...context, loaders: new Map() };
  const result = await runOperation(options, prepared, { variables, context: ofPage, cancellation });
  if (result.errors || !result.data) throw new PageRefused(result.errors ?? []);
  return pageIn(result, list);
}

function pageIn({ data }: ExecutionResult, { path }: ExportedList): ExportPage {
  const found = path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], data);
  if (!found) throw new DomainError('notFound', 'what the list belongs to is not there');
  const { edges, pageInfo } = found as {
    edges: ExportPage['rows'];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
  return { rows: edges, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

async function prepare(graph: Graph, asked: PlainRequest): Promise<PreparedOperation> {
  const prepared =
    graph.prepared(asked) ?? (await (asked.isNamed ? graph.prepareTrusted(asked) : graph.prepare(asked)));
  if ('execute' in prepared) return prepared;
  throw new PageRefused(prepared);
}

function requireMayExport(caller: Caller): void {
  if (may(caller, 'lists:export')) return;
  throw new DomainError('forbidden', 'lists are exported by staff with lists:export');
}

/** All pages are read with the rights of the first: when they are others now, or the credential is of another account, the rest is refused. */
function requireSame(caller: Caller, now: Caller): void {
  requireMayExport(now);
  if (scopeKey(now) === scopeKey(caller)) return;
  throw new DomainError('forbidden', 'the rights of the credential have changed since the list was begun');
}

/** `format` of the address, else what Accept names, else CSV. */
function formatOf({ url = '', headers }: IncomingMessage): ExportFormat {
  const search = url.indexOf('?');
  const named = search < 0 ? null : new URLSearchParams(url.slice(search)).get('format');
  if (named === null) return /\bapplication\/(jsonl|x-ndjson)\b/.test(headers.accept ?? '') ? 'jsonl' : 'csv';
  const format = exportFormats.find((known) => known === named);
  if (format) return format;
  throw new DomainError('invalidInput', `format is one of ${exportFormats.join(', ')}`, { field: 'format' });
}
