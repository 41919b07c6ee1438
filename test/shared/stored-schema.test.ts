// Schemas become validators word by word, and collections get them once: an unchanged one costs nothing, a wider one is no harm to an older process.
import mongoose, { Schema } from 'mongoose';
import { prepareCollection } from '../../subgraphs/shared/store/prepare-collection';
import {
  absentOr,
  absentOrNull,
  openObject,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
  validatorOf,
} from '../../subgraphs/shared/store/stored-schema';
import { openStores, type Stores } from '../support/stores';

const words = ['A', 'B'] as const;

/** Judged by the compiler: an error that one of these no longer makes is an error itself. */
describe('lines of another kind than the stored type', () => {
  interface Stored {
    count: number;
    word: (typeof words)[number];
    ended: Date | null;
    note?: string;
    part: { name: string };
    list: string[];
    sums: Record<string, bigint>;
  }
  const whole = {
    count: there(Number),
    word: there(String, { enum: words }),
    ended: orNull(Date),
    note: absentOr(String),
    part: there(storedPart<Stored['part']>({ name: storedText })),
    list: there([String]),
    sums: { type: Map, of: BigInt, required: true },
  } as const;

  it('do not compile', () => {
    const refused = [
      // @ts-expect-error -- text where a number is
      storedPart<Stored>({ ...whole, count: there(String) }),
      // @ts-expect-error -- a word that the type does not have
      storedPart<Stored>({ ...whole, word: there(String, { enum: ['A', 'C'] }) }),
      // @ts-expect-error -- never null, where the type may be
      storedPart<Stored>({ ...whole, ended: there(Date) }),
      // @ts-expect-error -- null, where the type never is
      storedPart<Stored>({ ...whole, count: orNull(Number) }),
      // @ts-expect-error -- required, where the type may be absent
      storedPart<Stored>({ ...whole, note: there(String) }),
      // @ts-expect-error -- the lines of another object
      storedPart<Stored>({ ...whole, part: there(storedPart<{ size: number }>({ size: there(Number) })) }),
      // @ts-expect-error -- a list of another kind
      storedPart<Stored>({ ...whole, list: there([Number]) }),
      // @ts-expect-error -- a map of another kind
      storedPart<Stored>({ ...whole, sums: { type: Map, of: String, required: true } }),
      // @ts-expect-error -- a field without a line
      storedPart<Stored>({ count: whole.count }),
    ];
    expect(refused).toHaveLength(9);
    expect(Object.keys(validatorOf(storedPart<Stored>(whole))['$jsonSchema'].properties)).toEqual(Object.keys(whole));
  });
});

describe('the validator of a field', () => {
  it.each([
    ['text', storedText, { bsonType: 'string' }, true],
    ['there(Number)', there(Number), { bsonType: 'number' }, true],
    ['there(BigInt)', there(BigInt), { bsonType: 'long' }, true],
    ['there(Boolean)', there(Boolean), { bsonType: 'bool' }, true],
    ['there(Date)', there(Date), { bsonType: 'date' }, true],
    ['there(Buffer)', there(Buffer), { bsonType: 'binData' }, true],
    ['an open object', there(openObject), { bsonType: 'object' }, true],
    ['orNull(Date)', orNull(Date), { bsonType: ['date', 'null'] }, true],
    ['absentOr(Date)', absentOr(Date), { bsonType: 'date' }, false],
    ['absentOrNull(Date)', absentOrNull(Date), { bsonType: ['date', 'null'] }, false],
    ['words', there(String, { enum: words }), { bsonType: 'string', enum: ['A', 'B'] }, true],
    ['words or null', orNull(String, { enum: words }), { bsonType: ['string', 'null'], enum: ['A', 'B', null] }, true],
    ['a list', there([String]), { bsonType: 'array', items: { bsonType: 'string' } }, true],
    ['a list that some lack', absentOr([String]), { bsonType: 'array', items: { bsonType: 'string' } }, false],
    [
      'a list of words',
      there([{ type: String, enum: words }]),
      { bsonType: 'array', items: { bsonType: 'string', enum: ['A', 'B'] } },
      true,
    ],
    [
      'a part',
      orNull(storedPart<{ a: string }>({ a: storedText })),
      { ...partOf('a'), bsonType: ['object', 'null'] },
      true,
    ],
    ['parts', there([storedPart<{ a: string }>({ a: storedText })]), { bsonType: 'array', items: partOf('a') }, true],
    [
      'a map',
      there(Map, { of: String } as never),
      { bsonType: 'object', additionalProperties: { bsonType: 'string' } },
      true,
    ],
  ])('%s', (_name, line, expected, isRequired) => {
    const shape = validatorOf(
      storedSchema<{ _id: string; field: unknown }>('things', { _id: storedText, field: line }),
    );
    expect(shape['$jsonSchema']).toEqual({
      bsonType: 'object',
      required: isRequired ? ['_id', 'field'] : ['_id'],
      properties: { _id: { bsonType: 'string' }, field: expected },
      additionalProperties: false,
    });
  });

  it.each([
    ['members of no part', { size: { width: Number } }, /storedPart\(\)/],
    ['a type without a validator', { size: Schema.Types.Decimal128 }, /Decimal128/],
  ])('refuses %s', (_name, lines, reason) => {
    expect(() => validatorOf(new Schema(lines as never))).toThrow(reason);
  });
});

function partOf(field: string) {
  return {
    bsonType: 'object',
    required: [field],
    properties: { [field]: { bsonType: 'string' } },
    additionalProperties: false,
  };
}

describe('preparing a collection', () => {
  const lines = { _id: storedText, name: storedText };
  const before = storedSchema<{ _id: string; name: string }>('things', lines);
  before.index({ name: 1 }, { unique: true });
  const after = storedSchema<{ _id: string; name: string; size?: number }>('things', {
    ...lines,
    size: absentOr(Number),
  });
  let stores: Stores;
  let connection: mongoose.Connection;
  const sent: string[] = [];

  beforeAll(async () => {
    stores = await openStores();
    connection = await mongoose.createConnection(stores.mongoUri, { monitorCommands: true }).asPromise();
    connection.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  });
  beforeEach(async () => {
    await connection.dropCollection('things').catch(() => undefined);
    sent.length = 0;
  });
  afterAll(async () => {
    await connection.close();
    await stores.close();
  });

  interface Lying {
    creationString: string;
  }
  const statsOf = async (collStats: string) =>
    (await connection.db?.command({ collStats })) as unknown as {
      wiredTiger: Lying;
      indexDetails: Record<string, Lying>;
    };
  const insert = (document: object) => connection.collection('things').insertOne(document as never);

  it('refuses what the schema does not know, and makes its indexes', async () => {
    await prepareCollection(connection, before);
    await insert({ _id: '1', name: 'one' });
    await expect(insert({ _id: '2', name: 'two', size: 1 })).rejects.toMatchObject({ code: 121 });
    await expect(insert({ _id: '2', name: 'one' })).rejects.toMatchObject({ code: 11_000 });
    const update = { $set: { size: 1 } };
    await expect(connection.collection('things').updateOne({ name: 'one' }, update)).rejects.toMatchObject({
      code: 121,
    });
  });

  it('leaves an unchanged validator alone', async () => {
    await prepareCollection(connection, before);
    sent.length = 0;
    await prepareCollection(connection, before);
    expect(sent.filter((name) => name === 'create' || name === 'collMod')).toEqual([]);
    expect(sent).toContain('listCollections');
  });

  it('has it compressed on the disk, with every index', async () => {
    await prepareCollection(connection, before);
    const { wiredTiger, indexDetails } = await statsOf('things');
    const made = [wiredTiger, ...Object.values(indexDetails)].map(({ creationString }) => creationString);
    expect(made).toEqual(Array(3).fill(expect.stringContaining('block_compressor=zstd')));
  });

  it('leaves one of a release before as it lies on the disk', async () => {
    await insert({ _id: '1', name: 'one' });
    await prepareCollection(connection, before);
    await prepareCollection(connection, before);
    const { wiredTiger } = await statsOf('things');
    expect(wiredTiger.creationString).toContain('block_compressor=snappy');
    expect(await connection.collection('things').countDocuments({ name: 'one' })).toBe(1);
  });

  it('puts one on a collection of a release without any', async () => {
    await insert({ _id: '1', name: 'one', kept: true });
    await prepareCollection(connection, before);
    await expect(insert({ _id: '2', name: 'two', size: 1 })).rejects.toMatchObject({ code: 121 });
  });

  it('widens it for a new field that an older process does not write', async () => {
    await prepareCollection(connection, before);
    await prepareCollection(connection, after);
    await insert({ _id: '1', name: 'of an older process' });
    await insert({ _id: '2', name: 'of a newer one', size: 1 });
    await expect(insert({ _id: '3', name: 'of nobody', size: 'large' })).rejects.toMatchObject({ code: 121 });
  });

  it('is safe for several at once', async () => {
    await Promise.all([before, before, before].map((schema) => prepareCollection(connection, schema)));
    await expect(insert({ _id: '1' })).rejects.toMatchObject({ code: 121 });
  });
});
