// How much of a record a look-up by key has to read: the members that the selected fields show, and the whole record where nobody has said what a field shows.
import { type FieldNode, type GraphQLResolveInfo, isObjectType, Kind, type SelectionSetNode } from 'graphql';

/** The members of the records of a type that its fields show, beside those of its key. A field that is not here is shown the whole record. */
export interface ShownBy<Member extends string> {
  /** Fields that show the member of their own name. */
  sameName: readonly Member[];
  others: Readonly<Record<string, readonly Member[]>>;
}

export interface ShownMembers<Member extends string> {
  members: readonly Member[];
  /** Equal for the same members. */
  key: string;
}

/** What a look-up has to read for the selection that it is made for; null: the whole record. Worked out once for each document. */
export type ReadShown<Member extends string> = (info: GraphQLResolveInfo) => ShownMembers<Member> | null;

export function shownMembersOf<Member extends string>(typeName: string, shownBy: ShownBy<Member>): ReadShown<Member> {
  const known = new WeakMap<FieldNode, ShownMembers<Member> | null>();
  const byField = new Map<string, readonly Member[]>([
    ...shownBy.sameName.map((name) => [name, [name]] as const),
    ...Object.entries(shownBy.others),
  ]);
  return (info) => {
    const [node, another] = info.fieldNodes;
    // Selected twice, perhaps under conditions: what both want together is not the same each time.
    if (!node || another) return null;
    let shown = known.get(node);
    if (shown === undefined) {
      shown = membersOf(fieldsOf(node.selectionSet, typeName, info), byField);
      known.set(node, shown);
    }
    return shown;
  };
}

/** Names of the fields that are selected at the end of the path, under whatever conditions and names. */
export function selectedAlong(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  path: readonly string[],
): ReadonlySet<string> {
  const selectedIn = (selected: SelectionSetNode | undefined): FieldNode[] =>
    (selected?.selections ?? []).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      return selectedIn(fragment?.selectionSet);
    });
  const ends = path.reduce<readonly FieldNode[]>(
    (nodes, name) =>
      nodes.flatMap(({ selectionSet }) => selectedIn(selectionSet).filter((node) => node.name.value === name)),
    fieldNodes,
  );
  return new Set(ends.flatMap(({ selectionSet }) => selectedIn(selectionSet).map(({ name }) => name.value)));
}

function membersOf<Member extends string>(
  fields: ReadonlySet<string>,
  byField: ReadonlyMap<string, readonly Member[]>,
): ShownMembers<Member> | null {
  const found = new Set<Member>();
  for (const field of fields) {
    const shown = byField.get(field);
    if (!shown) return null;
    for (const member of shown) found.add(member);
  }
  const members = [...found].sort();
  return { members, key: members.join(' ') };
}

/** Names of the fields that may be asked of an object of that type, whatever conditions they stand under. */
function fieldsOf(
  selectionSet: SelectionSetNode | undefined,
  typeName: string,
  { fragments, schema }: Pick<GraphQLResolveInfo, 'fragments' | 'schema'>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (selected: SelectionSetNode | undefined, condition: string | undefined) => {
    if (condition !== undefined && condition !== typeName && isObjectType(schema.getType(condition))) return;
    for (const selection of selected?.selections ?? []) {
      if (selection.kind === Kind.FIELD) found.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT)
        collect(selection.selectionSet, selection.typeCondition?.name.value);
      else {
        const fragment = fragments[selection.name.value];
        collect(fragment?.selectionSet, fragment?.typeCondition.name.value);
      }
    }
  };
  collect(selectionSet, undefined);
  return found;
}
