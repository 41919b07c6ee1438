// The whole journal again from the event log, beside the books in use: the proof that they are a function of it, and the way back when they are not (reporting interface; decision register 2.3-C).

import type { Environment } from '../../shared/callers/caller';
import type { LoggedEvent } from '../journal/booking';
import { logIsPublished } from '../journal/caught-up.service';
import { allEnds, bookNext, readFeed } from '../journal/feed.service';
import { bookId } from '../journal/journal';
import type { JournalRepository } from '../journal/journal.repository';
import type { Feed, ReadLog } from '../journal/read-log';
import type { RebuildRepository } from '../journal/rebuild.repository';
import { without } from '../journal/runs';
import type { OpenActionsRepository } from '../payouts/open-actions.repository';
import { areSameSums, decidePayouts, joinPlans, type Payout, payoutAmountOf } from '../payouts/payout';
import type { PayoutRepository } from '../payouts/payout.repository';
import { openRuns, runsOfPlan } from '../payouts/settlement.service';
import { payoutOfEvent } from '../reporting.events';

/** One set of books. */
export interface BookReads {
  journal: JournalRepository;
  openActions: OpenActionsRepository;
  payouts: PayoutRepository;
}

export interface RebuildDeps {
  environment: Environment;
  log: ReadLog;
  live: BookReads;
  rebuilt: BookReads;
  store: RebuildRepository;
  /** Longest wait for the places of events that were committed meanwhile. */
  publishedWaitMsMax?: number | undefined;
}

export interface Rebuilt {
  /** So many events of the log were read. */
  events: number;
  /** How far each lane was booked anew. */
  feeds: Feed[];
  entries: number;
  payouts: number;
  /** What is not the same, in words, at most twenty; none means identical. */
  differences: string[];
}

const publishedWaitMsMax = 15_000;

/** Payouts are in use with their commit, and in what is made again with their place in the log. */
function published({ log, publishedWaitMsMax: msMax = publishedWaitMsMax }: RebuildDeps): Promise<void> {
  return logIsPublished(log, AbortSignal.timeout(msMax));
}

/** Nobody may feed the books in use meanwhile. Refuses with `unavailable` where events get no place in the log. */
export async function rebuildBooks(deps: RebuildDeps): Promise<Rebuilt> {
  const { environment, log, rebuilt, store } = deps;
  await store.clear();
  await Promise.all([rebuilt.journal.prepare(environment), rebuilt.payouts.ensureIndexes()]);
  await published(deps);
  const feeds = await feedsOf(deps);
  let events = 0;
  for (const feed of feeds)
    for (let fed = -1; fed !== 0; events += fed)
      fed = (await bookNext({ journal: rebuilt.journal, log, environment }, feed)).events;
  // Also those that nobody has booked yet: what they pay is booked.
  const faults = await replayPayouts(deps, rebuilt, await rangesBehind(log, []));
  const { differences, made } = await store.compare();
  const { journal_entries: entries = 0, payouts = 0 } = made;
  return { events, feeds, entries, payouts, differences: [...faults, ...differences].slice(0, differencesMax) };
}

/** As far as each lane is booked now. */
async function feedsOf({ environment, log, live }: Pick<RebuildDeps, 'environment' | 'log' | 'live'>): Promise<Feed[]> {
  const ends = await allEnds(log);
  const booked = await live.journal.checkpoints(environment, ends);
  return ends.map(({ layout, lane }, index) => ({ layout, lane, upTo: booked[index] ?? 0 }));
}

const differencesMax = 20;

/**
 * Puts the rebuilt books in the place of those in use; payouts that were closed in the very moment follow from their events. Refuses with
 * `unavailable` where events get no place in the log: before the swap, or after it, which another rebuild mends.
 */
export async function applyRebuilt(deps: RebuildDeps, { feeds }: Pick<Rebuilt, 'feeds'>): Promise<void> {
  await published(deps);
  await deps.store.swap();
  try {
    await published(deps);
  } finally {
    await replayPayouts(deps, deps.live, await rangesBehind(deps.log, feeds));
  }
}

/** All lanes as far as they go now, each from where one of those ends. */
async function rangesBehind(log: ReadLog, feeds: readonly Feed[]): Promise<{ feed: Feed; from: number }[]> {
  const from = new Map(feeds.map(({ layout, lane, upTo }) => [`${layout}:${lane}`, upTo ?? 0]));
  const ends = await allEnds(log);
  return ends.map(({ layout, lane, number }) => ({
    feed: { layout, lane, upTo: number },
    from: from.get(`${layout}:${lane}`) ?? 0,
  }));
}

/** Makes the payouts that the lanes tell of behind a place, each in its order, from the entries; tells where the entries say otherwise. */
async function replayPayouts(
  deps: Pick<RebuildDeps, 'environment' | 'log'>,
  books: BookReads,
  ranges: readonly { feed: Feed; from: number }[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const { feed, from } of ranges) {
    for (let place = from; ; ) {
      const { events, to } = await readFeed(deps, feed, place);
      for (const event of events) if (event.type === 'payout.closed') faults.push(...(await replay(books, event)));
      if (to === place) break;
      place = to;
    }
  }
  return faults;
}

async function replay(books: BookReads, event: LoggedEvent): Promise<string[]> {
  const told = payoutOfEvent(event);
  const { environment, merchantId } = told;
  const found = await books.payouts.find({ environment, merchantId }, told.payoutId);
  const paid = await books.payouts.findPaid(told);
  // Nothing else of the book can be closed meanwhile: the number of its next payout is taken by this one's event.
  if (found && paid.number >= told.number) return [];
  const open = openRuns({ serial: told.upToSerial }, paid);
  // What was closed earlier was paid by an earlier event, so all that is open is this one's.
  const [first, ...others] = decidePayouts(await books.openActions.openDays(told, open, told.date));
  const planned = first && joinPlans(first, ...others);
  const runs = planned ? await runsOfPlan(books, told, open, planned) : [];
  const made: Payout = planned
    ? { ...told, ...planned.sums, date: planned.date, runs, amountMinor: payoutAmountOf(planned.sums) }
    : { ...told, runs };
  const left = without(open, runs);
  const settledTo = Math.max(paid.settledTo, told.upToSerial);
  await books.payouts.put(made, { ...paid, number: told.number, settledTo, open: left });
  const isSame =
    planned?.date === told.date && areSameSums(made, told) && JSON.stringify(runs) === JSON.stringify(told.runs);
  return isSame ? [] : [`payout ${told.payoutId} of ${bookId(told)}: its actions are not those that its event tells`];
}
