// Which day was the last that was closed by itself: by a lane, and by all of them.
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll } from '../../shared/store/reading';
import { allSlots, type SlotRange } from '../../shared/store/slot';
import { absentOr, storedSchema, storedText } from '../../shared/store/stored-schema';

/** Of all slots under the environment alone, of some under `<environment>:<from>-<to>`. */
interface Schedule {
  _id: string;
  /** YYYY-MM-DD. */
  day: string;
  from?: number;
  to?: number;
}

const collection = 'settlement_schedule';
const schema = storedSchema<Schedule>(collection, {
  _id: storedText,
  day: storedText,
  from: absentOr(Number),
  to: absentOr(Number),
});

export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

export function createScheduleRepository(connection: Connection) {
  const schedules = collectionOf<Schedule>(connection, collection);
  /** A day that ends later counts: what is closed through it is closed before it. */
  async function isClosed(environment: Environment, slots: SlotRange, day: string): Promise<boolean> {
    const names = { $gte: environment, $lt: `${environment};` };
    const closed = await findAll(schedules, { _id: names, day: { $gte: day } });
    return covers(
      closed.map(({ from = allSlots.from, to = allSlots.to }) => ({ from, to })),
      slots,
    );
  }

  return {
    isClosed,
    /** Never goes back. Tells whether that closed the day for all slots: to one of all the lanes. */
    async keep(environment: Environment, slots: SlotRange, day: string): Promise<boolean> {
      const { from, to } = slots;
      const _id = `${environment}:${from}-${to}`;
      await schedules.updateOne({ _id }, { $max: { day }, $setOnInsert: { from, to } }, { upsert: true });
      if (!(await isClosed(environment, allSlots, day))) return false;
      const { modifiedCount, upsertedCount } = await schedules.updateOne(
        { _id: environment },
        { $max: { day } },
        { upsert: true },
      );
      return modifiedCount + upsertedCount > 0;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

/** Whether no slot of `wanted` is outside all of the ranges. */
function covers(ranges: readonly SlotRange[], wanted: SlotRange): boolean {
  let next = wanted.from;
  for (const { from, to } of [...ranges].sort((one, other) => one.from - other.from))
    if (from <= next) next = Math.max(next, to + 1);
  return next > wanted.to;
}
