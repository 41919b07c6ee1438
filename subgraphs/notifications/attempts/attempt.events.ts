// The fact that an attempt to deliver a callback was made and came out so, as it is written to the event log.
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
import type { Attempt } from '../callbacks/callback';
import type { LogEntry } from '../callbacks/due-callback.repository';

/** What the event says of its callback. `sequence`: of the last event about it; absent where there is none. */
export type TellingRow = Pick<
  LogEntry,
  '_id' | 'environment' | 'accountId' | 'merchantId' | 'kind' | 'endpointId' | 'eventId' | 'sequence'
> & { requestId?: string };

export const tellingProjection = {
  environment: 1,
  accountId: 1,
  merchantId: 1,
  kind: 1,
  endpointId: 1,
  eventId: 1,
  requestId: 1,
  sequence: 1,
} as const;

/** With the next sequence: attempts of a callback that are not told leave no gap. */
export function attemptEvent(
  row: TellingRow,
  { number, result, status, durationMs, nextAt }: Omit<Attempt, 'at' | 'excerpt' | 'isManual'>,
  occurredAt: Date,
): NewEvent {
  const { _id: callbackId, environment, accountId, merchantId, kind, endpointId, eventId, requestId = eventId } = row;
  return {
    _id: newEventId(row),
    environment,
    accountId,
    merchantId,
    aggregateType: 'callback',
    aggregateId: callbackId,
    sequence: (row.sequence ?? 0) + 1,
    type: 'callback.attempted',
    version: 1,
    occurredAt,
    requestId,
    data: { callbackId, endpointId, kind, number, result, httpStatus: status, durationMs, nextAt },
  };
}
