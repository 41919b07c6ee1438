// The money record: one authorization, capture, refund, cancel ... with its result, as both families of the payment interface show it (Operation object).
import type { Environment } from '../../shared/callers/caller';
import type { OperationResult, OperationType, PaymentMethod } from '../../shared/vocabulary/operation';

export const channels = ['ECOMMERCE', 'POS', 'BACKOFFICE'] as const;
export type Channel = (typeof channels)[number];

/** `paymentService`: the payment service. `checkout`: the hosted checkout. */
export const paymentFamilies = ['paymentService', 'checkout'] as const;
export type PaymentFamily = (typeof paymentFamilies)[number];

export interface Warning {
  code: string;
  description: string;
}

/** The call to the acquirer or to a method that an operation came of. */
export interface OperationCall {
  callId: string;
  /** How its outcome became known: by the call itself, or because somebody asked after it was lost. */
  step: (typeof operationCallSteps)[number];
  /** Who asked by which idempotency key, hashed; absent without a key. */
  requestKey?: string;
}
export const operationCallSteps = ['CALLED', 'ASKED'] as const;

export interface Operation {
  /** A UUID; family A calls it transactionRef. */
  operationId: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  terminalId: string | null;
  family: PaymentFamily;
  paymentId: string;
  sessionId: string | null;
  /** Family B's orderId; family A's paymentNumber. */
  orderId: string | null;
  channel: Channel;
  /** Finer than channel, for example `HOSTED_PAGE`, `FIELDS`, `POST_OPERATION`, `MIT`, `TERMINAL`. */
  channelDetail: string | null;
  type: OperationType;
  result: OperationResult;
  /** On the one clock; of the last change of result. */
  time: Date;
  amountMinor: bigint;
  currency: string;
  method: PaymentMethod;
  /** Open list: VISA, MC, AMEX, PAYPAL, MYBANK ... */
  circuit: string | null;
  /** Masked. */
  instrumentInfo: string | null;
  /** Circuit-defined unique transaction identifier. */
  endToEndId: string | null;
  /** The operation that this one acts on: a capture's authorization, a refund's capture. */
  parentOperationId: string | null;
  /** The operation that this one undoes (VOID, CANCEL). */
  cancelledOperationId: string | null;
  omnichannelId: string | null;
  paymentLinkId: string | null;
  customField: string | null;
  description: string | null;
  /** Who asked and why, for operations of the back office. */
  reason: string | null;
  contractId: string | null;
  contractType: string | null;
  installmentQty: number | null;
  customerInfo: Record<string, unknown> | null;
  warnings: Warning[];
  additionalData: Record<string, unknown>;
  /** Absent where nobody was asked, where the call has a record of its own, and in records of a former release. */
  call?: OperationCall;
  createdAt: Date;
}

/** `recorded`: a new operation. `resultChanged`: a PENDING one got its final result. */
export interface Printed {
  operation: Operation;
  change: 'recorded' | 'resultChanged';
}
