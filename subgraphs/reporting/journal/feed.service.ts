// The feed: reads the event log in the order of positions and books each event once, a batch in one transaction with its checkpoint (reporting interface; decision register 2.3).
import type { Environment } from '../../shared/callers/caller';
import { addTotals, nothing, totalsOf } from '../balances/balance';
import { book, type LoggedEvent } from './booking';
import { bookId, type JournalEntry } from './journal';
import { holderOf, type JournalBatch, type JournalRepository } from './journal.repository';

/** What the feed must know of the event log; the notifications domain answers. */
export interface ReadLog {
  read(range: {
    environment: Environment;
    afterPosition: number;
    limit: number;
    upTo?: number;
  }): Promise<LoggedEvent[]>;
  tailPosition(): Promise<number>;
  /** Events that have no position yet, oldest first. */
  unpositioned(limit: number): Promise<{ _id: string }[]>;
  stillUnpositioned(eventIds: readonly string[]): Promise<Set<string>>;
}

export interface FeedDeps {
  journal: JournalRepository;
  log: Pick<ReadLog, 'read'>;
  environment: Environment;
  /** In which the batch is written; one of its own without it. */
  session?: JournalBatch['session'];
}

export interface Fed {
  /** Events read, whether or not they moved money. */
  events: number;
  /** As many as a batch takes: more may wait. */
  isFull: boolean;
  /** Everything up to here is booked. */
  position: number;
}

export const feedBatchMax = 500;

/** Books the next batch; `upTo` bounds it by position. Without events, or when another process was faster, it books nothing and says where it stands. */
export async function bookNext({ journal, log, environment, session }: FeedDeps, upTo?: number): Promise<Fed> {
  const from = await journal.checkpoint(environment);
  const events = await log.read({ environment, afterPosition: from, limit: feedBatchMax, ...(upTo ? { upTo } : {}) });
  const last = events.at(-1);
  if (!last) return { events: 0, isFull: false, position: from };
  const merchantIds = [
    ...new Set(events.flatMap(({ merchantId, type }) => (merchantId && isMoney(type) ? [merchantId] : []))),
  ];
  const state = await journal.bookingState(environment, merchantIds);
  const termsBefore = new Map(state.terms);
  const entries = events.filter(({ type }) => isMoney(type)).flatMap((event) => book(event, state) ?? []);
  const batch: JournalBatch = {
    environment,
    from,
    to: last.position,
    entries,
    days: daysOf(entries),
    books: booksOf(entries, state.serials),
    terms: [...state.terms].filter(([id, terms]) => termsBefore.get(id) !== terms).map(([, terms]) => terms),
    session,
  };
  const isMine = await journal.commit(batch);
  if (!isMine) return { events: 0, isFull: false, position: from };
  return { events: events.length, isFull: events.length === feedBatchMax, position: last.position };
}

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

function booksOf(entries: readonly JournalEntry[], serials: ReadonlyMap<string, number>): JournalBatch['books'] {
  const books = new Map<string, JournalBatch['books'][number]>();
  for (const { environment, accountId, merchantId, currency, serial } of entries) {
    if (serial === null) continue;
    const owner = { environment, accountId, merchantId, currency };
    const id = bookId(owner);
    books.set(id, { ...owner, serial: serials.get(id) ?? serial });
  }
  return [...books.values()];
}
