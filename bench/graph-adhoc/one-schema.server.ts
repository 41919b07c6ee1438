// graphql-js on one merged schema, each document parsed and validated once: what the graph would cost without federation.
import { buildSchema, type DocumentNode, execute, parse, validate } from 'graphql';
import { oneSchemaSdl, type Product, reviewsOf, topProducts } from './fixture';
import { serveGraph } from './graph-http';

const schema = buildSchema(oneSchemaSdl);
const productType = schema.getType('Product') as import('graphql').GraphQLObjectType;
const reviewsField = productType.getFields()['reviews'] as import('graphql').GraphQLField<Product, unknown>;
reviewsField.resolve = ({ upc }) => reviewsOf(upc);
const rootValue = { topProducts: ({ first }: { first: number }) => topProducts(first) };
const documents = new Map<string, DocumentNode>();

serveGraph(({ query, variables, operationName }) => {
  let document = documents.get(query);
  if (!document) {
    document = parse(query);
    const wrong = validate(schema, document);
    if (wrong.length > 0) return { errors: wrong };
    documents.set(query, document);
  }
  return execute({ schema, document, rootValue, contextValue: {}, variableValues: variables, operationName });
});
