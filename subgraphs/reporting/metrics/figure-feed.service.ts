// The second reader of the event log in reporting: counts each event once, a batch in one transaction with its own place in the lane (decision register, Figures). Nothing of the journal waits for it.
import type { Environment } from '../../shared/callers/caller';
import { allEnds, type Fed, openFeeds, othersMoved, readFeed } from '../journal/feed.service';
import type { Feed, ReadLog } from '../journal/read-log';
import type { Comparison, RebuildRepository } from '../journal/rebuild.repository';
import { figureOf, isCounted } from './figures';
import { rollUpsOf } from './roll-up';
import type { RollUpBatch, RollUpRepository } from './roll-up.repository';

export interface FigureFeedDeps {
  rollUps: RollUpRepository;
  log: Pick<ReadLog, 'lanes' | 'segments' | 'bodies' | 'readFormer'>;
  environment: Environment;
  /** In which the batch is written; one of its own without it. */
  session?: RollUpBatch['session'];
  /** As that of the journal. */
  from?: number | null;
}

/** The lanes of which something may be left to count. */
export function openFigureFeeds({ rollUps, log, environment }: FigureFeedDeps): Promise<Feed[]> {
  return openFeeds({ journal: rollUps, log, environment });
}

/** Counts the next batch of a lane. Without events, or when another process was faster, it counts nothing. */
export async function countNext(deps: FigureFeedDeps, feed: Feed): Promise<Fed> {
  const { rollUps, environment, session } = deps;
  const from = deps.from ?? (await rollUps.checkpoint(environment, feed));
  const { events, count, to, isFull } = await readFeed(deps, feed, from, isCounted);
  if (to === from) return { events: 0, isFull: false, position: from };
  const figures = events.flatMap((event) => figureOf(event) ?? []);
  const sums = rollUpsOf(environment, feed, figures);
  const isMine = await rollUps.commit({ environment, feed, from, to, rollUps: sums, session });
  return isMine ? { events: count, isFull, position: to } : othersMoved;
}

export interface RebuiltFigures extends Comparison {
  /** So many events of the log were read. */
  events: number;
}

/** All figures again from the log, as far as those in use are counted, beside them; with `isApplied` they take their place. Nobody may feed meanwhile. */
export async function rebuildFigures(
  deps: Omit<FigureFeedDeps, 'session' | 'from'> & { rebuilt: RollUpRepository; store: RebuildRepository },
  isApplied: boolean,
): Promise<RebuiltFigures> {
  const { rollUps, rebuilt, store, log, environment } = deps;
  await store.clear();
  await rebuilt.prepare();
  const ends = await allEnds(log);
  const counted = await rollUps.checkpoints(environment, ends);
  let events = 0;
  for (const [index, { layout, lane }] of ends.entries()) {
    const feed = { layout, lane, upTo: counted[index] ?? 0 };
    for (let fed = -1; fed !== 0; events += fed)
      fed = (await countNext({ rollUps: rebuilt, log, environment }, feed)).events;
  }
  const compared = await store.compare();
  if (isApplied) await store.swap();
  return { ...compared, events };
}
