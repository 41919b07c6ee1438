// Slots for what releases before wrote without one, while everything runs; once nothing is without, their unique indexes that do not begin with the slot go.
import type { Collection, Db } from 'mongodb';
import { onlyWith } from './conditions';
import { findAll } from './reading';
import { type ShardedCollection, slottedCollections } from './sharded-collections';
import { slotOf, slotOfHolder } from './slot';

const perWriteMax = 500;
const without = { slot: null } as const;

interface Owned {
  _id: string;
  merchantId?: string;
  accountId?: string;
  [field: string]: unknown;
}

export interface GivenSlots {
  name: string;
  given: number;
  /** Documents without one that the second walk found: their merchant is not known any more, somebody goes on adding such, or they end by themselves. */
  left: number;
  dropped: string[];
}

/** To be run when no process of a release before is left: what one adds behind the last look would stay without. */
export async function giveAllSlots(database: Db): Promise<GivenSlots[]> {
  const done: GivenSlots[] = [];
  for (const collection of slottedCollections) {
    const { given, left } = await giveSlots(database, collection);
    const dropped = left === 0 ? await dropFormer(database, collection) : [];
    done.push({ name: collection.name, given, left, dropped });
  }
  return done;
}

/** Walks over all twice: the second one finds what was added behind the first, and still finds some where somebody goes on adding. */
async function giveSlots(database: Db, collection: ShardedCollection): Promise<Pick<GivenSlots, 'given' | 'left'>> {
  if (collection.isPassing)
    return { given: 0, left: await database.collection(collection.name).countDocuments(without) };
  const first = await walk(database, collection);
  const second = first.seen === 0 ? first : await walk(database, collection);
  return { given: first.given + (first === second ? 0 : second.given), left: second.seen };
}

/** Once along the ids. */
async function walk(
  database: Db,
  { name, owner, holder }: ShardedCollection,
): Promise<{ given: number; seen: number }> {
  const records = database.collection<Owned>(name);
  let [after, seen, given] = ['', 0, 0];
  for (;;) {
    const projection = onlyWith(['merchantId', 'accountId', owner?.field ?? holder ?? '_id']);
    const along = { sort: { _id: 1 }, hint: { _id: 1 }, limit: perWriteMax } as const;
    const found = await findAll(records, { _id: { $gt: after }, ...without }, { ...along, projection });
    seen += found.length;
    given += await giveEach(records, owner ? await ownersOf(database, owner, found) : found, holder);
    if (found.length < perWriteMax) return { given, seen };
    after = found.at(-1)?._id ?? after;
  }
}

/** The documents with the merchant of what they belong to. */
async function ownersOf(
  database: Db,
  { collection, field }: NonNullable<ShardedCollection['owner']>,
  found: readonly Owned[],
): Promise<Owned[]> {
  const ids = [...new Set(found.map((each) => String(each[field])))];
  const projection = onlyWith(['merchantId', 'accountId']);
  const owners = await findAll(database.collection<Owned>(collection), { _id: { $in: ids } }, { projection });
  const byId = new Map(owners.map((each) => [each._id, each]));
  return found.flatMap((each) => {
    const known = byId.get(String(each[field]));
    return known ? [{ ...known, _id: each._id }] : [];
  });
}

async function giveEach(records: Collection<Owned>, found: readonly Owned[], holder?: string): Promise<number> {
  const slotIn = (each: Owned) =>
    holder
      ? slotOfHolder(String(each[holder]))
      : slotOf({ merchantId: each.merchantId ?? null, accountId: each.accountId ?? '' });
  const give = found.map((each) => ({
    updateOne: { filter: { _id: each._id, ...without }, update: { $set: { slot: slotIn(each) } } },
  }));
  if (give.length === 0) return 0;
  return (await records.bulkWrite(give, { ordered: false })).modifiedCount;
}

async function dropFormer(database: Db, { name, formerUnique }: ShardedCollection): Promise<string[]> {
  if (formerUnique.length === 0 || !(await database.listCollections({ name }).hasNext())) return [];
  const present = (await database.collection(name).indexes()).map((index) => String(index.name));
  const dropped = formerUnique.filter((index) => present.includes(index));
  for (const index of dropped) await database.collection(name).dropIndex(index);
  return dropped;
}
