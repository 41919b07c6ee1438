// Rows of every collection that a list of the graph reads, as the database keeps them; each value that a filter asks for is had by a few rows and by many.
import { makers } from './row-makers';
import { crowded, merchants, type Place, rowId, timeOf } from './row-place';

export type Row = { _id: string } & Record<string, unknown>;

/** The tenant and the merchant that callers of their own are of: a tenth and a twentieth of all rows. */
export const own = { accountId: 'account-0', merchantId: 'merchant-0' } as const;

const accounts = 10;
/** Fewer than a page: whoever looks for a page of them along the order reads everything. */
const rareCount = 5;
const batch = 2_000;

export type Kept = keyof typeof makers;
export const keptCollections = Object.keys(makers) as Kept[];

/** Rows of a collection, in batches. */
export function* rowsOf(collection: Kept, count: number): Generator<Row[]> {
  for (let from = 0; from < count; from += batch)
    yield Array.from({ length: Math.min(batch, count - from) }, (_, index) => rowOf(collection, from + index));
}

function rowOf(collection: Kept, index: number): Row {
  const isRare = index < rareCount;
  const place: Place = {
    index,
    accountId: `account-${index % accounts}`,
    isRare,
    at: timeOf(index),
    word: (name) => (isRare ? 'rare' : `${name}-${index % merchants === 0 ? 0 : index}`),
    single: (name) => (isRare ? 'rare' : `${name}-${index}`),
    parent: (name, id = rowId(crowded)) => (isRare ? 'rare' : index % merchants === 0 ? id : `${name}-${index}`),
  };
  const owner = {
    environment: 'sandbox',
    accountId: place.accountId,
    merchantId: place.word('merchant'),
  };
  const _id = idOf(collection, index);
  return { _id, ...owner, ...makers[collection](place) };
}

function idOf(collection: Kept, index: number): string {
  if (collection === 'onboarding_applications') return String(index + 1);
  return collection === 'accounts' ? `account-${index}` : rowId(index);
}
