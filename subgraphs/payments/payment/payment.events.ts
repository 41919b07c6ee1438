// Events of a payment, ready for the log: one per operation and per change of its result, each with the operation as it is printed (merchant notification, Events).
import { withoutAbsent } from '../../shared/present-members';
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
import type { Operation, Printed } from '../operations/operation';
import type { Payment } from './payment';

/** `operation.recorded`: new. `operation.resultChanged`: PENDING became final. `payment.expired`: its authorization died. */
const paymentEventTypes = ['operation.recorded', 'operation.resultChanged', 'payment.expired'] as const;
type PaymentEventType = (typeof paymentEventTypes)[number];

/** The operations of one unit of work as events that bring the payment to its present sequence. */
export function operationEvents(requestId: string, payment: Payment, printed: readonly Printed[]): NewEvent[] {
  return printed.map(({ operation, change }, index) =>
    paymentEvent(requestId, payment, {
      type: `operation.${change}`,
      operation,
      sequence: payment.sequence - printed.length + 1 + index,
    }),
  );
}

export function expiryEvent(requestId: string, payment: Payment, authorization: Operation): NewEvent {
  return paymentEvent(requestId, payment, {
    type: 'payment.expired',
    operation: authorization,
    sequence: payment.sequence,
  });
}

function paymentEvent(
  requestId: string,
  payment: Payment,
  { type, operation, sequence }: { type: PaymentEventType; operation: Operation; sequence: number },
): NewEvent {
  return {
    _id: newEventId(payment),
    environment: payment.environment,
    accountId: payment.accountId,
    merchantId: payment.merchantId,
    aggregateType: 'payment',
    aggregateId: payment.paymentId,
    sequence,
    type,
    version: 1,
    occurredAt: payment.updatedAt,
    requestId,
    data: operationEventData(payment, operation),
  };
}

/** All that a notification is made of. Amounts are decimal-free strings, times ISO 8601 in UTC; what is absent has no key. */
export function operationEventData(payment: Payment, operation: Operation): Record<string, unknown> {
  const { notification, state } = payment;
  return withoutAbsent({
    operationId: operation.operationId,
    orderId: operation.orderId,
    paymentId: operation.paymentId,
    sessionId: operation.sessionId,
    terminalId: operation.terminalId,
    family: operation.family,
    channel: operation.channel,
    channelDetail: operation.channelDetail,
    operationType: operation.type,
    operationResult: operation.result,
    operationTime: operation.time.toISOString(),
    operationAmount: operation.amountMinor.toString(),
    operationCurrency: operation.currency,
    paymentMethod: operation.method,
    paymentCircuit: operation.circuit,
    paymentInstrumentInfo: operation.instrumentInfo,
    paymentEndToEndId: operation.endToEndId,
    cancelledOperationId: operation.cancelledOperationId,
    parentOperationId: operation.parentOperationId,
    omnichannelId: operation.omnichannelId,
    paymentLinkId: operation.paymentLinkId,
    customerInfo: operation.customerInfo,
    warnings: operation.warnings,
    additionalData: operation.additionalData,
    notificationUrl: notification?.url,
    securityTokenSealed: notification?.securityToken,
    state,
    ...merchantReferences(payment),
  });
}

/** What the merchant calls the payment in its own books: family A's reconciliationReference, family B's invoiceid (reporting interface, myReference and invoiceNumber). */
function merchantReferences({ family, details }: Payment): Record<'myReference' | 'invoiceNumber', unknown> {
  const order = details['order'] as { invoiceid?: string } | undefined;
  const myReference = family === 'paymentService' ? details['reconciliationReference'] : undefined;
  return { myReference, invoiceNumber: order?.invoiceid };
}
