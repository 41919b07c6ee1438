// Which members of a payment the graph's fields show, for look-ups that read no more than that. What is decided by the whole payment, such as its actions, is not here.
import type { ShownBy } from '../../shared/graph/shown-members';
import type { Payment } from './payment';

export type PaymentMember = Exclude<keyof Payment, 'paymentId' | 'feeMinor' | 'entries' | 'underway'>;

/** Always there: whose it is. */
export type PaymentPart = Pick<Payment, 'paymentId' | 'accountId' | 'merchantId'> & Partial<Payment>;

const named = ['terminalId', 'family', 'orderId', 'state', 'currency', 'captureType', 'contractId'] as const;
const times = ['authorizationExpiresAt', 'captureDueAt', 'createdAt', 'updatedAt'] as const;

export const paymentShownBy: ShownBy<PaymentMember> = {
  sameName: [...named, ...times],
  others: {
    __typename: [],
    id: [],
    paymentId: [],
    merchantId: [],
    merchant: [],
    terminal: ['terminalId'],
    amount: ['amountMinor'],
    authorizedAmount: ['authorizedMinor'],
    capturedAmount: ['capturedMinor'],
    refundedAmount: ['refundedMinor'],
    money: ['amountMinor', 'authorizedMinor', 'capturedMinor', 'refundedMinor', 'currency'],
    instrumentInfo: ['instrument'],
    operations: [],
    checkoutSessions: [],
  },
};
