// An event of a payment as the graph shows it: what happened to which operation.
import {
  type OperationResult,
  type OperationType,
  operationResults,
  operationTypes,
} from '../../shared/vocabulary/operation';
import { wordOf } from '../../shared/vocabulary/word-of';
import { type EventView, eventView, type ShownEvent } from './event-view';

export interface OperationEventView extends EventView {
  operationType: OperationType | null;
  operationResult: OperationResult | null;
  operation: { operationId: string } | null;
  payment: { paymentId: string } | null;
}

/** Null for an event of something else. */
export function operationEventView(
  event: ShownEvent,
  printCursor: (position: number) => string,
): OperationEventView | null {
  if (event.aggregateType !== 'payment') return null;
  const { operationId, operationType, operationResult } = event.data;
  // Added to and not copied: this is made for every event that is told.
  return Object.assign(eventView(event, printCursor), {
    operationType: wordOf(operationTypes, operationType),
    operationResult: wordOf(operationResults, operationResult),
    operation: typeof operationId === 'string' ? { operationId } : null,
    payment: { paymentId: event.aggregateId },
  });
}
