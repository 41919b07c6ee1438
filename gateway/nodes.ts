// `node(id)`: a small subgraph of the gateway's own. It asks the subgraph that owns the entity, by the same field that clients ask, so that rights are judged
// in one place and what is absent, foreign or not for this caller is null.
import { type DocumentNode, type FieldDefinitionNode, Kind, parse } from 'graphql';
import type { RequestContext } from '../subgraphs/shared/callers/context';
import { DomainError, type DomainErrorCode } from '../subgraphs/shared/errors';
import { federatedSchema } from '../subgraphs/shared/graph/federated-schema';
import { parseGlobalId } from '../subgraphs/shared/graph/global-id';
import { nodeKeys } from '../subgraphs/shared/graph/node-keys';
import type { Log } from '../subgraphs/shared/log/log';
import { localSubgraph } from './subgraphs/local-subgraph';
import type { SubgraphClient, SubgraphOperation } from './subgraphs/subgraph-client';

export const nodesSubgraph = 'nodes';

/** How an entity is found: the subgraph that owns it, its key, and the field of Query that takes the key. */
interface NodeOwner {
  subgraph: string;
  key: string;
  field: string;
}

/** By type name. */
export type NodeOwners = Record<string, NodeOwner>;

/** The owners of every type that implements Node; throws when one cannot be asked for by its key. */
export function nodeOwners(parts: readonly { name: string; typeDefs: DocumentNode }[]): NodeOwners {
  const owners: NodeOwners = {};
  for (const { name: subgraph, typeDefs } of parts) {
    for (const { typeName, key } of nodeKeys(typeDefs)) {
      const field = queriesOf(typeDefs).find((candidate) => findsBy(candidate, typeName, key));
      if (!field) throw new Error(`${typeName} is a Node that no field of Query finds by ${key}`);
      owners[typeName] = { subgraph, key, field: field.name.value };
    }
  }
  return owners;
}

function queriesOf({ definitions }: DocumentNode): readonly FieldDefinitionNode[] {
  const types = definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION);
  return types.filter(({ name }) => name.value === 'Query').flatMap(({ fields = [] }) => fields);
}

function findsBy({ type, arguments: given = [] }: FieldDefinitionNode, typeName: string, key: string): boolean {
  const isOfType = type.kind === Kind.NAMED_TYPE && type.name.value === typeName;
  return isOfType && given.length === 1 && given[0]?.name.value === key;
}

export function nodesSdl(owners: NodeOwners): string {
  const types = Object.entries(owners).map(([name, { key }]) => {
    const fields = key === 'id' ? 'id: ID!' : `${key}: ID!\n  id: ID! @shareable`;
    return `type ${name} implements Node @key(fields: "${key}", resolvable: false) {\n  ${fields}\n}`;
  });
  return `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@tag", "@inaccessible"])

"""Whatever can be found again by its id alone: \`node(id)\`."""
interface Node {
  """The same for this object everywhere in the graph; not to be taken apart."""
  id: ID!
}

type Query {
  """Any object by its \`id\`; null when it is absent, somebody else's, or not for this caller."""
  node(
    """As \`id\` of an object said."""
    id: ID!
  ): Node @tag(name: "tenant")
}

${types.join('\n\n')}
`;
}

/** The subgraph itself, over the clients of the others. */
export function createNodes(owners: NodeOwners, subgraph: (name: string) => SubgraphClient, log: Log): SubgraphClient {
  const lookUps = new Map<string, SubgraphOperation>();

  function lookUpOf({ subgraph: name, key, field }: NodeOwner): SubgraphOperation {
    const known = lookUps.get(field);
    if (known) return known;
    const lookUp = subgraph(name).prepare(
      `query ($key: ID!) { found: ${field}(${key}: $key) { __typename } }`,
      undefined,
    );
    lookUps.set(field, lookUp);
    return lookUp;
  }

  async function node(_root: unknown, { id }: { id: string }, context: RequestContext) {
    const place = locate(owners, id);
    if (!place) return null;
    const { data, errors } = await lookUpOf(place.owner)({ key: place.key }, context);
    const fault = errors?.find(({ originalError }) => !(originalError instanceof DomainError && isNo(originalError)));
    if (fault) throw fault.originalError ?? fault;
    return data?.['found'] ? { __typename: place.typeName, id, [place.owner.key]: place.key } : null;
  }

  const resolvers = { Query: { node }, Node: { __resolveType: (found: { __typename: string }) => found.__typename } };
  const schema = federatedSchema({ name: nodesSubgraph, typeDefs: parse(nodesSdl(owners)), resolvers });
  return localSubgraph(nodesSubgraph, schema, log);
}

/** An entity whose key is called `id` has it for its global id as well: nothing else is written like it. */
function locate(owners: NodeOwners, id: string): { typeName: string; owner: NodeOwner; key: string } | null {
  const parsed = parseGlobalId(id);
  if (parsed) {
    const owner = Object.hasOwn(owners, parsed.typeName) ? owners[parsed.typeName] : undefined;
    return owner && owner.key !== 'id' ? { ...parsed, owner } : null;
  }
  const plain = Object.entries(owners).find(([, { key }]) => key === 'id');
  return plain ? { typeName: plain[0], owner: plain[1], key: id } : null;
}

const noes: readonly DomainErrorCode[] = ['forbidden', 'unauthenticated', 'notFound', 'invalidInput'];

function isNo({ code }: DomainError): boolean {
  return noes.includes(code);
}
