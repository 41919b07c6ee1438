// The query of a request by the parameters that its OpenAPI operation names (hosted checkout, GET operations).
import type { Schema } from './schema';

export type QueryValues = Readonly<Record<string, string | number>>;

export interface ReadQuery {
  /** Integers as numbers where they are written as such, everything else as text. */
  values: QueryValues;
  /** The first parameter that came more than once; null when none did. */
  repeated: string | null;
  /** Names that the operation does not know, at most twenty; they are ignored. */
  unknown: string[];
}

interface QueryParameter {
  name: string;
  in: string;
  schema: Schema;
}

/** Beyond that many parameters the rest is not looked at: no operation has as many. */
const parametersMax = 100;
const unknownMax = 20;

/** A reader for one operation; it takes what follows the `?`. A parameter without a value counts as absent. */
export function queryReader(parameters: readonly QueryParameter[]): (search: string) => ReadQuery {
  const known = new Map(parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]));
  return (search) => {
    const values: Record<string, string | number> = Object.create(null);
    const unknown = new Set<string>();
    let repeated: string | null = null;
    let count = 0;
    if (search === '') return { values, repeated, unknown: [] };
    for (const [name, text] of new URLSearchParams(search)) {
      count += 1;
      if (count > parametersMax) break;
      const schema = known.get(name);
      if (!schema) {
        if (unknown.size < unknownMax) unknown.add(name);
        continue;
      }
      if (text === '') continue;
      if (name in values) repeated ??= name;
      values[name] = schema.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    }
    return { values, repeated, unknown: [...unknown] };
  };
}
