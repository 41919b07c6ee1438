// The fixture as two federated subgraphs, their supergraph and what the product's graph is opened from.
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, type GraphQLSchema, parse, printSchema } from 'graphql';
import { productByUpc, reviewsOf, subgraphSdl, topProducts } from './fixture';

export type SubgraphName = keyof typeof subgraphSdl;
export const subgraphNames: SubgraphName[] = ['products', 'reviews'];

const resolvers = {
  products: {
    Query: { topProducts: (_: unknown, { first }: { first: number }) => topProducts(first) },
    Product: { __resolveReference: ({ upc }: { upc: string }) => productByUpc(upc) },
  },
  reviews: {
    Product: {
      __resolveReference: ({ upc }: { upc: string }) => ({ upc }),
      reviews: ({ upc }: { upc: string }) => reviewsOf(upc),
    },
  },
};

export const subgraphTypeDefs = (name: SubgraphName): DocumentNode => parse(subgraphSdl[name]);

/** An executable subgraph schema. */
export function subgraphSchema(name: SubgraphName): GraphQLSchema {
  const typeDefs = parse(subgraphSdl[name]);
  return buildSubgraphSchema([{ typeDefs, resolvers: resolvers[name] as never }]);
}

/** Composes both; `urls` go into the supergraph for the gateway that calls them over HTTP. */
export function composed(urls: Record<SubgraphName, string>): { supergraphSdl: string; apiSdl: string } {
  const services = subgraphNames.map((name) => ({ name, url: urls[name], typeDefs: parse(subgraphSdl[name]) }));
  const result = composeServices(services);
  if (!result.supergraphSdl) throw new Error(result.errors?.map(({ message }) => message).join('\n'));
  return { supergraphSdl: result.supergraphSdl, apiSdl: printSchema(result.schema.toAPISchema().toGraphQLJSSchema()) };
}
