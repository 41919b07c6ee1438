// From the contract of a subgraph to its executable schema. What @apollo/subgraph makes of a contract is the same each time, and was half of what a start
// spends on schemas: the build keeps it (tools/federate.mjs), and a process that finds its very contract there reads it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addResolversToSchema } from '@apollo/subgraph/dist/schema-helper';
import { entitiesResolver } from '@apollo/subgraph/dist/types';
import {
  buildASTSchema,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { withoutSyntax } from './without-syntax';

/** Only dist has it. */
const keptFolder = join(__dirname, '../../../schema/federated');

interface ServedContract {
  name: string;
  typeDefs: DocumentNode;
  /** By type and field, with `__resolveReference` and `__resolveType`. */
  resolvers: Record<string, Record<string, unknown>>;
}

/** The executable schema, with `_service` and `_entities`. */
export function federatedSchema({ name, typeDefs, resolvers }: ServedContract, folder = keptFolder): GraphQLSchema {
  const sdl = keptContract({ name, typeDefs }, folder);
  if (!sdl) return withoutSyntax(library().buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]));
  const schema = buildASTSchema(parse(sdl, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
  addResolversToSchema(schema, federationResolvers(sdl) as never);
  addResolversToSchema(schema, resolvers as never);
  return withoutSyntax(schema);
}

/** What the build made of this contract, whose hash stands in the first line; null where it has made nothing, or of another. */
export function keptContract({ name, typeDefs }: Omit<ServedContract, 'resolvers'>, folder: string): string | null {
  const [line, ...sdl] = readIfThere(join(folder, `${name}.graphql`)).split('\n');
  return line === `# ${contractHash(typeDefs)}` ? sdl.join('\n') : null;
}

/** Of the definitions in whatever order they stand, which is that in which a process has loaded them, without the tags that composition gives them. */
function contractHash(typeDefs: DocumentNode): string {
  const { definitions } = visit(typeDefs, { [Kind.DIRECTIVE]: dropTag });
  return createHash('sha256').update(definitions.map(print).sort().join('\n')).digest('hex');
}

function dropTag({ name }: DirectiveNode): null | undefined {
  return name.value === 'tag' ? null : undefined;
}

/** As buildSubgraphSchema of @apollo/subgraph 2.14 adds them; those of types that a contract has not are passed over. */
function federationResolvers(sdl: string) {
  return {
    Query: {
      _service: () => ({ sdl }),
      _entities: (_: unknown, args: { representations: unknown }, context: unknown, info: GraphQLResolveInfo) =>
        entitiesResolver({ ...args, context, info }),
    },
    _Entity: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
  };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Loaded where it is needed alone: its model of schemas is a third of a second and some megabytes. */
function library() {
  return require('@apollo/subgraph') as typeof import('@apollo/subgraph');
}
