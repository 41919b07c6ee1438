// What a merchant calls a payment in its own books, on the way from its request to the report (payment service, reconciliationReference; hosted checkout, invoiceid; reporting interface, myReference and invoiceNumber).
import type { Operation } from '../../subgraphs/payments/operations/operation';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { operationEventData } from '../../subgraphs/payments/payment/payment.events';
import { book } from '../../subgraphs/reporting/journal/booking';

const operation = {
  operationId: 'o',
  type: 'CAPTURE',
  result: 'EXECUTED',
  time: new Date(0),
  amountMinor: 100n,
  currency: 'EUR',
  method: 'CARD',
  circuit: 'VISA',
} as Operation;

test.each<[string, Pick<Payment, 'family' | 'details'>, object]>([
  [
    'reconciliationReference',
    { family: 'paymentService', details: { reconciliationReference: 'BOOK-7' } },
    { myReference: 'BOOK-7' },
  ],
  ['nothing', { family: 'paymentService', details: { reconciliationReference: null } }, {}],
  ['invoiceid', { family: 'checkout', details: { order: { invoiceid: 'INV_7' } } }, { invoiceNumber: 'INV_7' }],
  ['nothing of an order', { family: 'checkout', details: { order: {} } }, {}],
])('%s is booked with the money', (_name, said, expected) => {
  const data = operationEventData({ ...said, notification: null, state: 'Captured' } as Payment, operation);
  const entry = book(
    {
      _id: 'e',
      environment: 'sandbox',
      accountId: 'a',
      merchantId: 'm',
      occurredAt: new Date(0),
      position: 1,
      type: 'operation.recorded',
      data,
    },
    { terms: new Map(), serials: new Map() },
  );
  const { myReference, invoiceNumber } = entry ?? {};
  expect({ myReference, invoiceNumber }).toEqual({ myReference: undefined, invoiceNumber: undefined, ...expected });
});
