// Which types of a subgraph are a Node, and the field that is their key.
import { type DocumentNode, Kind, type ObjectTypeDefinitionNode } from 'graphql';

export interface NodeKey {
  typeName: string;
  key: string;
}

/** Throws for a Node without a key: nothing could find it again. */
export function nodeKeys({ definitions }: DocumentNode): NodeKey[] {
  const types = definitions.filter((each) => each.kind === Kind.OBJECT_TYPE_DEFINITION);
  return types.filter(isNode).map((type) => ({ typeName: type.name.value, key: keyOf(type) }));
}

function isNode({ interfaces = [] }: ObjectTypeDefinitionNode): boolean {
  return interfaces.some(({ name }) => name.value === 'Node');
}

function keyOf({ name, directives = [] }: ObjectTypeDefinitionNode): string {
  const value = directives.find((directive) => directive.name.value === 'key')?.arguments?.[0]?.value;
  if (value?.kind !== Kind.STRING) throw new Error(`${name.value} is a Node without a key`);
  return value.value;
}
