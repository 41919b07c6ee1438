// The feed: reads each lane of the event log in its order and books each event once, a batch in one transaction with its checkpoint (reporting interface; decision register 2.3-C).
import type { Environment } from '../../shared/callers/caller';
import { addTotals, netOf, nothing, totalsOf } from './balance';
import { book, type LoggedEvent } from './booking';
import { bookId, type JournalEntry } from './journal';
import type { JournalBatch, JournalRepository } from './journal.repository';
import type { Feed, FeedEnd, Head, ReadLog } from './read-log';
import { holderOf } from './stored-journal.repository';

export interface FeedDeps {
  journal: JournalRepository;
  log: Pick<ReadLog, 'segments' | 'bodies' | 'readFormer'>;
  environment: Environment;
  /** In which the batch is written; one of its own without it. */
  session?: JournalBatch['session'];
  /** The checkpoint, where it is known; read without it. One that is not true any more books nothing. */
  from?: number | null;
}

export interface Fed {
  /** Events read, whether or not they moved money. */
  events: number;
  /** As many as a batch takes: more may wait. */
  isFull: boolean;
  /** The checkpoint of the lane now; null when another process moved it. */
  position: number | null;
}

const feedBatchMax = 500;
/** Of as few events as one each. */
const segmentsMax = 100;

/** All lanes with their ends, that of the log of before first. */
export async function allEnds(log: Pick<ReadLog, 'lanes'>): Promise<FeedEnd[]> {
  const ends = await log.lanes.ends();
  const base = ends[0]?.base ?? 0;
  return [{ layout: 0, lane: 0, number: base, next: 1, base }, ...ends];
}

/** The lanes of which something may be left to book: of a layout only when all before it are booked to their end. */
export async function openFeeds({
  journal,
  log,
  environment,
}: Pick<FeedDeps, 'environment'> & {
  journal: Pick<JournalRepository, 'checkpoints'>;
  log: Pick<ReadLog, 'lanes'>;
}): Promise<Feed[]> {
  const ends = await allEnds(log);
  const booked = await journal.checkpoints(environment, ends);
  const isLeft = ({ next, number }: FeedEnd, index: number) => next === null || (booked[index] ?? 0) < number;
  const left = ends.filter(isLeft);
  const upTo = ({ layout, number }: FeedEnd) => (layout === 0 ? number : null);
  return left
    .filter(({ layout }) => layout === left[0]?.layout)
    .map((end) => ({ layout: end.layout, lane: end.lane, upTo: upTo(end) }));
}

/** What is read of a lane at once. */
interface LaneReading {
  /** Those that were wanted. */
  events: LoggedEvent[];
  count: number;
  to: number;
  isFull: boolean;
}

type IsWantedType = (type: string) => boolean;

/** The next events of a lane behind `from`, those of money unless others are wanted; of the rest only the number. */
export async function readFeed(
  { log, environment }: Pick<FeedDeps, 'log' | 'environment'>,
  { layout, lane, upTo }: Feed,
  from: number,
  isWanted: IsWantedType = isMoney,
): Promise<LaneReading> {
  if (layout === 0) return readFormer({ log, environment }, { from, upTo: upTo ?? 0, isWanted });
  const segments = await log.segments.after([{ layout, lane, number: from }], segmentsMax);
  const heads: Head[] = [];
  let to = from;
  for (const segment of segments) {
    if (heads.length >= feedBatchMax || (upTo !== null && segment.number > upTo)) break;
    heads.push(...segment.heads);
    to = segment.number;
  }
  const wanted = heads.filter((head) => head.environment === environment && isWanted(head.type));
  const events = wanted.length > 0 ? await log.bodies(wanted) : [];
  if (events.length !== wanted.length) throw new Error('events that were published are not in the log');
  return { events, count: heads.length, to, isFull: to !== segments.at(-1)?.number || segments.length === segmentsMax };
}

async function readFormer(
  { log, environment }: Pick<FeedDeps, 'log' | 'environment'>,
  { from, upTo, isWanted }: { from: number; upTo: number; isWanted: IsWantedType },
): Promise<LaneReading> {
  if (from >= upTo) return { events: [], count: 0, to: from, isFull: false };
  const read = await log.readFormer({ environment, afterPosition: from, upTo, limit: feedBatchMax });
  const isFull = read.length === feedBatchMax;
  const to = (isFull ? read.at(-1)?.position : null) ?? upTo;
  return { events: read.filter(({ type }) => isWanted(type)), count: to - from, to, isFull };
}

/** Books the next batch of a lane. Without events, or when another process was faster, it books nothing. */
export async function bookNext(deps: FeedDeps, feed: Feed): Promise<Fed> {
  const { journal, environment, session } = deps;
  const from = deps.from ?? (await journal.checkpoint(environment, feed));
  const { events, count, to, isFull } = await readFeed(deps, feed, from);
  if (to === from) return { events: 0, isFull: false, position: from };
  const merchantIds = [...new Set(events.flatMap(({ merchantId }) => merchantId ?? []))];
  const state = await journal.bookingState(environment, merchantIds);
  const termsBefore = new Map(state.terms);
  const entries = events.flatMap((event) => book(event, state) ?? []);
  const batch: JournalBatch = {
    environment,
    feed,
    from,
    to,
    entries,
    days: daysOf(entries),
    books: booksOf(entries, state),
    terms: [...state.terms].filter(([id, terms]) => termsBefore.get(id) !== terms).map(([, terms]) => terms),
    session,
  };
  const isMine = await journal.commit(batch);
  return isMine ? { events: count, isFull, position: to } : othersMoved;
}

/** Another process was faster. */
export const othersMoved: Fed = { events: 0, isFull: false, position: null };

const moneyTypes = /^(?:operation|ledger|payout)\.|^onboarding\.approved$/;

function isMoney(type: string): boolean {
  return moneyTypes.test(type);
}

/** Day totals of the merchants and of their accounts. */
function daysOf(entries: readonly JournalEntry[]): JournalBatch['days'] {
  const days = new Map<string, JournalBatch['days'][number]>();
  for (const entry of entries) {
    const { environment, merchantId, accountId, currency, day } = entry;
    const holders = [holderOf(environment, 'merchant', merchantId), holderOf(environment, 'account', accountId)];
    for (const holder of holders) {
      const key = JSON.stringify([holder, currency, day]);
      const before = days.get(key) ?? { holder, accountId, currency, day, ...nothing };
      days.set(key, { ...before, ...addTotals(before, totalsOf(entry)) });
    }
  }
  return [...days.values()];
}

/** The last serials, and what the merchants are owed now. */
function booksOf(
  entries: readonly JournalEntry[],
  {
    serials,
    balances,
  }: Record<'serials', ReadonlyMap<string, number>> & Record<'balances', ReadonlyMap<string, bigint>>,
): JournalBatch['books'] {
  const books = new Map<string, JournalBatch['books'][number]>();
  for (const entry of entries) {
    const { environment, accountId, merchantId, currency } = entry;
    const owner = { environment, accountId, merchantId, currency };
    const id = bookId(owner);
    const before = books.get(id)?.balanceMinor ?? balances.get(id) ?? 0n;
    books.set(id, { ...owner, serial: serials.get(id) ?? 0, balanceMinor: before + netOf(totalsOf(entry)) });
  }
  return [...books.values()];
}
