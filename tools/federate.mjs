// What @apollo/subgraph makes of each printed contract, for processes to read at their start: see subgraphs/shared/graph/federated-schema.ts.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The contract of a subgraph, of the files in schema/. */
export const isSubgraphContract = (path) => /^schema\/(?!supergraph)\w+\.graphql$/.test(path);

/** File names and texts: in the first line the hash of its definitions, as contractHash of that file has it. */
export function federatedContracts(root) {
  // One realm of graphql with the library, which is CommonJS.
  const require = createRequire(import.meta.url);
  const { graphqlSync, Kind, parse, print, visit } = require('graphql');
  const { buildSubgraphSchema } = require('@apollo/subgraph');
  const dropTag = ({ name }) => (name.value === 'tag' ? null : undefined);
  const untagged = (document) => visit(document, { [Kind.DIRECTIVE]: dropTag }).definitions;
  const names = readdirSync(join(root, 'schema')).filter((name) => isSubgraphContract(`schema/${name}`));
  return names.map((name) => {
    const typeDefs = parse(readFileSync(join(root, 'schema', name), 'utf8'));
    const schema = buildSubgraphSchema([{ typeDefs }]);
    const { data } = /** @type {any} */ (graphqlSync({ schema, source: '{ _service { sdl } }' }));
    const printed = untagged(typeDefs).map(print).sort().join('\n');
    const hash = createHash('sha256').update(printed).digest('hex');
    return { name, text: `# ${hash}\n${data._service.sdl}` };
  });
}
