// How a GraphQL result looks over HTTP: the same status, headers and bytes whichever way the operation went.
import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { DomainError } from '../subgraphs/shared/errors';
import { refusal } from './errors';

const jsonContentType = 'application/json; charset=utf-8';

export interface HttpOutcome {
  status: number;
  headers: Record<string, string>;
}

interface Outcome {
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

/** 200 for whatever was executed, except that a dependency that is away is always 503 with Retry-After; refused operations have a status of their own. */
export function httpOutcome({ data, errors }: Outcome): HttpOutcome {
  const away = errors?.find(({ extensions }) => extensions?.['code'] === 'unavailable');
  if (away) return { status: 503, headers: retryAfter(away.extensions) };
  if (data !== undefined || !errors?.[0]) return { status: 200, headers: {} };
  const { extensions } = errors[0];
  const status = statusByCode[String(extensions?.['code'])] ?? 400;
  return { status, headers: { ...retryAfter(status === 429 ? extensions : undefined), ...challenge(status) } };
}

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

/** Headers of every answer of the graph. */
export function commonHeaders(requestId: string, replayed: boolean | undefined): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  };
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Writes in one go, without a framework. */
export function send(response: ServerResponse, { status, headers, text }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': jsonContentType,
    ...headers,
    'content-length': Buffer.byteLength(text),
  });
  // As a string it leaves in one piece with its head.
  response.end(text);
}

/** A call that was refused before any operation was looked at. */
export function refusalReply(error: DomainError, requestId: string): Reply {
  const result = { errors: [refusal(error).toJSON()] };
  const { status, headers } = httpOutcome(result);
  const closing: Record<string, string> = status === 413 ? { connection: 'close' } : {};
  return { status, headers: { ...commonHeaders(requestId, false), ...headers, ...closing }, text: printResult(result) };
}
