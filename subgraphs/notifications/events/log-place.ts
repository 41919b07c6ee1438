// A place in the whole log: how far each lane of a layout was read. Printed and signed it is the cursor of the stream of all events, and stays valid when the lanes change.

/** Everything up to these segments was read, by lane. */
export interface LogPlace {
  layout: number;
  numbers: readonly number[];
}

/** Between two events of a segment: so many of the one that follows on that lane were read, too. */
export interface StreamPlace extends LogPlace {
  part?: { lane: number; count: number };
}

/** Whether everything up to `place` lies within `other`. */
export function covers(other: LogPlace, { layout, numbers, part }: StreamPlace): boolean {
  if (other.layout !== layout) return other.layout > layout;
  return numbers.every((number, lane) => (other.numbers[lane] ?? 0) >= number + (part?.lane === lane ? 1 : 0));
}

export function isSamePlace(one: StreamPlace, other: LogPlace): boolean {
  return one.layout === other.layout && !one.part && one.numbers.every((each, lane) => each === other.numbers[lane]);
}

/** As text: layout, numbers by lane, and lane and count of the part. */
export function printPlace({ layout, numbers, part }: StreamPlace): string {
  const within = part ? `;${part.lane},${part.count}` : '';
  return `${layout};${numbers.map((number) => number.toString(36)).join(',')}${within}`;
}

const printed = /^([1-9]\d{0,5}|0);([0-9a-z]{1,9}(?:,[0-9a-z]{1,9})*)?(?:;(\d{1,4}),([1-9]\d{0,6}))?$/;

/** Null for a text that is no place. */
export function parsePlace(text: string): StreamPlace | null {
  const [, layout, numbers = '', lane, count] = printed.exec(text) ?? [];
  if (layout === undefined) return null;
  const read = numbers === '' ? [] : numbers.split(',').map((number) => Number.parseInt(number, 36));
  if (lane === undefined) return { layout: Number(layout), numbers: read };
  return { layout: Number(layout), numbers: read, part: { lane: Number(lane), count: Number(count) } };
}
