// Walks of the JSON Schemas in our OpenAPI files, and of bodies along them.
import { withoutUndefined } from '../../subgraphs/shared/present-members';

/** As much of JSON Schema as our files use. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  required?: string[];
  maxLength?: number;
  enum?: unknown[];
  /** Ours: the enumeration is a rule about data, which the domain checks after the resource was found (decision register 2.1-B). */
  'x-data-rule'?: boolean;
  /** Ours: the refusal (a code of subgraphs/shared/errors.ts) of a value that breaks this very schema; `invalidInput` when absent. */
  'x-refusal'?: string;
  /** Ours: the refusal when the member is required and missing. */
  'x-refusal-missing'?: string;
  /** Ours: what the pattern asks for, in words that stand after "must be". */
  'x-rule'?: string;
  /** Ours: a form whose faults the program puts into words by itself. */
  'x-form'?: 'compact JWE';
  /** Ours: another spelling of this member's name, read and never written (T6 of the decision register). */
  'x-alias'?: string;
  [keyword: string]: unknown;
}

/** Applies `change` to a schema and to every schema within it, the inner ones first. */
export function mapSchema(schema: Schema, change: (node: Schema) => Schema): Schema {
  const { properties, items, oneOf } = schema;
  const changed = (inner: Schema) => mapSchema(inner, change);
  const parts = {
    properties:
      properties && Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, changed(inner)])),
    items: items && changed(items),
    oneOf: oneOf?.map(changed),
  };
  return change({ ...schema, ...withoutUndefined(parts) });
}

/** Dotted names of the members of `value`, lists included, that the schema does not know. */
export function unknownFieldsOf(schema: Schema, value: unknown, prefix: string): string[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? [...new Set(value.flatMap((item) => unknownFieldsOf(items, item, prefix)))] : [];
  }
  const known = membersOf(schema);
  if (!known || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = known.get(name)?.schema;
    return field ? unknownFieldsOf(field, inner, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}

/** The value without members that are null or that the schema does not know; where the schema names no members, all but null stay. */
export function tidied(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => tidied(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  const known = membersOf(schema);
  const kept = Object.entries(value).filter(([name, inner]) => inner !== null && (!known || known.has(name)));
  return Object.fromEntries(
    kept.map(([name, inner]) => {
      const member = known?.get(name) ?? { name, schema: {} };
      return [member.name, tidied(member.schema, inner)];
    }),
  );
}

/** The members that any variant of the schema names, by every spelling; null when it names none. */
function membersOf({ properties, oneOf }: Schema): Map<string, { name: string; schema: Schema }> | null {
  if (!properties && !oneOf) return null;
  const members = new Map((oneOf ?? []).flatMap((variant) => [...(membersOf(variant) ?? [])]));
  for (const [name, schema] of Object.entries(properties ?? {})) {
    members.set(name, { name, schema });
    if (schema['x-alias']) members.set(schema['x-alias'], { name, schema });
  }
  return members;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
