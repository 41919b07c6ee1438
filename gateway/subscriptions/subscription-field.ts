// The subscriptions of the graph: which events each carries, whom they belong to, and how one that is no longer kept is shown.
import type { AggregateType } from '../../subgraphs/shared/store/unit-of-work';

/** Events of one owner. */
export interface OwnedField {
  /** The type that the subscription answers. */
  type: string;
  /** Argument that names the owner of the events. */
  ownerArgument: string;
  /** Member of an event that holds the owner. */
  ownedBy: 'merchantId' | 'aggregateId';
  /** Events of the log that belong here. */
  aggregateType: AggregateType;
  /** `{ owner }` is null unless the caller may see that owner; `$id` is the value of `ownerArgument`. */
  ownerDocument: string;
}

/** Query field `eventsById(eventIds: [ID!]!)`: whatever it is about, in the order of the ids. */
export const eventsQuery = { name: 'eventsById', argument: 'eventIds', type: 'Event' } as const;

/** The subscription that carries the whole log, as far as its caller may see it. */
export const logField = 'events';

export const merchantDocument = 'query SubscriptionOwner($id: ID!) { owner: merchant(merchantId: $id) { __typename } }';

/** One line per subscription of one owner's events; a field of the schema that is neither here nor the log's is refused. */
export const ownedFields: Record<string, OwnedField> = {
  tokenEvents: {
    type: 'TokenEvent',
    ownerArgument: 'merchantId',
    ownedBy: 'merchantId',
    aggregateType: 'virtualAccount',
    ownerDocument: merchantDocument,
  },
  operationEvents: {
    type: 'OperationEvent',
    ownerArgument: 'merchantId',
    ownedBy: 'merchantId',
    aggregateType: 'payment',
    ownerDocument: merchantDocument,
  },
  onboardingEvents: {
    type: 'OnboardingEvent',
    ownerArgument: 'applicationId',
    ownedBy: 'aggregateId',
    aggregateType: 'application',
    ownerDocument: 'query SubscriptionOwner($id: ID!) { owner: onboardingApplication(id: $id) { __typename } }',
  },
  jobProgress: {
    type: 'JobEvent',
    ownerArgument: 'jobId',
    ownedBy: 'aggregateId',
    aggregateType: 'job',
    ownerDocument: 'query SubscriptionOwner($id: ID!) { owner: job(jobId: $id) { __typename } }',
  },
};

/** Type of the item that stands for events that are no longer kept. */
export const gapType = 'GAP';

/** A gap item has no event behind it: its id is the nil UUID, its sequence 0, its cursor a fresh one to resume from. */
export function gapItem(cursor: string, now: Date): Record<string, unknown> {
  return {
    __typename: 'PlainEvent',
    eventId: '00000000-0000-0000-0000-000000000000',
    sequence: 0,
    cursor,
    occurredAt: now.toISOString(),
    type: gapType,
  };
}
