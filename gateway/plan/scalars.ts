// What the graph's own scalars accept, checked where a document or a variable comes in: the printed contract knows only their names.
import { type GraphQLScalarType, type GraphQLSchema, isScalarType, valueFromASTUntyped } from 'graphql';
import { GraphQLDateTimeISO, GraphQLJSONObject } from 'graphql-scalars';

const scalars: readonly GraphQLScalarType[] = [GraphQLDateTimeISO, GraphQLJSONObject];

/** Gives the scalars of a printed schema their rules; values go on to the subgraphs as they came. */
export function withScalarRules(schema: GraphQLSchema): GraphQLSchema {
  for (const scalar of scalars) {
    const printed = schema.getType(scalar.name);
    if (!isScalarType(printed)) continue;
    printed.parseValue = (value) => {
      scalar.parseValue(value);
      return value;
    };
    printed.parseLiteral = (node, variables) => {
      scalar.parseLiteral(node, variables);
      return valueFromASTUntyped(node, variables);
    };
  }
  return schema;
}
