// The words of which schemas of stored documents are made, and MongoDB's own validator made of such a schema: what a schema does not know, the database refuses.
import type { Binary, Document } from 'mongodb';
import { Schema, type SchemaType } from 'mongoose';
import type { Ciphertext } from '../crypto/key-encryption';
import { withoutUndefined } from '../present-members';

/** A line for each field of the stored type, of its kind: without one, or with another, it does not compile. */
type Lines<Stored> = { [Field in keyof Stored]-?: Line<Stored[Field]> };

type Line<Value> = unknown extends Value ? object : Nullness<Value> & Presence<Value> & BsonKind<NonNullable<Value>>;

type Nullness<Value> = null extends Value
  ? { readonly default: null } | { readonly isNullable: true }
  : { readonly default?: undefined; readonly isNullable?: never };

/** What may be absent is not required; what may not can be missing in documents of a former release. */
type Presence<Value> = undefined extends Value ? { readonly required?: never } : { readonly required?: true };

type BsonKind<Value> = [Value] extends [string]
  ? { readonly type: StringConstructor; readonly enum?: readonly Value[] }
  : { readonly type: KindName<Value> } | MapOf<Value>;

type WordOf<Value> = [Value] extends [string]
  ? { readonly type: StringConstructor; readonly enum: readonly Value[] }
  : never;

type MapOf<Value> = [Value] extends [Readonly<Record<string, infer Each>>]
  ? { readonly type: MapConstructor; readonly of: KindName<Each> }
  : never;

/** What mongoose calls values of a type; an object has lines of its own, or members that are not ours to know. */
type KindName<Value> = [Value] extends [string]
  ? StringConstructor
  : [Value] extends [number]
    ? NumberConstructor
    : [Value] extends [bigint]
      ? BigIntConstructor
      : // Whole numbers of 64 bits are read as either.
        [Value] extends [number | bigint]
        ? NumberConstructor | BigIntConstructor
        : [Value] extends [boolean]
          ? BooleanConstructor
          : [Value] extends [Date]
            ? DateConstructor
            : [Value] extends [Uint8Array | Binary]
              ? typeof Buffer
              : [Value] extends [readonly (infer Item)[]]
                ? readonly (KindName<Item> | WordOf<Item>)[]
                : StoredPart<Value> | typeof openObject;

/** The schema of an object within a document. */
interface StoredPart<Stored> extends Schema {
  /** Tells parts of different objects apart; nothing has it. */
  readonly ofObjects?: Stored;
}

/** In every document, and never null. */
export function there<Type, const Word extends string = never>(type: Type, more: { enum?: readonly Word[] } = {}) {
  return { type, required: true, ...more } as const;
}

/** In every document, possibly null. */
export function orNull<Type, const Word extends string = never>(type: Type, more: { enum?: readonly Word[] } = {}) {
  return { type, default: null, ...more } as const;
}

/** Not in every document, because some have no such thing or are of a former release; never null. */
export function absentOr<Type, const Word extends string = never>(type: Type, more: { enum?: readonly Word[] } = {}) {
  return { type, default: undefined, ...more } as const;
}

/** Absent, null, or of that type. */
export function absentOrNull<Type, const Word extends string = never>(
  type: Type,
  more: { enum?: readonly Word[] } = {},
) {
  return { type, default: undefined, isNullable: true, ...more } as const;
}

export const storedText = there(String);
export const maybeText = orNull(String);

/** An object whose members are not ours to know, such as what a merchant sent and gets back: it has to be an object, no more. */
export const openObject = Schema.Types.Mixed;

const embedded = { _id: false, versionKey: false } as const;

/** An object within a document, with a line for each of its members. */
export function storedPart<Stored>(lines: Lines<Stored>): StoredPart<Stored> {
  return new Schema(lines as never, embedded) as StoredPart<Stored>;
}

/** A sealed value. */
export const sealedPart = storedPart<Ciphertext & { keyVersion: number }>({
  keyVersion: there(Number),
  iv: storedText,
  ciphertext: storedText,
  tag: storedText,
});

/** The schema of a collection's documents. */
export function storedSchema<Stored>(collection: string, lines: Lines<Stored>): Schema<Stored> {
  return new Schema(lines as never, {
    collection,
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
    minimize: false,
  }) as unknown as Schema<Stored>;
}

interface PathOptions {
  required?: boolean;
  default?: unknown;
  isNullable?: boolean;
}

/** BSON types by mongoose's names for a type; numbers of the language may lie as either kind. */
const bsonTypes: Readonly<Record<string, string>> = {
  String: 'string',
  Number: 'number',
  BigInt: 'long',
  Boolean: 'bool',
  Date: 'date',
  Buffer: 'binData',
  ObjectId: 'objectId',
  Mixed: 'object',
};

/** As much of a schema as a validator is made of. */
export interface Shape {
  readonly paths: object;
}

/** The `$jsonSchema` of the documents of a schema. */
export function validatorOf(schema: Shape): Document {
  return { $jsonSchema: objectOf(schema) };
}

function objectOf(schema: Shape): Document {
  const fields = Object.entries(schema.paths as Readonly<Record<string, SchemaType>>).filter(
    ([path]) => !path.includes('.$'),
  );
  const required = fields.filter(([path, type]) => path === '_id' || isThere(optionsOf(type))).map(([path]) => path);
  return {
    bsonType: 'object',
    ...withoutUndefined({ required: required.length > 0 ? required : undefined }),
    properties: Object.fromEntries(fields.map(([path, type]) => [path, fieldOf(path, type)])),
    additionalProperties: false,
  };
}

function fieldOf(path: string, type: SchemaType): Document {
  if (path.includes('.')) throw new Error(`${path}: an object within a document is a storedPart() of its own`);
  const shape = shapeOf(path, type);
  const { enumValues = [] } = type as SchemaType & { enumValues?: unknown[] };
  const mayBeNull = isNullable(optionsOf(type));
  const values = mayBeNull ? [...enumValues, null] : enumValues;
  return {
    ...shape,
    bsonType: mayBeNull ? [shape['bsonType'], 'null'] : shape['bsonType'],
    ...withoutUndefined({ enum: enumValues.length > 0 ? values : undefined }),
  };
}

function shapeOf(path: string, type: SchemaType): Document {
  const { schema } = type as SchemaType & { schema?: Shape };
  const item = (type as SchemaType & { embeddedSchemaType?: SchemaType }).embeddedSchemaType;
  if (type.instance === 'Array') return { bsonType: 'array', items: schema ? objectOf(schema) : itemOf(path, item) };
  if (type.instance === 'Map') {
    const each = (type as SchemaType & { $__schemaType?: SchemaType }).$__schemaType;
    return { bsonType: 'object', additionalProperties: itemOf(path, each) };
  }
  if (schema) return objectOf(schema);
  const bsonType = bsonTypes[type.instance];
  if (!bsonType) throw new Error(`${path}: no validator is known for ${type.instance}`);
  return { bsonType };
}

function itemOf(path: string, item: SchemaType | undefined): Document {
  if (!item) throw new Error(`${path}: it is not said what it holds`);
  return fieldOf('each', item);
}

function optionsOf(type: SchemaType): PathOptions {
  return type.options as PathOptions;
}

function isThere({ required, default: initial }: PathOptions): boolean {
  return required === true || initial === null;
}

function isNullable({ default: initial, isNullable: said }: PathOptions): boolean {
  return initial === null || said === true;
}
