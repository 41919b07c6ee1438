// What every event of the log shows in the graph, whatever it is about; what belongs to other domains is named by its key.
import type { AggregateType, EventRecord } from '../../shared/store/unit-of-work';
import { namesMerchant } from '../kinds/callback-kinds';

/** The type of the graph that shows the events of an aggregate. */
export const eventTypeNames = {
  virtualAccount: 'TokenEvent',
  payment: 'OperationEvent',
  application: 'OnboardingEvent',
  payout: 'PayoutEvent',
  ledger: 'LedgerEvent',
  callback: 'CallbackAttemptEvent',
  callbackEndpoint: 'CallbackEndpointEvent',
  job: 'JobEvent',
  audit: 'AuditEvent',
  merchant: 'PlainEvent',
  agreement: 'PlainEvent',
  client: 'PlainEvent',
} as const satisfies Record<AggregateType, string>;

/** What of an event's own members the graph shows. */
export const shownMembers = [
  ...(['_id', 'merchantId', 'aggregateType', 'aggregateId', 'sequence'] as const),
  ...(['type', 'occurredAt', 'requestId', 'position'] as const),
] as const;
/** The same of its data, of whatever it is about. A view can read nothing else. */
export const shownData = [
  ...(['operationId', 'operationType', 'operationResult', 'payoutId', 'ledgerEntryId'] as const),
  ...(['status', 'previousStatus', 'reason', 'number', 'result', 'httpStatus', 'durationMs', 'nextAt'] as const),
  ...(['action', 'subjectType', 'subjectId', 'merchantNumber', 'kind'] as const),
] as const;

/** Of an event as much as the graph shows. */
export type ShownEvent = Pick<EventRecord, (typeof shownMembers)[number]> & {
  data: Readonly<Partial<Record<(typeof shownData)[number], unknown>>>;
};

export interface EventView {
  /** Tells the types of the interface apart. */
  __typename: (typeof eventTypeNames)[AggregateType];
  eventId: string;
  sequence: number;
  cursor: string | null;
  occurredAt: Date;
  type: string;
  requestId: string | null;
  merchant: { merchantId: string } | null;
}

export function eventView(event: ShownEvent, printCursor: (position: number) => string): EventView {
  return {
    // What a newer release beside this one writes about is shown by what every event has.
    __typename: eventTypeNames[event.aggregateType] ?? 'PlainEvent',
    eventId: event._id,
    sequence: event.sequence,
    cursor: event.position === null ? null : printCursor(event.position),
    occurredAt: event.occurredAt,
    type: event.type,
    requestId: event.requestId,
    merchant: merchantOf(event),
  };
}

/** An application holds an id before there is a merchant; the number comes with the merchant itself. */
function merchantOf({ aggregateType, merchantId, data }: ShownEvent): EventView['merchant'] {
  const isHeldOnly = aggregateType === 'application' && typeof data['merchantNumber'] !== 'number';
  const isUnnamed = aggregateType === 'callback' && !namesMerchant(data['kind']);
  return merchantId === null || isHeldOnly || isUnnamed ? null : { merchantId };
}

/** A fact of an event's data when it is a text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
