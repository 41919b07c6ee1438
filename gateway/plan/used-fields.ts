// Which fields of the graph a document asks for: worked out once for each document, so that counting them costs a request next to nothing.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { fragmentsOf, reachable } from './selection';

export interface UsedFields {
  /** Each once, as `Type.field`. */
  all: readonly string[];
  /** Of them, what is to go. */
  deprecated: readonly string[];
}

/** Of the operation and the fragments that it reaches; not what another operation of the document asks. */
export function usedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): UsedFields {
  const all = new Set<string>();
  const deprecated = new Set<string>();
  const info = new TypeInfo(schema);
  const noted = visitWithTypeInfo(info, {
    [Kind.FIELD]: ({ name }: FieldNode) => {
      const field = info.getFieldDef();
      const parent = info.getParentType();
      if (!field || !parent || name.value.startsWith('__')) return;
      const path = `${parent.name}.${name.value}`;
      all.add(path);
      if (field.deprecationReason != null) deprecated.add(path);
    },
  });
  for (const node of [operation, ...reachable(fragmentsOf(document), operation)]) visit(node, noted);
  return { all: [...all], deprecated: [...deprecated] };
}
