// The second set of some collections while a rebuild writes it: emptied, compared document by document with the set in use, put in its place.
import type { Collection } from 'mongodb';
import { BSON } from 'mongodb';
import type { Connection } from 'mongoose';
import { driverDatabase } from '../../shared/store/collection-of';

export interface Comparison {
  /** So many documents were made, by collection. */
  made: Record<string, number>;
  /** In words, at most `shownMax`. */
  differences: string[];
}

const shownMax = 20;

type Any = { _id: string } & Record<string, unknown>;

export type RebuildRepository = ReturnType<typeof createRebuildRepository>;

export function createRebuildRepository(connection: Connection, names: readonly string[]) {
  const database = driverDatabase(connection);
  const rebuiltName = (name: string) => `${name}_rebuilt`;
  const of = (name: string) => database.collection<Any>(name, { useBigInt64: true });

  return {
    async clear(): Promise<void> {
      for (const name of names)
        await database.dropCollection(rebuiltName(name)).catch((error: { codeName?: string }) => {
          if (error.codeName !== 'NamespaceNotFound') throw error;
        });
    },
    async compare(): Promise<Comparison> {
      const differences: string[] = [];
      const made: Record<string, number> = {};
      for (const name of names) {
        for await (const one of differing(of(name), of(rebuiltName(name)))) {
          if (differences.length < shownMax) differences.push(`${name}: ${one}`);
        }
        made[name] = await of(rebuiltName(name)).countDocuments();
      }
      return { made, differences };
    },
    /** One collection after another; a kill in between is mended by running the rebuild again. */
    async swap(): Promise<void> {
      for (const name of names) await database.renameCollection(rebuiltName(name), name, { dropTarget: true });
    },
  };
}

/** Walks both in the order of their ids. */
async function* differing(live: Collection<Any>, rebuilt: Collection<Any>): AsyncGenerator<string> {
  const [ours, theirs] = [live, rebuilt].map((one) => one.find().sort({ _id: 1 }).batchSize(5_000));
  if (!ours || !theirs) return;
  let [left, right] = [await ours.next(), await theirs.next()];
  while (left || right) {
    if (left && right && left._id === right._id) {
      if (canonical(left) !== canonical(asFormer(right, left))) yield `${left._id} differs`;
      [left, right] = [await ours.next(), await theirs.next()];
    } else if (left && (!right || left._id < right._id)) {
      yield `${left._id} is not in what was rebuilt`;
      left = await ours.next();
    } else if (right) {
      yield `${right._id} is missing in what is in use`;
      right = await theirs.next();
    }
  }
}

/** What a release before wrote has no slot until it is given one (`npm run database:slots`); what is made now has. */
function asFormer(rebuilt: Any, { slot: former }: Any): Any {
  const { slot, ...rest } = rebuilt;
  return slot === undefined || former !== undefined ? rebuilt : rest;
}

/** Types and values, whatever the order of the fields. */
function canonical(document: Any): string {
  return BSON.EJSON.stringify(sorted(document), { relaxed: false });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
