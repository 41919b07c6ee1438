// Where a list that is newest first goes on, said so that the database starts there instead of reading again what came before.
import type { Document } from 'mongodb';
import { trusted } from 'mongoose';

/** What stands behind a place: of the same moment by its id. The outer bound is where the scan of an index begins. */
export function olderThan(field: string, { at, id }: { at: Date | string; id: string }): Document {
  return {
    [field]: trusted({ $lte: at }),
    $or: [{ [field]: trusted({ $lt: at }) }, { _id: trusted({ $lt: id }) }],
  };
}
