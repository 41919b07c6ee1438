// The event log as subscribers read it: what one owner has by position, from a signed cursor, back to the replay limit; and all of it as it is published (docs/sandbox.md, sections 7 and 9).
import type { Clock } from '../../shared/clock';
import type { Config } from '../../shared/config';
import { slotOf } from '../../shared/store/slot';
import type { AggregateType } from '../../shared/store/unit-of-work';
import { createEventCursors, type EventCursors } from './event-cursor';
import type { EventLogRepository, EventOwner, PositionedHead } from './event-log.repository';
import type { EventPlace } from './event-place.repository';
import { textOf } from './event-view';
import { type Latest, latestOf, type SoughtLatest } from './latest-events';
import { covers, type LogPlace, type StreamPlace } from './log-place';
import { floorOf } from './replay-floor';
import type { EventHead, Segment } from './segment.repository';

const dayMs = 24 * 3_600_000;
const eventReadMax = 1_000;
/** Of as many events as a leader publishes at once, and of few bytes each. */
const segmentsReadMax = 32;

export interface ReadEvents {
  /** Exclusive. */
  afterPosition: number;
  /** Inclusive. */
  upTo?: number;
  owner: EventOwner;
  aggregateType?: AggregateType;
  /** At most `eventReadMax`. */
  limit: number;
}

/** Where the log ends. */
export interface LogEnd extends LogPlace {
  /** By slot. */
  positions: readonly number[];
}

export interface LogStep {
  place: LogPlace;
  /** What was published since, each lane's in its order. */
  segments: readonly Segment[];
  /** The events of it, each slot's in their order. */
  heads: EventHead[];
  /** More is known to be there. */
  isFull: boolean;
}

/** What an event is sought by that its head does not tell: the result of an operation, the act of a record of the audit. */
export interface SoughtWords {
  member: 'operationResult' | 'action';
  words: ReadonlySet<string>;
}

export interface EventLog extends Omit<EventCursors, 'parseAny'> {
  /** Events of an owner that have a position, in commit order. */
  readEvents(range: ReadEvents): Promise<PositionedHead[]>;
  /** Reads on from a place, as far as `upTo` if it is given; nothing is passed over, a layout that was followed by another is read to its end first. */
  readOn(place: LogPlace, upTo?: LogPlace): Promise<LogStep>;
  end(): Promise<LogEnd>;
  /** The latest of what was published up to `end` and is still replayed; fewer than asked for where many that are not wanted lie between. */
  latest(end: LogPlace, sought: SoughtLatest): Promise<Latest>;
  /** In which slot the events of a merchant lie, or of an aggregate; null when it has none. */
  slotOf(owner: EventOwner): Promise<number | null>;
  /** Position of the newest event of a slot that has one; 0 for an empty log. */
  tailPosition(slot: number): Promise<number>;
  /** The position up to which an owner's events behind `after` are no longer replayed: resuming there starts with a gap item. Null when all of them are. */
  replayFloor(owner: EventOwner, after: number): Promise<number | null>;
  /** Where a cursor of `events` is, or the position of one of an owner's events; refuses anything else with `invalidInput`. */
  parseStreamCursor(cursor: string): StreamPlace | number;
  /** Whether the log has come as far as that place. */
  hasReached(place: StreamPlace): Promise<boolean>;
  /** As `replayFloor`, of the whole log. */
  streamFloor(place: StreamPlace): Promise<StreamPlace | null>;
  /** Those of the events whose data hold one of these words. */
  withWords(places: readonly EventPlace[], { member, words }: SoughtWords): Promise<ReadonlySet<string>>;
}

export function createEventLog(deps: {
  repository: EventLogRepository;
  clock: Clock;
  config: Pick<Config, 'environment' | 'EVENT_REPLAY_DAYS' | 'CURSOR_KEY'>;
}): EventLog {
  const { repository, clock, config } = deps;
  const cursors = createEventCursors(config);
  const cutoff = () => new Date(clock.now().getTime() - config.EVENT_REPLAY_DAYS * dayMs);

  return {
    readEvents: (range) =>
      repository.read({ ...range, environment: config.environment, limit: Math.min(range.limit, eventReadMax) }),
    readOn: (place, upTo) => readOn(repository, place, upTo),
    end: () => endOf(repository),
    latest: (end, sought) => latestOf(repository, end, sought, cutoff()),
    slotOf: async (owner) =>
      'merchantId' in owner
        ? slotOf({ merchantId: owner.merchantId, accountId: '' })
        : repository.slotOfAggregate(owner),
    tailPosition: (slot) => repository.tailPosition(slot),
    replayFloor: (owner, after) => repository.positionBefore(owner, after, cutoff()),
    printCursor: cursors.printCursor,
    printPlace: cursors.printPlace,
    parseCursor: cursors.parseCursor,
    parseStreamCursor: cursors.parseAny,
    hasReached: (place) => hasReached(repository, place),
    streamFloor: (place) => floorOf(repository, place, cutoff()),
    async withWords(places, { member, words }) {
      const events = await repository.bodies(places);
      const told = events.filter(({ data }) => words.has(textOf(data[member]) ?? ''));
      return new Set(told.map(({ _id }) => _id));
    },
  };
}

/** The layout of the place was or is in use, with as many lanes, and has come as far. */
async function hasReached({ lanes }: EventLogRepository, place: StreamPlace): Promise<boolean> {
  const own = (await lanes.ends()).filter(({ layout }) => layout === place.layout);
  const end = { layout: place.layout, numbers: own.map(({ number }) => number) };
  return own.length === place.numbers.length && covers(end, place);
}

async function readOn(
  { lanes, segments }: EventLogRepository,
  place: LogPlace,
  upTo: LogPlace | undefined,
): Promise<LogStep> {
  const { layout, numbers } = place;
  const last = (lane: number) => (upTo?.layout === layout ? { upTo: upTo.numbers[lane] ?? 0 } : {});
  const found = await segments.after(
    numbers.map((number, lane) => ({ layout, lane, number, ...last(lane) })),
    segmentsReadMax,
  );
  if (found.length > 0) {
    const read = [...numbers];
    for (const { lane, number } of found) read[lane] = number;
    const heads = found.flatMap((segment) => segment.heads);
    return { place: { layout, numbers: read }, segments: found, heads, isFull: found.length === segmentsReadMax };
  }
  if (upTo?.layout === layout) return { place, segments: [], heads: [], isFull: false };
  const ends = await lanes.ends();
  const own = ends.filter((end) => end.layout === layout);
  const following = ends.filter((end) => end.layout === layout + 1);
  const isOver = own.every(({ lane, number, next }) => next !== null && numbers[lane] === number);
  if (!isOver || following.length === 0) return { place, segments: [], heads: [], isFull: false };
  return { place: { layout: layout + 1, numbers: following.map(() => 0) }, segments: [], heads: [], isFull: true };
}

async function endOf({ lanes }: EventLogRepository): Promise<LogEnd> {
  const newest = await lanes.newest();
  const positions = newest.flatMap(({ base, given, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => base + (given[from + index] ?? 0)),
  );
  return { layout: newest[0]?.layout ?? 0, numbers: newest.map(({ number }) => number), positions };
}
