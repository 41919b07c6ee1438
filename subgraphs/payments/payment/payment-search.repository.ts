// Payments and operations by what somebody has in hand: their ids, the number of the order or its beginning, the contract, the card's last digits with its expiry, the payer's e-mail.
import type { Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { boundedList, endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { type Find, hitsOf, type SearchedCard } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { ofSlotOfIds } from '../../shared/store/of-slot';
import type { FindAllOptions } from '../../shared/store/reading';
import { cardKeyOf, cardKeysOf, emailKeyOf } from './search-keys';

interface SearchedPayment {
  _id: string;
  cardKey: number;
}

const newestFirst = { createdAt: -1, _id: -1 } as const;
/** Along the index of orders, which names no account. */
const byOrder = { environment: 1, orderId: 1, merchantId: 1, createdAt: -1, _id: -1 } as const;
/** Fewer characters begin too many numbers to tell one by. */
const beginningMin = 4;
/** Behind whatever begins like the text. */
const last = '\u{10ffff}';

/** Each look-up goes by one index, whoever asks. */
export function createPaymentSearch(connection: Connection): Find {
  const payments = collectionOf<SearchedPayment>(connection, 'payments');
  const operations = collectionOf<SearchedPayment>(connection, 'operations');

  /** One key for each account, so that the newest are read along the index, whoever else has paid with a card like it. */
  const keysOf = ({ environment, accountId }: Caller, card: SearchedCard): Promise<number[]> | number[] =>
    accountId === null
      ? endedInTime(payments.distinct('cardKey', { cardKey: cardKeysOf(card) }, { maxTimeMS: listMsMax }))
      : [cardKeyOf(card, { environment, accountId })];

  return async (caller, { text, uuid, isReference, card, isEmail }, max) => {
    const tenant = tenantFilter(caller);
    const idsOf = (records: Collection<SearchedPayment>, filter: object, ordered: Pick<FindAllOptions, 'sort'> = {}) =>
      boundedList(records, { ...tenant, ...filter } as Filter<SearchedPayment>, {
        projection: { _id: 1 },
        limit: max,
        ...ordered,
      });
    const newestOf = (filter: object) => idsOf(payments, filter, { sort: newestFirst });
    // Of one account the beginning would lead past the orders of all others.
    const isBeginning = caller.accountId === null && uuid === null && isReference && text.length >= beginningMin;
    const [own, operation, ordered, begun, contracted, carded, mailed] = await Promise.all([
      uuid ? idsOf(payments, { _id: uuid, ...ofSlotOfIds([uuid], caller) }) : [],
      uuid ? idsOf(operations, { _id: uuid, ...ofSlotOfIds([uuid], caller) }) : [],
      isReference ? newestOf({ orderId: text }) : [],
      isBeginning ? idsOf(payments, { orderId: { $gte: text, $lt: text + last } }, { sort: byOrder }) : [],
      isReference ? newestOf({ contractId: text }) : [],
      card ? newestOf({ cardKey: { $in: await keysOf(caller, card) } }) : [],
      isEmail ? newestOf({ emailKey: emailKeyOf(text) }) : [],
    ]);
    return [
      ...hitsOf('Payment', 'ID', own),
      ...hitsOf('Operation', 'ID', operation),
      ...hitsOf('Payment', 'ORDER', ordered),
      ...hitsOf('Payment', 'ORDER_BEGINNING', begun),
      ...hitsOf('Payment', 'CONTRACT', contracted),
      ...hitsOf('Payment', 'CARD', carded),
      ...hitsOf('Payment', 'EMAIL', mailed),
    ];
  };
}
