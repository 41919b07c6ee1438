// The payment: one intent to move money, the aggregate behind a payment of family A and behind an order of family B (payment interface; 2.2-A of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import type { OperationResult, OperationType } from '../../shared/vocabulary/operation';
import type { Operation, PaymentFamily } from '../operations/operation';
import type { AcquirerCall } from './acquirer-call';
import type { Instrument } from './instrument';

export const paymentStates = [
  'Created',
  'PendingCustomer',
  'PendingAuthentication',
  'Verified',
  'Authorized',
  'PartiallyCaptured',
  'Captured',
  'PartiallyRefunded',
  'Refunded',
  'Cancelled',
  'Declined',
  'Failed',
  'Expired',
  'Unknown',
] as const;
export type PaymentState = (typeof paymentStates)[number];

/** IMPLICIT: captured with the authorization. DEFERRED: captured after the terminal's delay. FILE: captured by a batch. */
export const captureTypes = ['IMPLICIT', 'EXPLICIT', 'DEFERRED', 'FILE'] as const;
export type CaptureType = (typeof captureTypes)[number];

/** What the aggregate keeps of each operation, so that every decision is made on the aggregate alone. */
export interface PaymentEntry {
  operationId: string;
  type: OperationType;
  result: OperationResult;
  amountMinor: bigint;
  parentOperationId: string | null;
  cancelledOperationId: string | null;
  /** On the one clock; a capture can be cancelled on its own day (+01:00). */
  time: Date;
}

/** After one of these, whatever came of it, nothing is captured by itself any more: the merchant has taken over. */
export const takingOver: ReadonlySet<OperationType> = new Set<OperationType>(['CAPTURE', 'VOID']);

export interface PaymentNotification {
  url: string;
  /** Of the session, sealed for the account; opened only when a notification is sent. */
  securityToken: Sealed;
}

export interface Payment {
  /** A UUID. */
  paymentId: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  terminalId: string | null;
  family: PaymentFamily;
  /** Family B's orderId; family A's paymentNumber. */
  orderId: string | null;
  /** The payer's visit that it belongs to; operations without a visit of their own say it too. */
  sessionId: string | null;
  /** Where and with which token the merchant is told of every result; null: it asked for nothing. */
  notification: PaymentNotification | null;
  state: PaymentState;
  /** Null: not known yet, the payment cannot be paid. */
  amountMinor: bigint | null;
  currency: string;
  authorizedMinor: bigint;
  capturedMinor: bigint;
  refundedMinor: bigint;
  /** Of the method that the payer chose, on top of `amountMinor`; what was authorized and captured includes it. */
  feeMinor: bigint;
  captureType: CaptureType;
  /** DEFERRED: how long after the authorization, on the one clock. */
  captureDelayMs: number;
  /** Whether more may be authorized on top (PREAUTH). */
  isIncremental: boolean;
  isInvoice: boolean;
  hasBasket: boolean;
  instrument: Instrument | null;
  entries: PaymentEntry[];
  /** The acquirer call in flight, or open; only one at a time, and the janitor settles one that was left. */
  activeCallId: string | null;
  /** That call as it was written down before it was made; null as soon as an outcome of it is recorded, PENDING too. */
  underway: AcquirerCall | null;
  /** An authorization dies then, on the one clock. */
  authorizationExpiresAt: Date | null;
  /** A DEFERRED capture is made then. */
  captureDueAt: Date | null;
  contractId: string | null;
  /** What the merchant sent and gets back; validated, never interpreted by the money core. */
  details: Record<string, unknown>;
  /** What every operation of this payment says beside its own facts. */
  operationDefaults: Pick<
    Operation,
    | 'customField'
    | 'contractType'
    | 'installmentQty'
    | 'customerInfo'
    | 'description'
    | 'paymentLinkId'
    | 'omnichannelId'
  >;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** Sequence of its last event. */
  sequence: number;
}
