// A visit with its payment and the parts of its card, by one command: what paying begins with (hosted checkout; build and finalize).
import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Caller } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedReader, hasFields } from '../../shared/store/grouped-reader';
import { checkoutSessionsCollection } from '../collections';
import { ownFilter } from '../operations/operation.repository';
import type { Payment } from '../payment/payment';
import { paymentOf, paymentsCollection, type StoredPayment } from '../payment/payment.repository';
import type { CardEntry } from './card-entry';
import { cardEntriesCollection, heldAt, type StoredCardEntry } from './card-entry.repository';
import type { CheckoutSession } from './checkout-session';
import { type StoredSession, sessionOf } from './checkout-session.repository';

export interface Visit {
  session: CheckoutSession;
  payment: Payment | null;
  held: CardEntry | null;
}

type StoredVisit = StoredSession & { payments: StoredPayment[]; cards: StoredCardEntry[] };

/** Both lie where the visit does. */
function beside(slots: { slot?: object }): Document[] {
  const pipeline = [{ $match: slots }];
  return [
    { $lookup: { from: paymentsCollection, localField: 'paymentId', foreignField: '_id', pipeline, as: 'payments' } },
    { $lookup: { from: cardEntriesCollection, localField: '_id', foreignField: '_id', pipeline, as: 'cards' } },
  ];
}

export type VisitRepository = ReturnType<typeof createVisitRepository>;

export function createVisitRepository(connection: Connection) {
  const readOne = createGroupedReader<StoredVisit>(collectionOf(connection, checkoutSessionsCollection), { beside });
  return {
    /** Null when it is absent or belongs to somebody else. */
    async find(caller: Caller, sessionId: string, now: Date): Promise<Visit | null> {
      const own = ownFilter(caller);
      const found = await readOne(sessionId, own);
      if (!found) return null;
      const {
        payments: [payment],
        cards: [card],
        ...session
      } = found;
      return {
        session: sessionOf(session),
        payment: payment && hasFields(payment, own) ? paymentOf(payment) : null,
        held: card ? heldAt(card, now) : null,
      };
    },
  };
}
