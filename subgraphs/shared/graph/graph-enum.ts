// Enums of the graph, made of a domain's own values: the domain says which there are, the graph what each means to a reader.
import { registerEnumType } from 'type-graphql';

interface Described<Value extends string> {
  name: string;
  description: string;
  /** A line for each value; one that is missing does not compile. */
  values: Readonly<Record<NoInfer<Value>, string>>;
  /** How the graph spells a value that the domain spells otherwise. */
  nameOf?: (value: Value) => string;
}

/** Registers the enum; what it returns is the type to give to a field: `@Field(() => States)`. */
export function graphEnum<Value extends string>(
  values: readonly Value[],
  { name, description, values: lines, nameOf = (value) => value }: Described<Value>,
): Readonly<Record<string, Value>> {
  const members = Object.fromEntries(values.map((value) => [nameOf(value), value]));
  const described = values.map((value) => [nameOf(value), { description: lines[value] }] as const);
  registerEnumType(members, { name, description, valuesConfig: Object.fromEntries(described) });
  return members;
}

/** `live-test` is LIVE_TEST. */
export function constantName(value: string): string {
  return value.toUpperCase().replaceAll('-', '_');
}
