// The one collection of what the whole platform shares: where the clock stands, the last position of the log, the fault that the sandbox's receiver plays.
import type { Collection, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { collectionOf } from './collection-of';
import { prepareCollection } from './prepare-collection';
import { absentOr, absentOrNull, storedSchema, storedText } from './stored-schema';

/** Every setting's fields; each document has those of its kind. */
interface PlatformSetting {
  _id: string;
  /** clock: ahead of real time. */
  offsetMs?: number;
  /** eventPosition: the last that was given, and under which leader. */
  position?: number;
  fence?: number;
  /** receiverFault. */
  status?: number | null;
  delayMs?: number | null;
  times?: number | null;
}

const collection = 'platform_settings';
const schema = storedSchema<PlatformSetting>(collection, {
  _id: storedText,
  offsetMs: absentOr(Number),
  position: absentOr(Number),
  fence: absentOr(Number),
  status: absentOrNull(Number),
  delayMs: absentOrNull(Number),
  times: absentOrNull(Number),
});

/** The settings of one kind. */
export function platformSettings<Setting extends Document>(connection: Connection): Collection<Setting> {
  return collectionOf<Setting>(connection, collection);
}

export function preparePlatformSettings(connection: Connection): Promise<void> {
  return prepareCollection(connection, schema);
}
