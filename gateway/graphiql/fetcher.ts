// How the explorer talks to the graph: queries and mutations over HTTP, subscriptions over WebSocket, both with the headers of the tab; the schema as text.
import type { FetcherOpts, FetcherParams } from '@graphiql/toolkit';
import { buildSchema, type ExecutionResult, getOperationAST, introspectionFromSchema, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { withLinkToken } from './link-token';

const path = '/graphql';
/** As GraphiQL calls its query for the schema. */
const introspectionName = 'IntrospectionQuery';

export function fetcher(given: FetcherParams, options: FetcherOpts = {}) {
  const headers = withLinkToken(options.headers ?? {});
  if (given.operationName === introspectionName) return readSchema(headers);
  const { params, kind } = ofThisDocument(given);
  return kind === 'subscription' ? subscribe(params, headers) : post(params, headers);
}

/** Whoever runs a tab right after choosing it has GraphiQL name the operation of the tab before. */
function ofThisDocument(given: FetcherParams): { params: FetcherParams; kind: string | undefined } {
  try {
    const document = parse(given.query);
    const named = given.operationName ? getOperationAST(document, given.operationName) : null;
    const operation = named ?? getOperationAST(document);
    return { params: { ...given, operationName: operation?.name?.value }, kind: operation?.operation };
  } catch {
    // The graph says what is wrong with it.
    return { params: given, kind: undefined };
  }
}

/** What an introspection would answer, which the graph leaves to administrators in the sandbox: the schema itself everybody may read who may use it. */
async function readSchema(headers: Record<string, unknown>): Promise<ExecutionResult> {
  const response = await fetch(`${path}/schema.graphql`, { headers: printable(headers) });
  if (!response.ok) return response.json();
  const schema = buildSchema(await response.text(), { assumeValid: true });
  return { data: { ...introspectionFromSchema(schema, { inputValueDeprecation: true }) } };
}

async function post(params: FetcherParams, headers: Record<string, unknown>): Promise<ExecutionResult> {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      ...printable(headers),
      'content-type': 'application/json',
      accept: 'application/json',
      // The session's cookie is taken from pages of ours only, which say so.
      'x-requested-with': 'graph-explorer',
    },
    body: JSON.stringify(params),
  });
  return response.json();
}

/** One connection per subscription, closed with it: each tab may have another credential. */
async function* subscribe(params: FetcherParams, headers: Record<string, unknown>): AsyncGenerator<ExecutionResult> {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const { authorization, Authorization } = printable(headers);
  const client = createClient({
    url: url.href,
    // Without one the session's cookie, which the browser sends along, says who asks.
    connectionParams: authorization || Authorization ? { authorization: authorization ?? Authorization } : {},
    retryAttempts: 0,
  });
  try {
    const { query, variables, operationName } = params;
    const request = { query, variables: variables ?? undefined, operationName: operationName ?? undefined };
    // GraphiQL's type asks for errors with their syntax nodes, which no answer over the wire has.
    yield* client.iterate(request) as AsyncGenerator<unknown> as AsyncGenerator<ExecutionResult>;
  } catch (error) {
    if (error instanceof CloseEvent) throw new Error(`The connection was closed: ${error.code} ${error.reason}`);
    throw error;
  } finally {
    await client.dispose();
  }
}

function printable(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
