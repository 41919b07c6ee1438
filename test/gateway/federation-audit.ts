// The public federation audit (github.com/graphql-hive/federation-gateway-audit, MIT), from a checkout of one's own, through the product's composition and gateway.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, parse, printSchema } from 'graphql';
import { openGraph } from '../../gateway/graph';
import type { GraphContract } from '../../gateway/plan/contract';
import type { Graph } from '../../gateway/plan/execute';
import { publicHalf } from '../../gateway/subgraphs/internal-keys';
import { startSubgraphServer } from '../../gateway/subgraphs/subgraph-server';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { contextOf, fixtureConfig, gatewayKey, silentLog } from './fixture';

interface AuditTest {
  query: string;
  expected: { data?: unknown; errors?: boolean };
}

interface Suite {
  id: string;
  subgraphs: { name: string; typeDefs: string; resolvers: Record<string, unknown> }[];
  tests: AuditTest[] | (() => AuditTest[]);
}

/**
 * What Apollo's planner answers otherwise than the audit wants: the audit's own report has the same six for Apollo's gateway. The first comes out null
 * at the end of a chain of keys; the second is null without an error where no subgraph can resolve the field; the next three lack what a `@requires`
 * with arguments asks for; the last takes one value of a field that two `@requires` ask for with different arguments.
 */
export const plannersOwn: readonly string[] = [
  'keys-mashup 0',
  'non-resolvable-interface-object 1',
  'requires-with-argument 2',
  'requires-with-argument 3',
  'requires-with-argument 4',
  'requires-with-argument-conflict 0',
];

const root = join(__dirname, '../..');

/** Where the audit's subgraphs are: in this process, or each behind a server of its own on this machine. */
type Place = 'in process' | 'over HTTP';

/** The names of what failed, `<suite> <number>` with the reason, and how many there are. */
export async function auditFederation(
  checkout: string,
  place: Place,
): Promise<{ suites: number; tests: number; failed: string[] }> {
  const suites = readSuites(checkout);
  const failed: string[] = [];
  let tests = 0;
  for (const suite of suites) {
    const all = typeof suite.tests === 'function' ? suite.tests() : suite.tests;
    tests += all.length;
    failed.push(...(await failuresOf(suite, all, place)));
  }
  return { suites: suites.length, tests, failed };
}

function readSuites(checkout: string): Suite[] {
  // Beside the packages, so that it finds the same graphql.
  const folder = join(root, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'federation-suites.cjs');
  execFileSync(process.execPath, [join(__dirname, 'federation-suites.mjs'), checkout, file], { cwd: root });
  return Object.values(require(file) as Record<string, Suite>);
}

async function failuresOf({ id, subgraphs }: Suite, tests: readonly AuditTest[], place: Place): Promise<string[]> {
  const parts = subgraphs.map(({ name, typeDefs: sdl, resolvers }) => {
    const typeDefs = parse(sdl);
    return { name, sdl, typeDefs, schema: buildSubgraphSchema({ typeDefs, resolvers: resolvers as never }) };
  });
  const { graph, close } = await opened(parts, place);
  const failed: string[] = [];
  for (const [number, { query, expected }] of tests.entries()) {
    // What the planner cannot plan is thrown; a server of the gateway answers it with an error.
    const answer = await graph
      .executeDocument({ query }, {}, contextOf())
      .catch((error: Error) => ({ errors: [error.message] }));
    const { data, errors } = JSON.parse(JSON.stringify(answer));
    const isRight =
      isDeepStrictEqual(data ?? null, expected.data ?? null) &&
      (expected.errors === undefined || expected.errors === errors?.length > 0);
    if (!isRight) failed.push(`${id} ${number}: ${JSON.stringify({ data, errors }).slice(0, 200)}`);
  }
  await close();
  return failed;
}

/** The gateway over those subgraphs, and how to end both. */
async function opened(parts: readonly Subgraph[], place: Place): Promise<{ graph: Graph; close(): Promise<void> }> {
  const deps = { contract: composed(parts), log: silentLog };
  if (place === 'in process') {
    const graph = openGraph({ ...deps, subgraphs: parts, config: fixtureConfig });
    return { graph, close: () => graph.close() };
  }
  const keys = { INTERNAL_PUBLIC_KEYS: { gateway: [publicHalf(gatewayKey)] } };
  const config = { HOST: '127.0.0.1', SUBGRAPH_PORT: 0, ...keys };
  const start = async (subgraph: Subgraph) => startSubgraphServer({ subgraph, config, log: silentLog });
  const servers = await Promise.all(parts.map(start));
  const urls = Object.fromEntries(
    parts.map(({ name }, index) => [name, `http://127.0.0.1:${servers[index]?.port}/graphql`]),
  );
  const graph = openGraph({ ...deps, subgraphs: [], config: { ...fixtureConfig, SUBGRAPH_URLS: urls } });
  const close = async () => {
    await graph.close();
    await Promise.all(servers.map((server) => server.stop()));
  };
  return { graph, close };
}

/** As gateway/plan/compose.ts does it, but for the product's own rule that a field of Query finds every Node: the audit has Nodes without one. */
function composed(parts: readonly { name: string; typeDefs: DocumentNode }[]): GraphContract {
  const { supergraphSdl, errors } = composeServices(parts.map((part) => ({ ...part, url: '' })));
  if (!supergraphSdl)
    throw new Error(`the subgraphs do not compose: ${errors?.map(({ message }) => message).join('; ')}`);
  const apiSdl = printSchema(Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema());
  return { supergraphSdl, apiSdl, operations: {}, nodes: {}, subscriptionRules: {}, unmasked: [] };
}
