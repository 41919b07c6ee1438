// Random valid documents over a schema: aliases, fragments, conditions, nested selections; the same seed gives the same document.
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
} from 'graphql';
import { createRandom } from '../faults/random';

export interface RandomDocument {
  query: string;
  variables: Record<string, unknown>;
}

/** A literal for an argument; null where there is none: a field that cannot be asked without it is left out. */
export type DrawArgument = (argument: GraphQLArgument, random: () => number) => string | null;

export function randomDocument(schema: GraphQLSchema, seed: number, draw: DrawArgument): RandomDocument {
  const { next: random } = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const fragments: string[] = [];
  let aliases = 0;

  function selection(type: GraphQLCompositeType, depth: number): string {
    const parts: string[] = [];
    const count = 1 + Math.floor(random() * 4);
    for (let index = 0; index < count; index += 1) {
      const chance = random();
      if (isAbstractType(type) && chance < 0.5) parts.push(narrowed(pick(schema.getPossibleTypes(type)), depth));
      else if (chance < 0.1) parts.push(narrowed(type, depth));
      else if (chance < 0.18 && depth > 0) parts.push(spread(type, depth));
      else if (chance < 0.25 || !('getFields' in type)) parts.push('__typename');
      else parts.push(field(type, depth));
    }
    return `{ ${parts.filter(Boolean).join(' ') || '__typename'} }`;
  }

  function narrowed(type: GraphQLCompositeType, depth: number): string {
    return `... on ${type.name}${condition()} ${selection(type, depth)}`;
  }

  function spread(type: GraphQLCompositeType, depth: number): string {
    const name = `F${fragments.length}`;
    fragments.push('');
    fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} ${selection(type, depth - 1)}`;
    return `...${name}${condition()}`;
  }

  function field(
    type: GraphQLCompositeType & { getFields(): Record<string, GraphQLField<unknown, unknown>> },
    depth: number,
  ): string {
    const fields = Object.values(type.getFields()).filter(
      (each) => each.name !== 'slow' && (depth > 0 || !isCompositeType(getNamedType(each.type))),
    );
    if (fields.length === 0) return '__typename';
    const chosen = pick(fields);
    const args = argumentsOf(chosen);
    if (args === null) return '__typename';
    const named = getNamedType(chosen.type);
    // An alias of its own whenever there are arguments, so that no two fields clash.
    const alias = args !== '' || (random() < 0.1 && aliases < 12) ? `a${++aliases}: ` : '';
    return `${alias}${chosen.name}${args}${condition()} ${isCompositeType(named) ? selection(named, depth - 1) : ''}`;
  }

  function argumentsOf({ args }: GraphQLField<unknown, unknown>): string | null {
    const printed: string[] = [];
    for (const argument of args) {
      const isRequired = isNonNullType(argument.type);
      if (!isRequired && random() < 0.5) continue;
      const value = draw(argument, random);
      if (value !== null) printed.push(`${argument.name}: ${value}`);
      else if (isRequired) return null;
    }
    return printed.length > 0 ? `(${printed.join(', ')})` : '';
  }

  function condition(): string {
    const chance = random();
    if (chance > 0.15) return '';
    return ` @${chance < 0.08 ? 'include' : 'skip'}(if: ${pick(['$yes', '$no', '$unset', 'true', 'false'])})`;
  }

  const root = random() < 0.15 ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error('the schema has no root');
  const body = selection(root, 5);
  const kind = root === schema.getMutationType() ? 'mutation' : 'query';
  const text = [body, ...fragments].join('\n');
  const definitions = Object.entries({
    upc: '$upc: ID = "1"',
    n: '$n: Int = 2',
    yes: '$yes: Boolean!',
    no: '$no: Boolean!',
    unset: '$unset: Boolean! = true',
  })
    .filter(([name]) => new RegExp(`\\$${name}\\b`).test(text))
    .map(([, definition]) => definition);
  const header = definitions.length > 0 ? `${kind} Random(${definitions.join(', ')})` : `${kind} Random`;
  const flags = { yes: true, no: false };
  return { query: `${header} ${text}`, variables: random() < 0.5 ? { ...flags, upc: '2' } : flags };
}
