// Questions about the schema beside questions about data, in one document: each part is answered by whoever knows, the answer put together again.

import {
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { collectFields, fragmentsOf, type Parsed } from './selection';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function isSchemaField(name: string): boolean {
  return name === '__schema' || name === '__type';
}

/** Names of the root fields, wherever in fragments they stand, whatever their conditions. */
export function rootFieldNames({ selections }: SelectionSetNode, fragments: Fragments): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'Field') return [selection.name.value];
    const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    return fragment ? rootFieldNames(fragment.selectionSet, fragments) : [];
  });
}

/** The part of an operation that asks for data alone, or for the schema alone; conditions stay where they are. */
export function partOf(schema: GraphQLSchema, { document, operation }: Parsed, part: 'data' | 'schema'): Parsed {
  const fragments = fragmentsOf(document);
  const isWanted = (name: string) => isSchemaField(name) === (part === 'schema');
  const selections = kept(operation.selectionSet, fragments, isWanted);
  const cut: OperationDefinitionNode = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } };
  // Fragments on the root type stand in the operation now.
  const others = [...fragments.values()].filter(
    ({ typeCondition }) => typeCondition.name.value !== schema.getQueryType()?.name,
  );
  const cutDocument = { kind: Kind.DOCUMENT, definitions: [cut, ...others] } as const;
  return { source: print(cutDocument), document: cutDocument, operation: cut };
}

function kept(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  isWanted: (name: string) => boolean,
): SelectionNode[] {
  return selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === 'Field') return isWanted(selection.name.value) ? [selection] : [];
    const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    const inner = fragment ? kept(fragment.selectionSet, fragments, isWanted) : [];
    if (!fragment || inner.length === 0) return [];
    return [
      {
        kind: Kind.INLINE_FRAGMENT,
        ...withoutUndefined({ typeCondition: fragment.typeCondition, directives: selection.directives }),
        selectionSet: { kind: Kind.SELECTION_SET, selections: inner },
      },
    ];
  });
}

/** Puts both answers together, in the order of the document. */
export function joinAnswers(
  schema: GraphQLSchema,
  { document, operation }: Parsed,
): (described: ExecutionResult, answered: ExecutionResult) => ExecutionResult {
  const root = schema.getQueryType();
  if (!root) throw new Error('the graph has no queries');
  const scope = { schema, fragments: fragmentsOf(document) };
  const fields = collectFields(scope, root, [{ selectionSet: operation.selectionSet, conditions: [] }]);
  return (described, answered) => {
    if (!answered.data || !described.data) return described.data ? answered : described;
    const found = { ...described.data, ...answered.data };
    const names = fields.map(({ responseName }) => responseName).filter((name) => Object.hasOwn(found, name));
    return { ...answered, data: Object.fromEntries(names.map((name) => [name, found[name]])) };
  };
}
