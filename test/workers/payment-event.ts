// An event of a payment as the money core writes it, for the tests of notifications.

import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';

/** What the merchant got at the start of the session. */
export const securityToken = '0123456789abcdef0123456789abcdef';

const operation = {
  operationId: '',
  paymentId: '',
  orderId: 'order-1',
  channel: 'ECOMMERCE',
  family: 'checkout',
  operationType: 'AUTHORIZATION',
  operationResult: 'AUTHORIZED',
  operationTime: '2026-11-21T11:00:00.500Z',
  operationAmount: '3545',
  operationCurrency: 'EUR',
  paymentMethod: 'CARD',
  paymentCircuit: 'VISA',
  paymentInstrumentInfo: '424242******4242',
  customerInfo: { cardHolderName: 'Ada "{securityToken}" Lovelace' },
  warnings: [],
  additionalData: { authorizationCode: '123456' },
  state: 'Authorized',
  terminalId: 'terminal-1',
};

/** An authorization of its own payment, told to `notificationUrl`. */
export function paymentEventOf(
  { sealed, notificationUrl }: { sealed: Sealed; notificationUrl: string },
  partial: Partial<NewEvent> = {},
): Partial<NewEvent> {
  const [paymentId, operationId] = [newId(), newId()];
  return {
    type: 'operation.recorded',
    aggregateType: 'payment',
    aggregateId: paymentId,
    occurredAt: new Date('2026-11-21T11:00:01Z'),
    ...partial,
    data: {
      ...operation,
      operationId,
      paymentId,
      securityTokenSealed: sealed,
      notificationUrl,
      ...partial.data,
    },
  };
}
