// Payments and operations by what somebody has in hand: their ids, the number of the order, the contract, the card's last digits with its expiry, the payer's e-mail.
import type { Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { boundedList, endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { type Find, hitsOf, type SearchedCard } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { ofSlotOfIds } from '../../shared/store/of-slot';
import { cardKeyOf, cardKeysOf, emailKeyOf } from './search-keys';

interface SearchedPayment {
  _id: string;
  cardKey: number;
}

const newestFirst = { createdAt: -1, _id: -1 } as const;

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
    const idsOf = (records: Collection<SearchedPayment>, filter: object) =>
      boundedList(records, { ...tenant, ...filter } as Filter<SearchedPayment>, { projection: { _id: 1 }, limit: max });
    const newestOf = (filter: object) =>
      boundedList(payments, { ...tenant, ...filter } as Filter<SearchedPayment>, {
        projection: { _id: 1 },
        sort: newestFirst,
        limit: max,
      });
    const [own, operation, ordered, contracted, carded, mailed] = await Promise.all([
      uuid ? idsOf(payments, { _id: uuid, ...ofSlotOfIds([uuid], caller) }) : [],
      uuid ? idsOf(operations, { _id: uuid, ...ofSlotOfIds([uuid], caller) }) : [],
      isReference ? newestOf({ orderId: text }) : [],
      isReference ? newestOf({ contractId: text }) : [],
      card ? newestOf({ cardKey: { $in: await keysOf(caller, card) } }) : [],
      isEmail ? newestOf({ emailKey: emailKeyOf(text) }) : [],
    ]);
    return [
      ...hitsOf('Payment', 'ID', own),
      ...hitsOf('Operation', 'ID', operation),
      ...hitsOf('Payment', 'ORDER', ordered),
      ...hitsOf('Payment', 'CONTRACT', contracted),
      ...hitsOf('Payment', 'CARD', carded),
      ...hitsOf('Payment', 'EMAIL', mailed),
    ];
  };
}
