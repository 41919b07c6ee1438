// `@tag` on every field, worked out from what is stated already: the rule of each field (`@allow`), and from which fields its type can be reached.
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type TypeNode,
} from 'graphql';
import { ruleOf } from '../../subgraphs/shared/callers/allow';
import { type Audience, audienceOf, audiences } from '../../subgraphs/shared/callers/audience';
import type { Unmasked } from '../../subgraphs/shared/crypto/unmasked';

/** One subgraph as it is composed. */
export interface TypedPart {
  name: string;
  typeDefs: DocumentNode;
  /** What of it is personal or secret; nothing when absent. */
  unmasked?: Unmasked;
}

export type TaggableField = FieldDefinitionNode | InputValueDefinitionNode;

interface TaggedField {
  name: string;
  /** Named types of its value and its arguments. */
  types: readonly string[];
  /** Whom it names itself. */
  own: Audience | null;
}

interface Type {
  fields: TaggedField[];
  /** Members of a union, interfaces of an object, objects of an interface. */
  others: string[];
}

const roots = ['Query', 'Mutation', 'Subscription'];

/** Each audience by the elements that are its own: `Type` and `Type.field`. What nobody reaches is missing. */
export function audiencesOf(parts: readonly TypedPart[]): ReadonlyMap<string, Audience> {
  const types = typesOf(parts);
  const found = new Map<string, Audience>();
  for (const audience of audiences) {
    const seen = new Set(roots);
    const waiting = [...roots];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const { fields, others } = types.get(name) ?? { fields: [], others: [] };
      const open = fields.filter(({ own }) => own === null || rankOf(own) <= rankOf(audience));
      if (!found.has(name) && (open.length > 0 || fields.length === 0)) found.set(name, audience);
      for (const field of open) if (!found.has(`${name}.${field.name}`)) found.set(`${name}.${field.name}`, audience);
      for (const next of [...open.flatMap((field) => field.types), ...others]) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return found;
}

/** The parts with the tag of each field on it. */
export function taggedParts(parts: readonly TypedPart[]): TypedPart[] {
  const found = audiencesOf(parts);
  return parts.map(({ name, typeDefs, unmasked = {} }) => ({
    name,
    unmasked,
    typeDefs: withFields(typeDefs, (field, type) => {
      const audience = found.get(`${type}.${field.name.value}`);
      return audience && isDefinedHere(field) && !tagOf(field) ? withDirective(field, tag(audience)) : field;
    }),
  }));
}

export function rankOf(audience: Audience): number {
  return audiences.indexOf(audience);
}

/** What its tag says. */
export function tagOf({ directives = [] }: TaggableField): Audience | null {
  const name = directives.find((each) => each.name.value === 'tag')?.arguments?.[0]?.value;
  return name?.kind === Kind.STRING ? (audiences.find((audience) => audience === name.value) ?? null) : null;
}

/** False where the field is another subgraph's: directives stand at its owner. */
export function isDefinedHere({ directives = [] }: TaggableField): boolean {
  return !directives.some(({ name }) => name.value === 'external');
}

export function withDirective<Node extends { directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: Node,
  directive: ConstDirectiveNode,
): Node {
  return { ...node, directives: [...(node.directives ?? []), directive] };
}

/** The document with each of its fields, those of inputs too, as `change` gives it back. */
export function withFields(
  document: DocumentNode,
  change: <Node extends TaggableField>(field: Node, type: string) => Node,
): DocumentNode {
  const definitions = document.definitions.map((definition) =>
    hasFields(definition)
      ? { ...definition, fields: definition.fields?.map((field) => change(field, definition.name.value)) }
      : definition,
  );
  return { ...document, definitions: definitions as DefinitionNode[] };
}

function tag(audience: Audience): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: 'tag' },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'name' },
        value: { kind: Kind.STRING, value: audience },
      },
    ],
  };
}

function typesOf(parts: readonly TypedPart[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  const typeNamed = (name: string): Type => {
    const known = types.get(name) ?? { fields: [], others: [] };
    types.set(name, known);
    return known;
  };
  for (const definition of parts.flatMap(({ typeDefs }) => typeDefs.definitions)) {
    if (definition.kind === Kind.UNION_TYPE_DEFINITION)
      typeNamed(definition.name.value).others.push(...(definition.types ?? []).map(({ name }) => name.value));
    if (!hasFields(definition)) continue;
    const own = typeNamed(definition.name.value);
    own.fields.push(...(definition.fields ?? []).map(fieldOf));
    for (const { name } of 'interfaces' in definition ? (definition.interfaces ?? []) : []) {
      own.others.push(name.value);
      typeNamed(name.value).others.push(definition.name.value);
    }
  }
  return types;
}

function fieldOf(node: TaggableField): TaggedField {
  const given = 'arguments' in node ? (node.arguments ?? []) : [];
  const rule = ruleOf(node.directives ?? []);
  return {
    name: node.name.value,
    types: [node.type, ...given.map(({ type }) => type)].map(namedTypeOf),
    own: tagOf(node) ?? (rule ? audienceOf(rule) : null),
  };
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}

function hasFields(definition: DefinitionNode) {
  return (
    definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
    definition.kind === Kind.OBJECT_TYPE_EXTENSION ||
    definition.kind === Kind.INTERFACE_TYPE_DEFINITION ||
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
  );
}
