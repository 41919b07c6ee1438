// What the books must know of the event log; the notifications domain answers.
import type { Environment } from '../../shared/callers/caller';
import type { LoggedEvent } from './booking';

/** A lane of the log, or the log of before it was cut into lanes, which has layout 0; its places are those of its segments, or positions. */
export interface LogLane {
  layout: number;
  lane: number;
}

/** How far a lane has come. */
export interface FeedEnd extends LogLane {
  number: number;
  /** Lanes of the layout that follows; null: the lane is in use, and more may come. */
  next: number | null;
  /** Last position of the log of before. */
  base: number;
}

/** An event by its id, with its slot where that is known. */
interface LogPlaceOfEvent {
  _id: string;
  slot?: number;
}

/** What of an event stands in a segment. */
export interface Head {
  _id: string;
  environment: Environment;
  type: string;
  slot: number;
}

/** What the feed must know of the event log; the notifications domain answers. */
export interface ReadLog {
  lanes: {
    /** How far all lanes have come, those of earlier layouts first. */
    ends(): Promise<FeedEnd[]>;
  };
  segments: {
    /** What follows on a lane, without a gap. */
    after(
      places: readonly (LogLane & { number: number })[],
      limit: number,
    ): Promise<{ number: number; heads: Head[] }[]>;
  };
  /** In the order of the places. */
  bodies(places: readonly LogPlaceOfEvent[]): Promise<LoggedEvent[]>;
  /** The log of before it was cut into lanes. */
  readFormer(range: {
    environment: Environment;
    afterPosition: number;
    upTo: number;
    limit: number;
  }): Promise<LoggedEvent[]>;
  /** Events that have no position yet. */
  unpositioned(limit: number): Promise<LogPlaceOfEvent[]>;
  /** The ids of those that still have none. */
  stillUnpositioned(places: readonly LogPlaceOfEvent[]): Promise<Set<string>>;
}

/** A lane and how far it may be read; null: as far as it goes. */
export interface Feed extends LogLane {
  upTo: number | null;
}
