// Where a list that is newest first goes on, said so that the database starts there instead of reading again what came before.
import type { Document } from 'mongodb';
import { trusted } from 'mongoose';

/** A place in the order: what the field is there, and the id. */
export interface OrderedPlace {
  at: Date | string | bigint;
  id: string;
}

/** What stands before that place, for whoever pages towards the newest. */
export function newerThan(field: string, { at, id }: OrderedPlace): Document {
  return {
    [field]: trusted({ $gte: at }),
    $or: [{ [field]: trusted({ $gt: at }) }, { _id: trusted({ $gt: id }) }],
  };
}

/** What stands behind a place: of the same moment by its id. The outer bound is where the scan of an index begins. */
export function olderThan(field: string, { at, id }: OrderedPlace): Document {
  return {
    [field]: trusted({ $lte: at }),
    $or: [{ [field]: trusted({ $lt: at }) }, { _id: trusted({ $lt: id }) }],
  };
}
