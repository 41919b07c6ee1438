// Everything that can be wrong with a stored document, made of one that is right and of what its collection's validator names.
import type { Document } from 'mongodb';

/** A document with one fault, and what the fault is. */
export interface Spoiled {
  fault: string;
  document: Document;
}

type Place = readonly (string | number)[];

/** One document for each fault: of the fields that this document has, each missing, of a wrong type, out of its list, and in every object one that nobody knows. */
export function spoiledDocuments(shape: Document, document: Document): Spoiled[] {
  return faultsAt(shape, document, []).map(({ place, name, change }) => ({
    fault: `${place.join('.')}: ${name}`,
    document: changed(document, place, change),
  }));
}

interface Fault {
  place: Place;
  name: string;
  change(holder: Document, key: string | number): void;
}

function faultsAt(shape: Document, value: unknown, place: Place): Fault[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) {
    const items = value.slice(0, 1);
    return items.flatMap((item) => [
      ...valueFaults(shape['items'], [...place, 0]),
      ...faultsAt(shape['items'], item, [...place, 0]),
    ]);
  }
  const { properties, required = [], additionalProperties } = shape;
  if (!properties) {
    if (typeof additionalProperties !== 'object') return [];
    return Object.entries(value)
      .slice(0, 1)
      .flatMap(([key, inner]) => [
        ...valueFaults(additionalProperties, [...place, key]),
        ...faultsAt(additionalProperties, inner, [...place, key]),
      ]);
  }
  const known = Object.entries(properties as Record<string, Document>).flatMap(([key, field]) => {
    const here = [...place, key];
    const missing: Fault = { place: here, name: 'missing', change: (holder, last) => delete holder[last] };
    return [
      ...(required.includes(key) && key !== '_id' ? [missing] : []),
      ...valueFaults(field, here),
      ...faultsAt(field, (value as Document)[key], here),
    ];
  });
  return [...known, { place: [...place, 'somethingNew'], name: 'unknown', change: set('of a later release') }];
}

function valueFaults(field: Document, place: Place): Fault[] {
  const types = [field['bsonType']].flat();
  const wrong = types.includes('string') ? 12.5 : 'no such type';
  return [
    { place, name: 'of a wrong type', change: set(wrong) },
    ...(field['enum'] ? [{ place, name: 'out of its list', change: set('NOPE') }] : []),
    ...(types.includes('null') ? [] : [{ place, name: 'null', change: set(null) }]),
  ];
}

function set(value: unknown): Fault['change'] {
  return (holder, key) => {
    holder[key] = value;
  };
}

/** A copy with that one change. */
function changed(document: Document, [key, ...rest]: Place, change: Fault['change']): Document {
  const copy: Document = Array.isArray(document) ? [...document] : { ...document };
  if (key === undefined) return copy;
  if (rest.length === 0) change(copy, key);
  else copy[key] = changed(copy[key], rest, change);
  return copy;
}
