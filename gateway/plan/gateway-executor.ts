// @apollo/gateway's own executor over our subgraph clients: runs plans that the compiler does not know, and judges the compiled ones in the differential test.

import { createHash } from 'node:crypto';
import type { DocumentNode, ExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { SubgraphClient, SubgraphOperation, Variables } from '../subgraphs/subgraph-client';
import { createLru } from './lru';

interface GatewayCall {
  source: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Variables;
  context: RequestContext;
}

export interface GatewayExecutor {
  execute(call: GatewayCall): Promise<ExecutionResult>;
  stop(): Promise<void>;
}

/** Loads @apollo/gateway. Its subgraphs are ours: compiled once per operation, in process or over HTTP. */
export async function loadGatewayExecutor(
  supergraphSdl: string,
  subgraph: (name: string) => SubgraphClient,
): Promise<GatewayExecutor> {
  // The package reports usage to its maker unless told not to.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const { ApolloGateway } = await import('@apollo/gateway');
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => dataSource(subgraph(name)) as never,
    logger: silent,
    experimental_approximateQueryPlanStoreMiB: 8,
  });
  let schema: GraphQLSchema | undefined;
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => {
    schema = apiSchema;
  });
  const { executor } = await gateway.load();
  return {
    async execute({ source, document, operation, variables, context }) {
      const operationName = operation.name?.value;
      const request = { query: source, operationName, variables };
      // Only what the executor reads of Apollo Server's request context.
      const requestContext = {
        request,
        document,
        source,
        schema,
        operation,
        operationName: operationName ?? null,
        queryHash: createHash('sha256').update(source).digest('hex'),
        context,
        metrics: {},
        logger: silent,
        cache: undefined,
      };
      return (await executor(requestContext as never)) as ExecutionResult;
    },
    stop: () => gateway.stop(),
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface DataSourceCall {
  request: { query?: string; operationName?: string; variables?: Record<string, unknown> };
  context: RequestContext;
}

/** Compiled for each subgraph. */
const operationsMax = 200;

function dataSource(client: SubgraphClient) {
  const operations = createLru<SubgraphOperation>(operationsMax);
  return {
    async process({ request, context }: DataSourceCall) {
      const query = request.query ?? '';
      let operation = operations.get(query);
      if (!operation) {
        operation = client.prepare(query, request.operationName);
        operations.set(query, operation);
      }
      context.trace?.subgraphs.add(client.name);
      const { data, errors } = await operation(request.variables ?? {}, context);
      return { data, ...withoutUndefined({ errors }) };
    },
  };
}
