// Ranges of which each end may be open, as lists are asked for them.
import type { Document } from 'mongodb';
import { trusted } from 'mongoose';
import { withoutAbsent } from '../present-members';

type End = Date | string | number | bigint | null | undefined;

/** Both ends included; without either there is no condition. */
export function between(field: string, from: End, to: End): Document {
  const ends = withoutAbsent({ $gte: from, $lte: to });
  return Object.keys(ends).length > 0 ? { [field]: trusted(ends) } : {};
}
