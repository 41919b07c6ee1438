// What the graph says of each word of operations.
import { graphEnum } from '../graph/graph-enum';
import { operationResults, operationTypes, paymentMethods } from './operation';

export const OperationTypes = graphEnum(operationTypes, {
  name: 'OperationType',
  description: 'What is done to a payment.',
  values: {
    AUTHORIZATION: "Reserves an amount on the payer's card or account.",
    CAPTURE: 'Takes what was reserved, in whole or in part.',
    REFUND: 'Gives back what was taken, in whole or in part.',
    CANCEL: 'Releases what was reserved, or breaks the payment off.',
    NOSHOW: 'Charges a guest who did not come, without the payer.',
    INCREMENTAL: 'Reserves more on top of an authorization.',
    DELAY_CHARGE: 'Charges later for what was used, without the payer.',
    CARD_VERIFICATION: 'Checks that a card is good without taking money.',
    CARD_CHECK: 'Authenticates a card that is to be charged later.',
    VOID: 'Undoes the last operation before money moved between banks.',
  },
});

export const OperationResults = graphEnum(operationResults, {
  name: 'OperationResult',
  description: 'What came of an operation.',
  values: {
    AUTHORIZED: 'The issuer reserved the amount.',
    EXECUTED: 'The capture took the money.',
    DECLINED: 'The issuer or the method said no.',
    DENIED_BY_RISK: 'The check for fraud stopped it.',
    DENIED: 'A later step, such as a capture or refund, was refused.',
    THREEDS_VALIDATED: 'The payer proved to be the cardholder; nothing was charged yet.',
    THREEDS_FAILED: 'The payer did not prove to be the cardholder.',
    PENDING: 'The final result is not known yet.',
    CANCELED: 'The payer or the merchant broke it off.',
    VOIDED: 'The reservation was released or the capture undone.',
    REFUNDED: 'The money went back to the payer.',
    FAILED: 'It failed for a technical reason.',
  },
});

export const PaymentMethods = graphEnum(paymentMethods, {
  name: 'PaymentMethod',
  description: 'APM: any alternative method.',
  values: {
    CARD: 'Paid with a card.',
    APM: 'Paid with an alternative method, such as PAYPAL.',
  },
});
