// What every event of the log shows in the graph, whatever it is about; what belongs to other domains is named by its key.
import type { EventRecord } from '../../shared/store/outbox';

export interface EventView {
  eventId: string;
  sequence: number;
  cursor: string | null;
  occurredAt: Date;
  type: string;
  requestId: string | null;
  merchant: { merchantId: string } | null;
}

export function eventView(event: EventRecord, printCursor: (position: number) => string): EventView {
  return {
    eventId: event._id,
    sequence: event.sequence,
    cursor: event.position === null ? null : printCursor(event.position),
    occurredAt: event.occurredAt,
    type: event.type,
    requestId: event.requestId,
    merchant: event.merchantId === null ? null : { merchantId: event.merchantId },
  };
}

/** A fact of an event's data when it is a text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
