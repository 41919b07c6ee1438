// An event log in memory: one slot, one lane, cursors that can be read.
import type { EventLog, PositionedEvent, StreamPlace } from '../../subgraphs/notifications';
import { DomainError } from '../../subgraphs/shared/errors';

interface Means {
  cursor(event: { position: number }): string;
  /** Events at or below are no longer kept. */
  floor(): number;
}

export function logInMemory(events: readonly PositionedEvent[], { cursor, floor }: Means): EventLog {
  return {
    readEvents: async ({ afterPosition, upTo = Number.MAX_SAFE_INTEGER, owner, aggregateType, limit }) =>
      events
        .filter(({ position }) => position > afterPosition && position <= upTo)
        .filter((event) =>
          'merchantId' in owner ? event.merchantId === owner.merchantId : event.aggregateId === owner.aggregateId,
        )
        .filter((event) => aggregateType === undefined || event.aggregateType === aggregateType)
        .slice(0, limit),
    ...oneLane(events),
    latest: async ({ layout, numbers: [end = 0] }, { count, isWanted }) => {
      const wanted = events.slice(floor(), end).filter((event) => isWanted({ ...event, slot: 0 }));
      return { from: { layout, numbers: [0] }, eventIds: new Set(wanted.slice(-count).map(({ _id }) => _id)) };
    },
    tailPosition: async () => events.at(-1)?.position ?? 0,
    replayFloor: async (_owner, after) => (after < floor() ? floor() : null),
    printCursor: (position) => cursor({ position }),
    parseCursor: (text) => Number(parsed(/^cursor-(\d+)$/, text)[1]),
    printPlace: placeCursor,
    parseStreamCursor(text) {
      const [, kind, number, count] = parsed(/^(cursor|place)-(\d+)(?:\+(\d+))?$/, text);
      if (kind === 'cursor') return Number(number);
      const place = { layout: 1, numbers: [Number(number)] };
      return count ? { ...place, part: { lane: 0, count: Number(count) } } : place;
    },
    hasReached: async ({ numbers: [read = 0], part }) => read * segmentSize + (part?.count ?? 0) <= events.length,
    streamFloor: async ({ layout, numbers: [read = 0] }) => {
      const first = Math.floor(floor() / segmentSize);
      return read < first ? { layout, numbers: [first] } : null;
    },
    async withWords(places, { member, words }) {
      const asked = new Set(places.map(({ _id }) => _id));
      const told = events.filter(({ _id, data }) => asked.has(_id) && words.has(String(data[member])));
      return new Set(told.map(({ _id }) => _id));
    },
  };
}

/** Of events that lie in segments of so many each. */
const segmentSize = 1;

function placeCursor({ numbers: [read = 0], part }: StreamPlace): string {
  return `place-${read}${part ? `+${part.count}` : ''}`;
}

function parsed(pattern: RegExp, text: string): RegExpExecArray {
  const found = pattern.exec(text);
  if (!found) throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
  return found;
}

/** One slot for all, on one lane; the tail reads it in pieces. */
function oneLane(events: readonly PositionedEvent[]): Pick<EventLog, 'slotOf' | 'readOn' | 'end'> {
  const slot = 0;
  return {
    slotOf: async () => slot,
    readOn: async ({ layout, numbers: [read = 0] }, upTo) => {
      const end = Math.min(read + 500, upTo?.numbers[0] ?? Number.POSITIVE_INFINITY);
      const heads = events.slice(read, end).map((event) => ({ ...event, slot }));
      const segments = heads.map((head, index) => ({ layout, lane: 0, number: read + index + 1, heads: [head] }));
      return { place: { layout, numbers: [read + heads.length] }, segments, heads, isFull: heads.length === 500 };
    },
    end: async () => ({ layout: 1, numbers: [events.length], positions: [events.at(-1)?.position ?? 0] }),
  };
}
