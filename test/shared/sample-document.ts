// A document that a collection's validator takes, made of the validator alone: with every field that it names, lists and objects within filled too.
import { Binary, type Document, Long, ObjectId } from 'mongodb';

const values: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1,
  long: Long.fromNumber(1),
  bool: true,
  date: new Date(0),
  binData: new Binary(Buffer.from('bytes')),
  objectId: new ObjectId('0'.repeat(24)),
};

export function sampleDocument(shape: Document): Document {
  const { properties, additionalProperties } = shape;
  if (properties)
    return Object.fromEntries(Object.entries<Document>(properties).map(([field, inner]) => [field, sampleOf(inner)]));
  return typeof additionalProperties === 'object' ? { each: sampleOf(additionalProperties) } : {};
}

function sampleOf(shape: Document): unknown {
  if (shape['enum']) return shape['enum'][0];
  const [type] = [shape['bsonType']].flat();
  if (type === 'object') return sampleDocument(shape);
  if (type === 'array') return [sampleOf(shape['items'])];
  if (!Object.hasOwn(values, type)) throw new Error(`no value of ${type} is known`);
  return values[type];
}
