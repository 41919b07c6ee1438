// How a GraphQL result looks over HTTP: the same status, headers and bytes whichever way the operation went.
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';
import type { TextReply } from '../../subgraphs/shared/http/send-text';
import { refusal } from '../errors';
import { type MediaType, usualMediaType } from './media-type';

export interface HttpOutcome {
  status: number;
  headers: Record<string, string>;
}

interface ReplyOutcome {
  data?: unknown;
  errors?: readonly { extensions?: Record<string, unknown> }[] | undefined;
}

/** Status by code when nothing was executed. */
const statusByCode: Record<string, number> = {
  unauthenticated: 401,
  forbidden: 403,
  payloadTooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
};

/** 200 for whatever was executed, 503 with Retry-After when a dependency that is away left no data; refused operations have a status of their own. */
export function httpOutcome({ data, errors }: ReplyOutcome, { isLegacy }: MediaType): HttpOutcome {
  if (data || !errors?.[0]) return served;
  const away = errors.find(({ extensions }) => extensions?.['code'] === 'unavailable');
  if (away) return { status: 503, headers: retryAfter(away.extensions) };
  if (data !== undefined) return served;
  const { extensions } = errors[0];
  const status = statusByCode[String(extensions?.['code'])] ?? 400;
  if (status === 400 && isLegacy) return served;
  return { status, headers: { ...retryAfter(status === 429 ? extensions : undefined), ...challenge(status) } };
}

const served: HttpOutcome = { status: 200, headers: {} };

function retryAfter(extensions: Record<string, unknown> | undefined): Record<string, string> {
  if (!extensions) return {};
  const seconds = extensions['retryAfterSeconds'];
  return { 'retry-after': String(typeof seconds === 'number' ? Math.max(1, Math.ceil(seconds)) : 1) };
}

function challenge(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer error="invalid_token"' };
  return status === 403 ? { 'www-authenticate': 'Bearer error="insufficient_scope"' } : {};
}

/** The body, fields in the order that Apollo Server uses. */
export function printResult({ errors, data, extensions }: ExecutionResult | PrintedResult): string {
  return `${JSON.stringify({ errors, data, extensions })}\n`;
}

interface PrintedResult {
  errors?: readonly GraphQLFormattedError[];
  data?: unknown;
  extensions?: unknown;
}

interface Common {
  requestId: string;
  mediaType: MediaType;
  replayed?: boolean | undefined;
}

/** With the headers of every answer of the graph, which stand before the reply's own. */
export function withCommonHeaders({ status, headers: own, text }: TextReply, common: Common): TextReply {
  const headers: Record<string, string> = {
    'content-type': common.mediaType.contentType,
    'x-request-id': common.requestId,
    // A cache between us must not give one client the form that another one asked for.
    vary: 'Accept, Origin',
    'cache-control': 'no-store',
  };
  if (common.replayed) headers['idempotent-replayed'] = 'true';
  for (const name in own) headers[name] ??= own[name] as string;
  return { status, headers, text };
}

/** A call that was refused before any operation was looked at. */
export function refusalReply(error: DomainError, requestId: string, mediaType: MediaType): TextReply {
  return errorsReply([refusal(error)], requestId, mediaType);
}

/** The same of a call with something else wrong, in the words of GraphQL over HTTP. */
export function errorsReply(errors: readonly GraphQLError[], requestId: string, mediaType: MediaType): TextReply {
  const result = { errors: errors.map((error) => error.toJSON()) };
  // It was HTTP's to refuse: the status is the same in both forms.
  const { status, headers } = httpOutcome(result, usualMediaType);
  const closing: Record<string, string> = status === 413 ? { connection: 'close' } : {};
  return withCommonHeaders(
    { status, headers: { ...headers, ...closing }, text: printResult(result) },
    { requestId, mediaType },
  );
}

/** Accept allows none of the forms that an answer can take. */
export function notAcceptable(requestId: string): TextReply {
  const message = 'Accept allows neither application/graphql-response+json nor application/json';
  const reply = refusalReply(new DomainError('invalidInput', message, { field: 'Accept' }), requestId, usualMediaType);
  return { ...reply, status: 406 };
}
