// How far back the whole log is replayed: on each lane from the first segment with an event that is young enough.
import type { EventLogRepository } from './event-log.repository';
import type { StreamPlace } from './log-place';

type Reads = Pick<EventLogRepository, 'bodies' | 'lanes' | 'segments'>;

/** The place behind everything that occurred before `cutoff`; null when nothing behind `place` did. */
export async function floorOf(reads: Reads, place: StreamPlace, cutoff: Date): Promise<StreamPlace | null> {
  const ends = (await reads.lanes.ends()).filter(({ layout }) => layout === place.layout);
  const { layout, part } = place;
  const numbers = await Promise.all(
    place.numbers.map((after, lane) => {
      const isOld = (number: number) => isBefore(reads, { layout, lane, number }, cutoff);
      return lastOld(isOld, after, ends.find((end) => end.lane === lane)?.number ?? after);
    }),
  );
  const isMoved = (lane: number) => numbers[lane] !== place.numbers[lane];
  if (!numbers.some((_number, lane) => isMoved(lane))) return null;
  // Of a segment that is young what was read of it stays read.
  return part && !isMoved(part.lane) ? { layout, numbers, part } : { layout, numbers };
}

/** Times follow numbers: what lies between is halved until the last old one is left. */
async function lastOld(isOld: (number: number) => Promise<boolean>, after: number, end: number): Promise<number> {
  if (after >= end || !(await isOld(after + 1))) return after;
  let [known, beyond] = [after + 1, end + 1];
  while (known + 1 < beyond) {
    const middle = Math.floor((known + beyond) / 2);
    if (await isOld(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}

/** Whether the last event of a segment occurred before then. */
async function isBefore(
  { bodies, segments }: Reads,
  { layout, lane, number }: { layout: number; lane: number; number: number },
  cutoff: Date,
): Promise<boolean> {
  const [segment] = await segments.after([{ layout, lane, number: number - 1 }], 1);
  const last = segment?.heads.at(-1);
  const [event] = last ? await bodies([last]) : [];
  return event !== undefined && event.occurredAt < cutoff;
}
