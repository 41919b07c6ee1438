// A request that names its document instead of carrying it: `documentId` of GraphQL over HTTP, or `extensions.persistedQuery` as Apollo's clients send it.
import { GraphQLError } from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';
import { hashOfDocument, type TrustedDocuments } from './trusted-documents';

/** As much of a request as tells its document. */
export interface Naming {
  query?: unknown;
  documentId?: unknown;
  extensions?: unknown;
}

/** The text that is asked, undefined when the request carries none; whether it is one that we trust. */
export interface NamedDocument {
  text: string | undefined;
  isNamed: boolean;
}

/** Clients look for this code or this message, and send the text then. */
function documentNotFound(): GraphQLError {
  return new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });
}

/** Follows the name to the text; refuses a name that is none, a text beside it that is not its own, and one that is not known. */
export function namedDocument(trusted: TrustedDocuments, request: Naming): NamedDocument | GraphQLError {
  const query = typeof request.query === 'string' && request.query !== '' ? request.query : undefined;
  const hash = hashNamedBy(request);
  if (hash === undefined) return { text: query, isNamed: false };
  if (query !== undefined && request.documentId !== undefined)
    throw new DomainError('invalidInput', 'send either query or documentId', { field: 'documentId' });
  if (query !== undefined && hashOfDocument(query) !== hash)
    throw new DomainError('invalidInput', 'the hash is not that of the query', { field: 'extensions.persistedQuery' });
  const text = trusted.get(hash);
  if (text !== undefined) return { text, isNamed: true };
  // With its text it is asked like any other; nothing that a caller sends becomes known by its hash.
  return query === undefined ? documentNotFound() : { text: query, isNamed: false };
}

function hashNamedBy({ documentId = undefined, extensions }: Naming): string | undefined {
  if (documentId !== undefined) {
    if (typeof documentId !== 'string')
      throw new DomainError('invalidInput', 'documentId is not a string', { field: 'documentId' });
    return documentId.replace(/^sha256:/, '');
  }
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } | null };
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  if (typeof persistedQuery.sha256Hash === 'string') return persistedQuery.sha256Hash;
  throw new DomainError('invalidInput', 'sha256Hash is not a string', { field: 'extensions.persistedQuery' });
}
