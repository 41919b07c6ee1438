// Both subgraphs over HTTP in one process, with cached documents, for the gateway as shipped.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DocumentNode, execute, parse } from 'graphql';
import { sayReady } from '../support/server-side';
import { type SubgraphName, subgraphNames, subgraphSchema } from './subgraphs';

const schemas = new Map(subgraphNames.map((name) => [`/${name}`, subgraphSchema(name as SubgraphName)]));
const documents = new Map<string, DocumentNode>();

const server = createServer((request, response) => {
  const schema = schemas.get(request.url ?? '');
  if (!schema) return void response.writeHead(404).end();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const key = `${request.url} ${query}`;
    const document = documents.get(key) ?? parse(query as string);
    documents.set(key, document);
    const result = await execute({ schema, document, contextValue: {}, variableValues: variables });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
