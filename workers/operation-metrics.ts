// What is kept for operators about each operation once its event has its place in the log: a figure by family, type and result, and one log line that leads from the request to the payment.
import type { Log } from '../subgraphs/shared/log/log';
import type { Metrics } from '../subgraphs/shared/log/metrics';
import type { EventRecord } from '../subgraphs/shared/store/unit-of-work';

export interface OperationMetrics {
  log: Log;
  metrics?: Pick<Metrics, 'operations'>;
}

type OperationEvent = Pick<
  EventRecord,
  '_id' | 'aggregateType' | 'aggregateId' | 'merchantId' | 'requestId' | 'type'
> & {
  data: Record<string, unknown>;
};

/** Events of other aggregates are left out. A technical failure is a warning: somebody should look when there are many. */
export function recordOperationMetrics({ log, metrics }: OperationMetrics, events: readonly OperationEvent[]): void {
  for (const event of events) {
    if (event.aggregateType !== 'payment') continue;
    const { family, operationType, operationResult, operationId, terminalId, additionalData } = event.data;
    const isExpiry = event.type === 'payment.expired';
    if (!isExpiry) {
      metrics?.operations.inc({ family: String(family), type: String(operationType), result: String(operationResult) });
    }
    const line = {
      requestId: event.requestId,
      eventId: event._id,
      eventType: event.type,
      merchantId: event.merchantId,
      paymentId: event.aggregateId,
      operationId,
      terminalId,
      operation: operationType,
      outcome: isExpiry ? 'EXPIRED' : operationResult,
      reason: (additionalData as { responseReason?: unknown } | undefined)?.responseReason,
    };
    if (!isExpiry && operationResult === 'FAILED') log.warn(line, 'an operation failed for a technical reason');
    else if (!isExpiry && operationResult === 'PENDING') log.info(line, 'an operation waits for its outcome');
    else log.info(line, isExpiry ? 'an authorization expired' : 'an operation has its result');
  }
}
