// Which day was the last that was closed by itself.
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { storedSchema, storedText } from '../../shared/store/stored-schema';

interface Schedule {
  _id: string;
  /** YYYY-MM-DD. */
  day: string;
}

const collection = 'settlement_schedule';
const schema = storedSchema<Schedule>(collection, { _id: storedText, day: storedText });

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

export function createScheduleRepository(connection: Connection) {
  const schedules = connection.getClient().db(connection.name).collection<Schedule>(collection);
  return {
    /** Null before the first. */
    lastDay: async (environment: Environment): Promise<string | null> =>
      (await schedules.findOne({ _id: environment }))?.day ?? null,
    /** Never goes back. */
    async keep(environment: Environment, day: string): Promise<void> {
      await schedules.updateOne({ _id: environment }, { $max: { day } }, { upsert: true });
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}
