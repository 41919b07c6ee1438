// The graph of the ad-hoc benchmark: products and reviews with data in memory, as one schema and as two subgraphs.

export interface Product {
  upc: string;
  name: string;
  price: number;
}

export interface Review {
  id: string;
  body: string;
  rating: number;
}

/** The query under test: two fetches when federated, about 1.1 kB of answer. */
export const query = 'query TopProducts { topProducts(first: 5) { upc name price reviews { id body rating } } }';

export const bearer = 'Bearer bench-token';

const products: Product[] = Array.from({ length: 20 }, (_, index) => ({
  upc: `upc-${index}`,
  name: `Product number ${index}`,
  price: 100 * (index + 1),
}));

const reviews = new Map<string, Review[]>(
  products.map(({ upc }, index) => [
    upc,
    [1, 2].map((number) => ({
      id: `r-${index}-${number}`,
      body: `A review with some words about ${upc}`,
      rating: number + 2,
    })),
  ]),
);

export const topProducts = (first: number): Product[] => products.slice(0, first);
export const productByUpc = (upc: string): Product | undefined => products.find((product) => product.upc === upc);
export const reviewsOf = (upc: string): Review[] => reviews.get(upc) ?? [];

/** The answer as plain code gives it. */
export function plainAnswer(): object {
  return { data: { topProducts: topProducts(5).map((product) => ({ ...product, reviews: reviewsOf(product.upc) })) } };
}

export const oneSchemaSdl = `
  type Query { topProducts(first: Int!): [Product!]! }
  type Product { upc: ID! name: String! price: Int! reviews: [Review!]! }
  type Review { id: ID! body: String! rating: Int! }
`;

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';

export const subgraphSdl = {
  products: `${link}
    type Query { topProducts(first: Int!): [Product!]! }
    type Product @key(fields: "upc") { upc: ID! name: String! price: Int! }
  `,
  reviews: `${link}
    type Product @key(fields: "upc") { upc: ID! reviews: [Review!]! }
    type Review { id: ID! body: String! rating: Int! }
  `,
};
