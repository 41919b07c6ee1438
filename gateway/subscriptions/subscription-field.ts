// The subscriptions of the graph: which events each carries, which query completes an event, and whom it belongs to.
import type { AggregateType } from '../../subgraphs/shared/store/outbox';

export interface SubscriptionField {
  /** Query field `<eventQuery>(eventId: ID!)` of the same type as the subscription's. */
  eventQuery: string;
  /** Argument that names the owner of the events. */
  ownerArgument: string;
  /** Member of an event that holds the owner. */
  ownedBy: 'merchantId' | 'aggregateId';
  /** Events of the log that belong here. */
  aggregateType: AggregateType;
  /** `{ owner }` is null unless the caller may see that owner; `$id` is the value of `ownerArgument`. */
  ownerDocument: string;
}

const merchantDocument = 'query SubscriptionOwner($id: ID!) { owner: merchant(merchantId: $id) { __typename } }';

/** One line per subscription field; a field of the schema that is not here is refused. */
export const subscriptionFields: Record<string, SubscriptionField> = {
  tokenEvents: {
    eventQuery: 'tokenEvent',
    ownerArgument: 'merchantId',
    ownedBy: 'merchantId',
    aggregateType: 'virtualAccount',
    ownerDocument: merchantDocument,
  },
  operationEvents: {
    eventQuery: 'operationEvent',
    ownerArgument: 'merchantId',
    ownedBy: 'merchantId',
    aggregateType: 'payment',
    ownerDocument: merchantDocument,
  },
  onboardingEvents: {
    eventQuery: 'onboardingEvent',
    ownerArgument: 'applicationId',
    ownedBy: 'aggregateId',
    aggregateType: 'application',
    ownerDocument: 'query SubscriptionOwner($id: ID!) { owner: onboardingApplication(id: $id) { __typename } }',
  },
};

/** Type of the item that stands for events that are no longer kept. */
const gapType = 'GAP';

/** A gap item has no event behind it: its id is the nil UUID, its sequence 0, its cursor a fresh one to resume from. */
export function gapItem(cursor: string, now: Date): Record<string, unknown> {
  return {
    eventId: '00000000-0000-0000-0000-000000000000',
    sequence: 0,
    cursor,
    occurredAt: now.toISOString(),
    type: gapType,
  };
}
