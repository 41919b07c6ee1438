// `npm run bench:memory`: what prepared documents weigh. 400 distinct documents of 10 kB, then as many of an ordinary size, through one process's graph; growth of its memory in MB, after collection.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('./support/typescript.cjs');
require('reflect-metadata');
const { forgetCompiledSources } = require('../gateway/plan/compiled-sources.ts');
const { composeContract } = require('../gateway/plan/compose.ts');
const { openGraph } = require('../gateway/graph.ts');
const { createLog } = require('../subgraphs/shared/log/log.ts');
const { requestContext } = require('../subgraphs/shared/callers/context.ts');
const { subgraphNames, subgraphSchema, subgraphTypeDefs } = require('./graph-adhoc/subgraphs.ts');

const documents = 400;
forgetCompiledSources();
/** @type {import('../subgraphs/shared/callers/caller.ts').Caller} */
const caller = {
  kind: 'client',
  credentialId: 'bench',
  environment: 'sandbox',
  accountId: null,
  scopes: [],
  identifiers: [],
};
const context = () => requestContext({ ...caller, scopes: ['graph:read'] }, '11111111-1111-4111-8111-111111111111');

const subgraphs = subgraphNames.map((name) => ({
  name,
  schema: subgraphSchema(name),
  typeDefs: subgraphTypeDefs(name),
  sdl: '',
}));
const graph = openGraph({
  contract: await composeContract(subgraphs, {}),
  subgraphs,
  config: {
    SUBGRAPH_URLS: {},
    SUBGRAPH_TIMEOUT_MS: 1_000,
    INTERNAL_PRIVATE_KEY: '',
    GRAPH_PLANNER: 'apollo',
    ROLES: ['gateway'],
  },
  log: createLog('warn', 'bench'),
});

/** As many fields as one document may have, filled up to 10 kB. */
function large(number) {
  const fields = Array.from({ length: 15 }, (_, index) => {
    const repeated = '...{ id } '.repeat(5);
    return `a${number}x${index}: topProducts(first: ${1 + ((number + index) % 9)}) { upc name price reviews { id body rating ${repeated} } }`;
  });
  return `{ ${fields.join(' ')} } #`.padEnd(10 * 1024, 'x');
}

const ordinary = (number) => `query O${number} { topProducts(first: 5) { upc name price reviews { id body rating } } }`;

function memory() {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 1e6, heap: heapUsed / 1e6 };
}

async function measure(name, documentOf) {
  for (let warm = 0; warm < 20; warm += 1) await run(documentOf(1_000_000 + warm));
  const before = memory();
  for (let number = 0; number < documents; number += 1) await run(documentOf(number));
  const after = memory();
  const grown = (kind) => (after[kind] - before[kind]).toFixed(1);
  console.log(`${documents} ${name} documents: resident +${grown('rss')} MB, heap +${grown('heap')} MB`);
}

async function run(query) {
  const { errors } = await graph.executeDocument({ query }, {}, context());
  if (errors) throw new Error(errors[0].message);
}

await measure('ordinary', ordinary);
await measure('large', large);
// What is forgotten leaves nothing behind.
await measure('further large', (number) => large(number + 5_000));
process.exit(0);
