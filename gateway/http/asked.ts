// What a request to /graphql asks for, read from its body or its address; what cannot be read is Apollo Server's to refuse.
import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { namedDocument } from '../plan/named-document';
import type { TrustedDocuments } from '../plan/trusted-documents';

/** A request that may take the short way. */
export interface PlainRequest {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  /** By hash, so one that we trust. */
  isNamed: boolean;
}

export function isJsonPost({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new DomainError('invalidInput', 'the body is not JSON');
  }
}

/** An ordinary GraphQL request; undefined when it is something else, an error when its document is not known. */
export function plainRequest(
  trusted: TrustedDocuments,
  { method, url }: IncomingMessage,
  body: unknown,
): PlainRequest | GraphQLError | undefined {
  const asked = method === 'GET' ? parametersOf(url) : body;
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) return undefined;
  const { operationName = null, variables = null, extensions = null } = asked as Record<string, unknown>;
  if (typeof extensions !== 'object' || Array.isArray(extensions)) return undefined;
  if (operationName !== null && typeof operationName !== 'string') return undefined;
  if (typeof variables !== 'object' || Array.isArray(variables)) return undefined;
  const named = namedDocument(trusted, asked);
  if (!('isNamed' in named)) return named;
  const { text: query, isNamed } = named;
  if (query === undefined) return undefined;
  const given = (variables ?? {}) as Record<string, unknown>;
  return { query, operationName: operationName || undefined, variables: given, isNamed };
}

/** The same of an address; a parameter that is there twice, or is not what it should be, leaves nothing. */
function parametersOf(url = ''): Record<string, unknown> | undefined {
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (new Set(search.keys()).size !== search.size) return undefined;
  const { variables, extensions, ...texts } = Object.fromEntries(search);
  try {
    return {
      ...texts,
      ...withoutUndefined({
        variables: variables === undefined ? undefined : notNull(JSON.parse(variables)),
        extensions: extensions === undefined ? undefined : notNull(JSON.parse(extensions)),
      }),
    };
  } catch {
    return undefined;
  }
}

/** In an address null is no absence. */
function notNull(value: unknown): unknown {
  return value ?? [];
}

/** The document of a request, wherever Apollo Server would read it. */
export function sentText({ url = '' }: IncomingMessage, body: unknown): string | null {
  const search = url.indexOf('?');
  const inAddress = search < 0 ? null : new URLSearchParams(url.slice(search)).get('query');
  const sent = body === undefined ? inAddress : (body as Partial<PlainRequest> | null)?.query;
  return typeof sent === 'string' ? sent : null;
}

/** A request whose hash nobody knows is judged by its text. */
export function withoutHash(body: unknown): unknown {
  const { extensions } = (body ?? {}) as { extensions?: Record<string, unknown> | null };
  if (!extensions?.['persistedQuery']) return body;
  const { persistedQuery: _, ...rest } = extensions;
  return { ...(body as object), extensions: rest };
}

/** A cheap look before anything is parsed: a key on a query would do no harm, but is not used. */
export function isMutation({ query }: PlainRequest): boolean {
  return /\bmutation\b/.test(query);
}
