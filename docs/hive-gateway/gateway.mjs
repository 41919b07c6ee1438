// Hive Gateway in front of a spread-out installation: `SUPERGRAPH=... SUBGRAPH_ACCESS=... INTERNAL_PRIVATE_KEY=... node gateway.mjs`.
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { signedCalls } from './signed-calls.mjs';

const { SUPERGRAPH, SUBGRAPH_ACCESS, INTERNAL_PRIVATE_KEY, PORT = '4000' } = process.env;

const gateway = createGatewayRuntime({
  supergraph: SUPERGRAPH,
  plugins: () => [signedCalls({ key: INTERNAL_PRIVATE_KEY, access: SUBGRAPH_ACCESS })],
  // Errors of subgraphs are fit for outsiders, and have the codes that clients know.
  maskedErrors: false,
});

const server = createServer(gateway);
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/graphql`));

// The library listens to signals, too, so that the process would not end by itself.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
