// The whole journal again from the event log, beside the books in use: the proof that they are a function of it, and the way back when they are not (reporting interface; decision register 2.3).

import type { Environment } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/without-undefined';
import { areSameSums, decidePayouts, joinPlans, type Payout, payoutAmountOf } from '../payouts/payout';
import type { PayoutRepository } from '../payouts/payout.repository';
import { without } from '../payouts/runs';
import { openRuns, runsOfPlan } from '../payouts/settlement.service';
import { payoutOfEvent } from '../reporting.events';
import type { LoggedEvent } from './booking';
import { bookNext, feedBatchMax, type ReadLog } from './feed.service';
import { bookId } from './journal';
import type { JournalRepository } from './journal.repository';
import type { OpenActionsRepository } from './open-actions.repository';
import type { RebuildRepository } from './rebuild.repository';

/** One set of books. */
export interface BookReads {
  journal: JournalRepository;
  openActions: OpenActionsRepository;
  payouts: PayoutRepository;
}

export interface RebuildDeps {
  environment: Environment;
  log: Pick<ReadLog, 'read'>;
  live: BookReads;
  rebuilt: BookReads;
  store: RebuildRepository;
}

export interface Rebuilt {
  /** Everything up to this position of the log was booked anew. */
  position: number;
  entries: number;
  payouts: number;
  /** What is not the same, in words, at most twenty; none means identical. */
  differences: string[];
}

/** Nobody may feed the books in use meanwhile. */
export async function rebuildBooks(deps: RebuildDeps): Promise<Rebuilt> {
  const { environment, log, live, rebuilt, store } = deps;
  await store.clear();
  await Promise.all([rebuilt.journal.ensureIndexes(), rebuilt.payouts.ensureIndexes()]);
  const position = await live.journal.checkpoint(environment);
  for (let fed = -1; fed !== 0 && position > 0; )
    fed = (await bookNext({ journal: rebuilt.journal, log, environment }, position)).events;
  const faults = await replayPayouts(deps, rebuilt, { after: 0, upTo: position });
  const { differences, entries, payouts } = await store.compare();
  return { position, entries, payouts, differences: [...faults, ...differences].slice(0, differencesMax) };
}

const differencesMax = 20;

/** Puts the rebuilt books in the place of those in use; payouts that were closed in the very moment follow from their events. */
export async function applyRebuilt(deps: RebuildDeps, { position }: Pick<Rebuilt, 'position'>): Promise<void> {
  await deps.store.swap();
  await replayPayouts(deps, deps.live, { after: position });
}

/** Makes the payouts that the log tells of, in its order, each from the entries; tells where the entries say otherwise. */
async function replayPayouts(
  { environment, log }: Pick<RebuildDeps, 'environment' | 'log'>,
  books: BookReads,
  { after, upTo }: { after: number; upTo?: number },
): Promise<string[]> {
  const faults: string[] = [];
  for (let afterPosition = after; ; ) {
    const range = { environment, afterPosition, limit: feedBatchMax, ...withoutUndefined({ upTo }) };
    const events = await log.read(range);
    for (const event of events) if (event.type === 'payout.closed') faults.push(...(await replay(books, event)));
    const last = events.at(-1);
    if (!last) return faults;
    afterPosition = last.position;
  }
}

async function replay(books: BookReads, event: LoggedEvent): Promise<string[]> {
  const told = payoutOfEvent(event);
  const { environment, merchantId } = told;
  if (await books.payouts.find({ environment, merchantId }, told.payoutId)) return [];
  const paid = await books.payouts.findPaid(told);
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
