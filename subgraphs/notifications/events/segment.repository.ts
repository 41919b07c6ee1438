// Segments: what was published at once on a lane, as one document of heads. Whoever follows the log reads these few, and bodies only of what it serves.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { environments } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { maybeText, storedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { aggregateTypes, type EventRecord } from '../../shared/store/unit-of-work';
import { type LaneName, segmentId, segmentNumber, segmentNumberMax } from './lane';

/** What everybody needs to know of an event in order to tell whether it concerns them. */
export type EventHead = Pick<
  EventRecord,
  '_id' | 'environment' | 'accountId' | 'merchantId' | 'aggregateType' | 'aggregateId' | 'type'
> & { slot: number; position: number };

export interface Segment extends LaneName {
  /** 1, 2, 3, ... without gaps on a lane. */
  number: number;
  heads: EventHead[];
}

export interface StoredSegment {
  _id: string;
  layout: number;
  lane: number;
  heads: EventHead[];
}

const schema = storedSchema<StoredSegment>('event_segments', {
  _id: storedText,
  layout: there(Number),
  lane: there(Number),
  heads: there([
    storedPart<EventHead>({
      _id: storedText,
      environment: there(String, { enum: environments }),
      accountId: storedText,
      merchantId: maybeText,
      aggregateType: there(String, { enum: aggregateTypes }),
      aggregateId: storedText,
      type: storedText,
      slot: there(Number),
      position: there(Number),
    }),
  ]),
});

/** A place on a lane: everything up to that segment was read; nothing beyond `upTo` is wanted. */
export type LanePlace = LaneName & { number: number; upTo?: number };

export interface SegmentRepository {
  /** What follows on each of these lanes, each in its order; as far as they are written without a gap. */
  after(places: readonly LanePlace[], limit: number): Promise<Segment[]>;
  ensureIndexes(): Promise<void>;
}

export function createSegmentRepository(connection: Connection): SegmentRepository {
  const segments = collectionOf<StoredSegment>(connection, 'event_segments');
  return {
    async after(places, limit) {
      const wanted = places.filter(({ number, upTo }) => upTo === undefined || upTo > number);
      const ranges: Filter<StoredSegment>[] = wanted.map((place) => ({
        _id: { $gt: segmentId(place, place.number), $lte: segmentId(place, place.upTo ?? segmentNumberMax) },
      }));
      if (ranges.length === 0) return [];
      const [only, second] = ranges;
      const filter = only && !second ? only : { $or: ranges };
      const found = await reading(findAll(segments, filter, { sort: { _id: 1 }, limit }));
      const read = new Map(places.map((place) => [place.lane, place.number]));
      return found.flatMap(({ _id, layout, lane, heads }) => {
        const number = segmentNumber(_id);
        if (number !== (read.get(lane) ?? 0) + 1) return [];
        read.set(lane, number);
        return [{ layout, lane, number, heads }];
      });
    },
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

export function segmentOf(lane: LaneName, number: number, heads: EventHead[]): StoredSegment {
  return { _id: segmentId(lane, number), layout: lane.layout, lane: lane.lane, heads };
}
