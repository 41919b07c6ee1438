// Which day was the last that was closed by itself.
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';

interface Schedule {
  _id: string;
  /** YYYY-MM-DD. */
  day: string;
}

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

export function createScheduleRepository(connection: Connection) {
  const schedules = connection.getClient().db(connection.name).collection<Schedule>('settlement_schedule');
  return {
    /** Null before the first. */
    lastDay: async (environment: Environment): Promise<string | null> =>
      (await schedules.findOne({ _id: environment }))?.day ?? null,
    /** Never goes back. */
    async keep(environment: Environment, day: string): Promise<void> {
      await schedules.updateOne({ _id: environment }, { $max: { day } }, { upsert: true });
    },
  };
}
