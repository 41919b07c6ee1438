// An event log in memory: one slot, one lane, cursors that can be read.
import type { EventLog, PositionedEvent } from '../../subgraphs/notifications';
import { DomainError } from '../../subgraphs/shared/errors';

interface Means {
  cursor(event: { position: number }): string;
  /** Events at or below are no longer kept. */
  floor(): number;
}

export function logInMemory(events: readonly PositionedEvent[], { cursor, floor }: Means): EventLog {
  return {
    readEvents: async ({
      afterPosition,
      upTo = Number.MAX_SAFE_INTEGER,
      merchantId,
      aggregateId,
      aggregateType,
      limit,
    }) =>
      events
        .filter(({ position }) => position > afterPosition && position <= upTo)
        .filter((event) => merchantId === undefined || event.merchantId === merchantId)
        .filter((event) => aggregateId === undefined || event.aggregateId === aggregateId)
        .filter((event) => aggregateType === undefined || event.aggregateType === aggregateType)
        .slice(0, limit),
    ...oneLane(events),
    tailPosition: async () => events.at(-1)?.position ?? 0,
    replayFloor: async (_owner, after) => (after < floor() ? floor() : null),
    printCursor: (position) => cursor({ position }),
    parseCursor(text) {
      const position = /^cursor-(\d+)$/.exec(text)?.[1];
      if (position === undefined)
        throw new DomainError('invalidInput', 'after is not a cursor of this log', { field: 'after' });
      return Number(position);
    },
  };
}

/** One slot for all, on one lane; the tail reads it in pieces. */
export function oneLane(events: readonly PositionedEvent[]): Pick<EventLog, 'slotOf' | 'readOn' | 'end'> {
  const slot = 0;
  return {
    slotOf: async () => slot,
    readOn: async ({ layout, numbers: [read = 0] }) => {
      const heads = events.slice(read, read + 500).map((event) => ({ ...event, slot }));
      return { place: { layout, numbers: [read + heads.length] }, heads, isFull: heads.length === 500 };
    },
    end: async () => ({ layout: 1, numbers: [events.length], positions: [events.at(-1)?.position ?? 0] }),
  };
}
