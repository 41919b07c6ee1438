// Payments and operations by what somebody has in hand: their ids, the number of the order, the contract.
import type { Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { type Find, hitsOf } from '../../shared/search';
import { boundedList } from '../../shared/store/bounded-list';

interface Searched {
  _id: string;
}

const newestFirst = { createdAt: -1, _id: -1 } as const;

/** Each look-up goes by one index, whoever asks. */
export function createPaymentSearch(connection: Connection): Find {
  const payments = connection.collection('payments') as unknown as Collection<Searched>;
  const operations = connection.collection('operations') as unknown as Collection<Searched>;

  return async (caller, { text, isUuid, isReference }, max) => {
    const tenant = tenantFilter(caller);
    const idsOf = (records: Collection<Searched>, filter: object) =>
      boundedList(records.find({ ...tenant, ...filter } as Filter<Searched>, { projection: { _id: 1 } }).limit(max));
    const newestOf = (filter: object) =>
      boundedList(
        payments
          .find({ ...tenant, ...filter } as Filter<Searched>, { projection: { _id: 1 } })
          .sort(newestFirst)
          .limit(max),
      );
    const [own, operation, ordered, contracted] = await Promise.all([
      isUuid ? idsOf(payments, { _id: text }) : [],
      isUuid ? idsOf(operations, { _id: text }) : [],
      isReference ? newestOf({ orderId: text }) : [],
      isReference ? newestOf({ contractId: text }) : [],
    ]);
    return [
      ...hitsOf('Payment', 'ID', own),
      ...hitsOf('Operation', 'ID', operation),
      ...hitsOf('Payment', 'ORDER', ordered),
      ...hitsOf('Payment', 'CONTRACT', contracted),
    ];
  };
}
