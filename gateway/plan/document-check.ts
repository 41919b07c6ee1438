// From the text that a caller sent to a document that may be planned: its length, its syntax, its size, then the rules of the language.

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { refusal } from '../errors';
import { measureDocument } from './document-size';
import { limits } from './limits';

export interface GraphDocument {
  query: string;
  operationName?: string | null | undefined;
}

const invalid = 'GRAPHQL_VALIDATION_FAILED';

/** The document, or what is wrong with it. */
export function checkDocument(
  schema: GraphQLSchema,
  { query, operationName }: GraphDocument,
): DocumentNode | readonly GraphQLError[] {
  const document = readDocument(query);
  return 'definitions' in document ? validated(schema, document, operationName) : document;
}

/** A document that we were given before: only the schema can have moved away from it. */
export function checkTrusted(
  schema: GraphQLSchema,
  { query, operationName }: GraphDocument,
): DocumentNode | readonly GraphQLError[] {
  return validated(schema, parse(query), operationName);
}

function validated(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): DocumentNode | readonly GraphQLError[] {
  const wrong = validationFaults(schema, document);
  if (wrong.length > 0) return wrong;
  return getOperationAST(document, operationName) ? document : [noSuchOperation()];
}

/** What the rules of the language say of it. */
export function validationFaults(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const wrong = validate(schema, document, specifiedRules, { maxErrors: 20 });
  return wrong.map((error) => coded(error, invalid));
}

/** Parses what is short enough, and refuses what would be too large to validate. */
export function readDocument(query: string): DocumentNode | readonly GraphQLError[] {
  const bytes = Buffer.byteLength(query);
  if (bytes > limits.documentBytesMax) {
    const message = `the document is ${bytes} bytes long; at most ${limits.documentBytesMax} are served: send values as variables`;
    return [refusal(new DomainError('payloadTooLarge', message, { field: 'query' }))];
  }
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: limits.tokensMax });
  } catch (error) {
    return [coded(error as GraphQLError, 'GRAPHQL_PARSE_FAILED')];
  }
  const { faults } = measureDocument(document);
  return faults.length === 0 ? document : faults.map(tooLarge);
}

function tooLarge(fault: string): GraphQLError {
  return new GraphQLError(`the document is too large: ${fault}`, { extensions: { code: invalid } });
}

/** The document defines no operation of that name, or several and none was named. */
export function noSuchOperation(): GraphQLError {
  const message = 'the document has no such operation, or several and none was named';
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

function coded(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(withoutSuggestion(error.message), {
    ...withoutUndefined({ nodes: error.nodes, source: error.source, positions: error.positions }),
    extensions: { code },
  });
}

/** Suggestions would let a caller without the right to read the schema guess it. */
export function withoutSuggestion(message: string): string {
  return message.replace(/ ?Did you mean .*$/s, '');
}
