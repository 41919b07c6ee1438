// Journal entries and totals as the product keeps them, in the numbers that a benchmark wants; settled and read through the running program.
import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { slotOf } from '../../subgraphs/shared/store/slot';
import type { Product } from './product';

const insertedAtOnce = 2_000;

/** Charges of one book, one minor unit each, on one day. */
function entryOf(book: Book, serial: number): { _id: string } & Record<string, unknown> {
  const at = new Date(`${book.day}T12:00:00Z`);
  return {
    _id: randomUUID(),
    ...book,
    slot: slotOf(book),
    serial,
    position: serial,
    action: 'CHARGE',
    occurredAt: at,
    actionId: randomUUID(),
    amountMinor: 100n,
    flexibleFeeMinor: 1n,
    fixedFeeMinor: 0n,
    paymentId: randomUUID(),
    paymentMethod: 'VISA',
    paymentType: 'CARD',
    reference: `order-${serial}`,
    postings: [
      { account: 'acquirerReceivable', minor: 100n },
      { account: 'merchantPayable', minor: -99n },
      { account: 'feeIncome', minor: -1n },
    ],
  };
}

export interface Book {
  environment: 'sandbox';
  accountId: string;
  merchantId: string;
  currency: string;
  day: string;
}

export function bookOf({ credentials }: Product, currency: string, day: string): Book {
  const { merchantId } = credentials.tenants.alpha;
  return { environment: 'sandbox', accountId: 'alpha', merchantId, currency, day };
}

/** Books of so many merchants with one open entry each. */
export async function openBooks(database: Db, book: Book, count: number): Promise<void> {
  const books = Array.from({ length: count }, () => ({ ...book, merchantId: randomUUID() }));
  await database.collection('journal_entries').insertMany(books.map((one) => entryOf(one, 1)) as never[]);
  const kept = { serial: 1, balanceMinor: 99n };
  const rows = books.map(({ day: _day, ...one }) => ({ _id: bookId(one), ...one, slot: slotOf(one), ...kept }));
  await database.collection('journal_books').insertMany(rows as never[]);
}

function bookId({ environment, merchantId, currency }: Omit<Book, 'day'>): string {
  return `${environment}:${merchantId}:${currency}`;
}

/** Inserts as the feed does, majority and journal, in batches; entries per second. */
export async function insertEntries(into: Collection, book: Book, count: number): Promise<number> {
  const from = performance.now();
  for (let serial = 1; serial <= count; serial += insertedAtOnce) {
    const size = Math.min(insertedAtOnce, count - serial + 1);
    const batch = Array.from({ length: size }, (_, index) => entryOf(book, serial + index));
    await into.insertMany(batch as never[], { ordered: true, writeConcern: { w: 'majority', j: true } });
  }
  return (count * 1_000) / (performance.now() - from);
}

/** Tells the program of the book, so that a settlement finds its open serials. */
export async function openBook(database: Db, { day: _day, ...book }: Book, serial: number): Promise<void> {
  const _id = bookId(book) as never;
  await database
    .collection('journal_books')
    .replaceOne({ _id }, { ...book, slot: slotOf(book), serial }, { upsert: true });
}

/** Closes a day by the lever, which must make so many payouts; seconds. */
export async function settle({ credentials }: Product, date: string, payouts = 1): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${credentials.urls.rest}/sandbox/settlement`, {
    method: 'POST',
    headers: { 'x-sandbox-key': credentials.sandboxKey, 'content-type': 'application/json' },
    body: JSON.stringify({ date }),
  });
  const text = await answer.text();
  if (answer.status !== 200 || text !== JSON.stringify({ payouts }))
    throw new Error(`settlement answered ${answer.status}: ${text}`);
  return (performance.now() - from) / 1_000;
}

/** A report that must be 200, by the merchant's or the partner's key. */
export async function report({ credentials }: Product, path: string, key: 'merchantApiKey' | 'partnerApiKey') {
  const { reporting } = credentials.tenants.alpha;
  const answer = await fetch(`${credentials.urls.rest}/report/v1/${path}`, {
    headers: { authorization: reporting[key] },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
