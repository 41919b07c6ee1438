// The lanes at rest: how many positions each slot has, how many segments each lane, and how one layout follows another.
import type { Connection } from 'mongoose';
import { collectionOf } from '../../shared/store/collection-of';
import { platformSettings } from '../../shared/store/platform-settings';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { slotCount } from '../../shared/store/slot';
import { orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { inOneTransaction } from '../../shared/store/transaction';
import { type Lane, laneId, lanesOf } from './lane';

export interface StoredLane extends Lane {
  _id: string;
  /** Where every slot stood when the log was cut into slots: the last position of the one log before. */
  base: number;
  /** By slot, how many positions were given beyond it. */
  given: Record<string, number>;
  /** The last segment. */
  number: number;
  /** The place that the next callback gets at least, in ticks of real time. */
  ticks: number;
  /** Fencing number of its leader; an older one writes nothing any more. */
  fence: number;
  /** Lanes of the layout that follows. Null while this one is in use; from then on nothing is written to it. */
  next: number | null;
}

/** How far a lane has come. */
export type LaneEnd = Lane & Pick<StoredLane, 'number' | 'base' | 'next'>;

const schema = storedSchema<StoredLane>('event_lanes', {
  _id: storedText,
  layout: there(Number),
  lane: there(Number),
  from: there(Number),
  to: there(Number),
  base: there(Number),
  given: { type: Map, of: Number, required: true },
  number: there(Number),
  ticks: there(Number),
  fence: there(Number),
  next: orNull(Number),
});

/** The counter of the log before it was cut into slots. */
interface FormerCounter {
  _id: string;
  position: number;
  fence: number;
}

/** No leader has a higher one: the former leaders write nothing any more. */
const fenceMax = Number.MAX_SAFE_INTEGER;

export interface LaneRepository {
  /** The lanes in use. Finishes a change of layout that was begun. */
  lanes(): Promise<Lane[]>;
  /** The lanes of the newest layout, as they are: for whoever shares work by them and gives no places. */
  present(): Promise<Lane[]>;
  /** How far all lanes of all layouts have come, in their order. */
  ends(): Promise<LaneEnd[]>;
  /** The same of the layout in use, with what each slot was given. */
  newest(): Promise<StoredLane[]>;
  /** Makes so many lanes the ones in use; the first time of all it takes over from the log that had one row of positions. */
  prepare(count: number): Promise<void>;
}

const withoutGiven = { projection: { given: 0 } } as const;
const inOrder = { layout: 1, lane: 1 } as const;

export function createLaneRepository(connection: Connection): LaneRepository {
  const stored = collectionOf<StoredLane>(connection, 'event_lanes');

  const ends = () => reading(findAll(stored, {}, { ...withoutGiven, sort: inOrder })) as Promise<LaneEnd[]>;
  const latest = async () => {
    const found = await ends();
    return found.filter(({ layout }) => layout === found.at(-1)?.layout);
  };

  async function takeOver(count: number): Promise<void> {
    const former = await platformSettings<FormerCounter>(connection).findOneAndUpdate(
      { _id: 'eventPosition' },
      { $inc: { position: 0 }, $set: { fence: fenceMax } },
      { upsert: true, returnDocument: 'after' },
    );
    const base = former?.position ?? 0;
    await open(lanesOf(1, count, slotCount).map((lane) => ({ ...lane, base, given: {}, ticks: 0 })));
  }

  /** Closes what is in use and opens what follows; any process may go on where another died. */
  async function cut(layout: number, count: number): Promise<void> {
    await stored.updateOne({ _id: laneId({ layout, lane: 0 }), next: null }, { $set: { next: count } });
    const first = await stored.findOne({ _id: laneId({ layout, lane: 0 }) });
    const next = first?.next ?? count;
    await stored.updateMany({ layout, next: null }, { $set: { next } });
    const closed = await findAll(stored, { layout });
    const given = Object.fromEntries(closed.flatMap((lane) => Object.entries(lane.given)));
    const ticks = Math.max(...closed.map((lane) => lane.ticks));
    const base = first?.base ?? 0;
    await open(
      lanesOf(layout + 1, next, slotCount).map((lane) => ({ ...lane, base, ticks, given: within(given, lane) })),
    );
  }

  async function open(lanes: readonly Pick<StoredLane, keyof Lane | 'base' | 'given' | 'ticks'>[]): Promise<void> {
    const fresh = lanes.map((lane) => ({ _id: laneId(lane), ...lane, number: 0, fence: 0, next: null }));
    const insert = () =>
      inOneTransaction(
        connection,
        (session) => stored.insertMany(fresh, { session, ordered: true }),
        () => true,
      );
    await insert().catch((error: { code?: number }) => {
      // Another process was as far.
      if (error.code !== 11000) throw error;
    });
  }

  return {
    ends,
    present: async () => (await latest()).map(laneOnly),
    async lanes() {
      for (;;) {
        const present = await latest();
        const [first] = present;
        const next = present.find((lane) => lane.next !== null)?.next ?? null;
        if (!first || next === null) return present.map(laneOnly);
        await cut(first.layout, next);
      }
    },
    async newest() {
      const layout = (await latest())[0]?.layout ?? 0;
      return reading(findAll(stored, { layout }, { sort: inOrder }));
    },
    async prepare(count) {
      await prepareCollection(connection, schema);
      for (;;) {
        const present = await latest();
        const [first] = present;
        if (!first) await takeOver(count);
        else if (present.length !== count || present.some(({ next }) => next !== null)) await cut(first.layout, count);
        else return;
      }
    },
  };
}

function laneOnly({ layout, lane, from, to }: Lane): Lane {
  return { layout, lane, from, to };
}

function within(given: Record<string, number>, { from, to }: Lane): Record<string, number> {
  return Object.fromEntries(Object.entries(given).filter(([slot]) => Number(slot) >= from && Number(slot) <= to));
}
