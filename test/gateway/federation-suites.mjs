// Makes one file of the suites of the public federation audit, without its servers: `node federation-suites.mjs <checkout> <file>`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const [checkout = '', outfile = ''] = process.argv.slice(2);
const suites = join(checkout, 'src/test-suites');
const names = readdirSync(suites).filter((name) => existsSync(join(suites, name, 'index.ts')));

/** What the audit serves over HTTP is taken as it is declared. */
const stubs = {
  subgraph: 'export const createSubgraph = (name, { typeDefs, resolvers }) => ({ name, typeDefs, resolvers });',
  supergraph: 'export const serve = (id, subgraphs, tests) => ({ id, subgraphs, tests });',
};
const withoutServers = {
  name: 'without servers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/(subgraph|supergraph)\.js$/ }, ({ path }) => ({
      path: /(\w+)\.js$/.exec(path)[1],
      namespace: 'stub',
    }));
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path }) => ({ contents: stubs[path] }));
  },
};

await build({
  stdin: {
    contents: names
      .map((name) => `export { default as ${name.replaceAll('-', '_')} } from './${name}/index';`)
      .join('\n'),
    resolveDir: suites,
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  external: ['graphql'],
  plugins: [withoutServers],
});
