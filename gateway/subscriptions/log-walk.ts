// Events in the order of the whole log, each with the place behind it: where a stream that has told it goes on.
import type { EventHead, LogStep, StreamPlace } from '../../subgraphs/notifications';

export interface PlacedEvent extends EventHead {
  place: StreamPlace;
  /** Counted within what is handed out. */
  serial: number;
}

/** The events of a step that was read on from `from`, counted on from `serial`. */
export function eventsOf({ segments }: Pick<LogStep, 'segments'>, from: StreamPlace, serial = 0): PlacedEvent[] {
  const { layout, part } = from;
  let { numbers } = from;
  let count = serial;
  return segments.flatMap(({ lane, number, heads }) => {
    const before = numbers;
    numbers = numbers.map((each, index) => (index === lane ? number : each));
    const behind = { layout, numbers };
    // What a cursor has of the segment that it lies in.
    const told = part?.lane === lane && number === (from.numbers[lane] ?? 0) + 1 ? part.count : 0;
    return heads.slice(told).map((head, index) => {
      const own = told + index + 1;
      count += 1;
      const place = own === heads.length ? behind : { layout, numbers: before, part: { lane, count: own } };
      return { ...head, place, serial: count };
    });
  });
}
