// Ordinary: @apollo/gateway as shipped, its executor behind a bare HTTP shell, subgraphs over HTTP in another process.
import { ApolloGateway } from '@apollo/gateway';
import { type DocumentNode, parse } from 'graphql';
import { readSettings } from '../support/server-side';
import { serveGraph } from './graph-http';
import { composed } from './subgraphs';

const { subgraphsPort } = readSettings<{ subgraphsPort: number }>();
const urls = {
  products: `http://127.0.0.1:${subgraphsPort}/products`,
  reviews: `http://127.0.0.1:${subgraphsPort}/reviews`,
};
const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };
const documents = new Map<string, DocumentNode>();

async function start(): Promise<void> {
  const gateway = new ApolloGateway({ supergraphSdl: composed(urls).supergraphSdl, logger: quiet });
  const { schema, executor } = await gateway.load();
  // What Apollo Server would hand in; the executor keeps plans by queryHash.
  const cache = { get: async () => undefined, set: async () => undefined, delete: async () => true };
  serveGraph(({ query, variables, operationName }) => {
    const document = documents.get(query) ?? parse(query);
    documents.set(query, document);
    return executor({
      document,
      queryHash: query,
      operationName: operationName ?? null,
      operation: document.definitions[0],
      request: { query, variables: variables ?? {} },
      context: {},
      schema,
      metrics: {},
      overallCachePolicy: undefined,
      cache,
      logger: quiet,
    } as never);
  });
}

void start();
