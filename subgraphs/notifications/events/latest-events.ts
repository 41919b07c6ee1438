// The latest events of the whole log, found backwards along its lanes: what a stream that begins now tells first.
import type { EventLogRepository } from './event-log.repository';
import type { LogPlace } from './log-place';
import type { EventHead } from './segment.repository';

/** Segments that are read at once, of all lanes together; no fewer than one of each. */
const segmentsAtOnce = 32;
/** So often it is looked further back for those that are still missing: a log in which nothing is wanted is not read to its beginning. */
const looksMax = 8;

export interface Latest {
  /** Behind it lies the first of them. */
  from: LogPlace;
  eventIds: ReadonlySet<string>;
}

export interface SoughtLatest {
  /** So many at most. */
  count: number;
  isWanted(head: EventHead): boolean;
}

/** Of what was published up to `end` and occurred since `cutoff`. */
export async function latestOf(
  { occurred, segments }: Pick<EventLogRepository, 'occurred' | 'segments'>,
  end: LogPlace,
  { count, isWanted }: SoughtLatest,
  cutoff: Date,
): Promise<Latest> {
  const { layout } = end;
  const perLane = Math.max(1, Math.floor(segmentsAtOnce / Math.max(1, end.numbers.length)));
  let { numbers } = end;
  /** By lane, the newest of each: more of one than are wanted of all are not looked at. */
  let found: EventHead[][] = numbers.map(() => []);
  const isEnough = () => found.flat().length >= count || numbers.every((number) => number === 0);
  for (let looks = 0; looks < looksMax && !isEnough(); looks += 1) {
    const upTo = numbers;
    numbers = upTo.map((number) => Math.max(0, number - perLane));
    const places = numbers.map((number, lane) => ({ layout, lane, number, upTo: upTo[lane] ?? 0 }));
    const read = await segments.after(places, perLane * places.length);
    found = found.map((newer, lane) => {
      const older = read.filter((segment) => segment.lane === lane).flatMap(({ heads }) => heads.filter(isWanted));
      return [...older, ...newer].slice(-count);
    });
  }
  // Along a lane they lie as they came; which of several lanes' came last is told by their times.
  const times = [...(await occurred(found.flat()))].filter(([, time]) => time >= cutoff);
  const newestFirst = times.sort(([, one], [, other]) => other.getTime() - one.getTime());
  return { from: { layout, numbers }, eventIds: new Set(newestFirst.slice(0, count).map(([id]) => id)) };
}
