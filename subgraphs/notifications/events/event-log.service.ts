// The event log as subscribers read it: what one owner has by position, from a signed cursor, back to the replay limit; and all of it as it is published (docs/sandbox.md, sections 7 and 9).
import { createHmac } from 'node:crypto';
import type { Clock } from '../../shared/clock';
import type { Config } from '../../shared/config';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime } from '../../shared/ids';
import type { AggregateType } from '../../shared/store/outbox';
import { slotOf } from '../../shared/store/slot';
import type { EventLogRepository, EventOwner, PositionedEvent } from './event-log.repository';
import type { EventHead } from './segment.repository';

const dayMs = 24 * 3_600_000;
const eventReadMax = 1_000;
/** Of as many events as a leader publishes at once, and of few bytes each. */
const segmentsReadMax = 32;

interface ReadEvents {
  /** Exclusive. */
  afterPosition: number;
  /** Inclusive. */
  upTo?: number;
  merchantId?: string;
  aggregateId?: string;
  aggregateType?: AggregateType;
  /** At most `eventReadMax`. */
  limit: number;
}

/** Everything up to these segments was read, by lane. */
export interface LogPlace {
  layout: number;
  numbers: readonly number[];
}

/** Where the log ends. */
export interface LogEnd extends LogPlace {
  /** By slot. */
  positions: readonly number[];
}

export interface LogStep {
  place: LogPlace;
  /** What was published since, each slot's in its order. */
  heads: EventHead[];
  /** More is known to be there. */
  isFull: boolean;
}

export interface EventLog {
  /** Events of an owner that have a position, in commit order. */
  readEvents(range: ReadEvents): Promise<PositionedEvent[]>;
  /** Reads on from a place; nothing is passed over, a layout that was followed by another is read to its end first. */
  readOn(place: LogPlace): Promise<LogStep>;
  end(): Promise<LogEnd>;
  /** In which slot the events of a merchant lie, or of an aggregate; null when it has none. */
  slotOf(owner: EventOwner): Promise<number | null>;
  /** Position of the newest event of a slot that has one; 0 for an empty log. */
  tailPosition(slot: number): Promise<number>;
  /** The position up to which an owner's events behind `after` are no longer replayed: resuming there starts with a gap item. Null when all of them are. */
  replayFloor(owner: EventOwner, after: number): Promise<number | null>;
  printCursor(position: number): string;
  /** The position of a cursor of ours; refuses anything else with `invalidInput`. */
  parseCursor(cursor: string): number;
}

export function createEventLog(deps: {
  repository: EventLogRepository;
  clock: Clock;
  config: Pick<Config, 'environment' | 'EVENT_REPLAY_DAYS' | 'CURSOR_KEY'>;
}): EventLog {
  const { repository, clock, config } = deps;
  const key = Buffer.from(config.CURSOR_KEY, 'base64');
  const seal = (position: string) =>
    createHmac('sha256', key).update(`event cursor ${config.environment} ${position}`).digest('base64url').slice(0, 22);

  return {
    readEvents: (range) =>
      repository.read({ ...range, environment: config.environment, limit: Math.min(range.limit, eventReadMax) }),
    readOn: (place) => readOn(repository, place),
    end: () => endOf(repository),
    slotOf: async (owner) =>
      'merchantId' in owner
        ? slotOf({ merchantId: owner.merchantId, accountId: '' })
        : repository.slotOfAggregate(owner.aggregateId),
    tailPosition: (slot) => repository.tailPosition(slot),
    replayFloor: (owner, after) =>
      repository.positionBefore(owner, after, new Date(clock.now().getTime() - config.EVENT_REPLAY_DAYS * dayMs)),
    printCursor: (position) => `${Buffer.from(String(position)).toString('base64url')}.${seal(String(position))}`,
    parseCursor(cursor) {
      const [encoded = '', mark = '', ...rest] = cursor.length <= 64 ? cursor.split('.') : [];
      const position = Buffer.from(encoded, 'base64url').toString('utf8');
      const isOurs =
        rest.length === 0 && /^(0|[1-9]\d{0,15})$/.test(position) && equalsConstantTime(mark, seal(position));
      if (!isOurs) throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
      return Number(position);
    },
  };
}

async function readOn({ lanes, segments }: EventLogRepository, place: LogPlace): Promise<LogStep> {
  const { layout, numbers } = place;
  const found = await segments.after(
    numbers.map((number, lane) => ({ layout, lane, number })),
    segmentsReadMax,
  );
  if (found.length > 0) {
    const read = [...numbers];
    for (const { lane, number } of found) read[lane] = number;
    const heads = found.flatMap((segment) => segment.heads);
    return { place: { layout, numbers: read }, heads, isFull: found.length === segmentsReadMax };
  }
  const ends = await lanes.ends();
  const own = ends.filter((end) => end.layout === layout);
  const following = ends.filter((end) => end.layout === layout + 1);
  const isOver = own.every(({ lane, number, next }) => next !== null && numbers[lane] === number);
  if (!isOver || following.length === 0) return { place, heads: [], isFull: false };
  return { place: { layout: layout + 1, numbers: following.map(() => 0) }, heads: [], isFull: true };
}

async function endOf({ lanes }: EventLogRepository): Promise<LogEnd> {
  const newest = await lanes.newest();
  const positions = newest.flatMap(({ base, given, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => base + (given[from + index] ?? 0)),
  );
  return { layout: newest[0]?.layout ?? 0, numbers: newest.map(({ number }) => number), positions };
}
