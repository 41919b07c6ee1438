// How large a parsed document is with its fragments spread: measured before validation and planning, which walk all of that.
// Each fragment is measured once, however often it is spread, so measuring costs no more than the text is long.
import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { limits } from './limits';
import { fragmentsOf } from './selection';

/** Of a selection set, or of the largest operation of a document. */
interface Size {
  /** Fields, spreads and inline fragments, those of a fragment counted at each spread. */
  selections: number;
  /** Fields with a selection set of their own, which are what planning costs; those of the schema itself are not planned. */
  objects: number;
  aliases: number;
  directives: number;
  /** Levels of data; introspection has none. */
  depth: number;
  /** Objects that these selections would return if they were asked of the schema itself. */
  described: number;
  /** The same where they are. */
  introspected: number;
}

const nothing: Size = { selections: 0, objects: 0, aliases: 0, directives: 0, depth: 0, described: 0, introspected: 0 };

/** Lists of the introspection schema by their usual length here; whatever is not listed counts as one. */
const introspectedLists: Readonly<Record<string, number>> = {
  types: 300,
  fields: 8,
  inputFields: 4,
  enumValues: 4,
  args: 2,
  interfaces: 1,
  possibleTypes: 2,
  directives: 8,
};

interface SizeScope {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Sizes by fragment; `null` while it is being measured, so that one that spreads itself is noticed. */
  known: Map<string, Size | null>;
  isCircular: boolean;
  hasReservedAlias: boolean;
  visits: number;
}

export interface DocumentSize {
  /** What is too much, in words; empty when the document may go on. */
  faults: string[];
  /** Selections of all definitions, those of a fragment counted at each spread. */
  selections: number;
  /** Selections looked at to tell that. */
  visits: number;
}

export function measureDocument(document: DocumentNode): DocumentSize {
  const flags = { isCircular: false, hasReservedAlias: false };
  const scope: SizeScope = { fragments: fragmentsOf(document), known: new Map(), ...flags, visits: 0 };
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  const sizes = operations.map(({ selectionSet, directives = [], variableDefinitions = [] }) => {
    const carried = [directives, ...variableDefinitions.map((definition) => definition.directives ?? [])].flat().length;
    return plus(measure(scope, selectionSet), { ...nothing, directives: carried });
  });
  const spread = [...scope.fragments.values()].map((fragment) => measureFragment(scope, fragment));
  const faults = [
    ...namesTooLong(document),
    ...(scope.hasReservedAlias ? ['aliases that begin with two underscores belong to the language'] : []),
    ...(scope.isCircular ? ['a fragment spreads itself'] : []),
    ...(operations.length > limits.operationsMax ? [`${operations.length} operations in one document`] : []),
    ...tooMuch([...sizes, ...spread]),
  ];
  // Whoever is too large already is not looked at further.
  if (faults.length === 0) {
    const pairs = [...operations, ...scope.fragments.values()].map((each) => repetitions(scope, [each.selectionSet]));
    if (sum(pairs) > limits.repetitionsMax) faults.push('the same response names are selected again and again');
  }
  return { faults, selections: sum([...sizes, ...spread].map(({ selections }) => selections)), visits: scope.visits };
}

function tooMuch(sizes: readonly Size[]): string[] {
  const largest = (of: (size: Size) => number) => Math.max(0, ...sizes.map(of));
  const rows = [
    [
      sum(sizes.map(({ selections }) => selections)),
      limits.selectionsMax,
      'selections, each fragment counted at each spread',
    ],
    [largest(({ objects }) => objects), limits.objectFieldsMax, 'fields with a selection of their own'],
    [largest(({ depth }) => depth), limits.depthMax, 'levels'],
    [largest(({ aliases }) => aliases), limits.aliasesMax, 'aliases'],
    [largest(({ directives }) => directives), limits.directivesMax, 'directives'],
    [largest(({ introspected }) => introspected), limits.introspectedMax, 'objects of the schema'],
  ] as const;
  return rows.flatMap(([found, most, what]) =>
    found > most ? [`${found > 1_000_000 ? 'millions of' : found} ${what}; at most ${most} are served`] : [],
  );
}

function measure(scope: SizeScope, selectionSet: SelectionSetNode): Size {
  return selectionSet.selections.map((selection) => measureSelection(scope, selection)).reduce(plus, nothing);
}

function measureSelection(scope: SizeScope, selection: SelectionNode): Size {
  scope.visits += 1;
  const own = { ...nothing, selections: 1, directives: selection.directives?.length ?? 0 };
  if (selection.kind === 'Field') return plus(own, measureField(scope, selection));
  if (selection.kind === 'InlineFragment') return plus(own, measure(scope, selection.selectionSet));
  const fragment = scope.fragments.get(selection.name.value);
  return fragment ? plus(own, measureFragment(scope, fragment)) : own;
}

function measureField(scope: SizeScope, { alias, name, selectionSet }: FieldNode): Size {
  if (alias?.value.startsWith('__')) scope.hasReservedAlias = true;
  const inner = selectionSet ? measure(scope, selectionSet) : nothing;
  const aliases = inner.aliases + (alias ? 1 : 0);
  const described = selectionSet ? (introspectedLists[name.value] ?? 1) * (1 + inner.described) : 0;
  if (name.value === '__schema' || name.value === '__type') {
    return { ...inner, aliases, objects: 0, depth: 0, described: 0, introspected: described };
  }
  return { ...inner, aliases, objects: inner.objects + (selectionSet ? 1 : 0), depth: inner.depth + 1, described };
}

function measureFragment(scope: SizeScope, { name, selectionSet, directives = [] }: FragmentDefinitionNode): Size {
  const known = scope.known.get(name.value);
  if (known) return known;
  if (known === null) {
    scope.isCircular = true;
    return nothing;
  }
  scope.known.set(name.value, null);
  const size = plus(measure(scope, selectionSet), { ...nothing, directives: directives.length });
  scope.known.set(name.value, size);
  return size;
}

function plus(one: Size, other: Size): Size {
  return {
    selections: one.selections + other.selections,
    objects: one.objects + other.objects,
    aliases: one.aliases + other.aliases,
    directives: one.directives + other.directives,
    depth: Math.max(one.depth, other.depth),
    described: one.described + other.described,
    introspected: one.introspected + other.introspected,
  };
}

/** Pairs of selections with one response name at one place: validation compares each of them, with all that is below. */
function repetitions(scope: SizeScope, selectionSets: readonly SelectionSetNode[]): number {
  const fields = new Map<string, FieldNode[]>();
  for (const selectionSet of selectionSets) collect(scope, selectionSet, fields);
  const pairs = [...fields.values()].map((nodes) => {
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return (nodes.length * (nodes.length - 1)) / 2 + (below.length > 0 ? repetitions(scope, below) : 0);
  });
  return sum(pairs);
}

function collect(
  { fragments }: Pick<SizeScope, 'fragments'>,
  { selections }: SelectionSetNode,
  fields: Map<string, FieldNode[]>,
): void {
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      const responseName = (selection.alias ?? selection.name).value;
      const known = fields.get(responseName);
      if (known) known.push(selection);
      else fields.set(responseName, [selection]);
      continue;
    }
    const of = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    if (of) collect({ fragments }, of.selectionSet, fields);
  }
}

function namesTooLong({ loc }: DocumentNode): string[] {
  for (let token = loc?.startToken; token; token = token.next ?? undefined) {
    if (token.kind === 'Name' && token.value.length > limits.nameCharsMax)
      return [`a name of ${token.value.length} characters; at most ${limits.nameCharsMax} are served`];
  }
  return [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
