// Conditions of lists from what a caller may or may not have asked for, and what is read of what fits.
import type { Document } from 'mongodb';
import { trusted } from 'mongoose';
import { withoutAbsent } from '../present-members';

type End = Date | string | number | bigint | null | undefined;

/** Both ends included; without either there is no condition. */
export function between(field: string, from: End, to: End): Document {
  const ends = withoutAbsent({ $gte: from, $lte: to });
  return Object.keys(ends).length > 0 ? { [field]: trusted(ends) } : {};
}

/** Each of these fields has one of its values; absent: whatever it has. */
export function anyOf(values: Record<string, readonly unknown[] | null | undefined>): Document[] {
  return Object.entries(withoutAbsent(values)).map(([field, wanted]) => ({ [field]: { $in: [...(wanted ?? [])] } }));
}

/** Beside other conditions of the same fields, which have to fit too. */
export function allOf(conditions: readonly Document[]): Document {
  return conditions.length > 0 ? { $and: conditions } : {};
}

/** Of each document its id and these members. */
export function onlyWith(members: readonly string[]): Record<string, 1> {
  return Object.fromEntries(members.map((member) => [member, 1]));
}
