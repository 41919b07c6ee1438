// A lane: a range of slots with one leader, who gives their events positions. A layout is one way to cut all slots into lanes; a later one follows when all lanes of the former are closed.

/** A place among callbacks leaves room for so many. */
export const lanesMax = 64;

export interface Lane {
  /** Version of the layout, from 1 on. */
  layout: number;
  /** Number within the layout, from 0 on. */
  lane: number;
  /** First and last slot. */
  from: number;
  to: number;
}

export type LaneName = Pick<Lane, 'layout' | 'lane'>;

/** So many slots, cut into lanes that differ by one slot at most. */
export function lanesOf(layout: number, count: number, slots: number): Lane[] {
  const edge = (lane: number) => Math.floor((lane * slots) / count);
  return Array.from({ length: count }, (_, lane) => ({ layout, lane, from: edge(lane), to: edge(lane + 1) - 1 }));
}

export function laneId({ layout, lane }: LaneName): string {
  return `${layout}:${lane}`;
}

/** As many digits as keep the order of texts that of numbers. */
const digits = { layout: 6, lane: 4, number: 12 } as const;

/** Ids of a lane's segments are ordered as they follow each other. */
export function segmentId({ layout, lane }: LaneName, number: number): string {
  const padded = [
    String(layout).padStart(digits.layout, '0'),
    String(lane).padStart(digits.lane, '0'),
    String(number).padStart(digits.number, '0'),
  ];
  return padded.join(':');
}

export function segmentNumber(id: string): number {
  return Number(id.slice(-digits.number));
}

/** More than any lane will ever have. */
export const segmentNumberMax = 10 ** digits.number - 1;
