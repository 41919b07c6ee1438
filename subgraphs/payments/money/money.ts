// The money core as the rest of the domain calls it: every charge, capture, refund and cancel of both families goes through here (payment interface, A and B, Operation object).
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { KeyClaim } from '../../shared/idempotency/once-begun';
import type { SlotRange } from '../../shared/store/slot';
import type { InsertWrite, UnitOfWork, UpdateWrite } from '../../shared/store/unit-of-work';
import type { OperationResult, OperationType, PaymentMethod } from '../../shared/vocabulary/operation';
import type { CardToRegister } from '../connectors/acquirer';
import type { AlternativeMethod } from '../connectors/alternative-method';
import type { Channel, Operation, Warning } from '../operations/operation';
import type { ToldCall } from '../payment/acquirer-call';
import type { Instrument } from '../payment/instrument';
import type { Payment, PaymentState } from '../payment/payment';
import type { PaymentTrigger } from '../payment/transitions';

/** What a payment starts from; everything else begins empty. */
export type NewPayment = Pick<
  Payment,
  | 'environment'
  | 'accountId'
  | 'merchantId'
  | 'terminalId'
  | 'family'
  | 'orderId'
  | 'amountMinor'
  | 'currency'
  | 'captureType'
  | 'details'
  | 'operationDefaults'
> &
  Partial<
    Pick<
      Payment,
      'sessionId' | 'notification' | 'captureDelayMs' | 'isIncremental' | 'isInvoice' | 'hasBasket' | 'contractId'
    > & {
      /** For callers that need the id beforehand; otherwise a fresh UUID. */
      paymentId: string;
    }
  >;

/** What came of a call: the payment after it and the operation that was recorded. */
export interface Outcome {
  payment: Payment;
  operation: Operation;
}

/** What came of a call, to whoever writes something with it. */
export interface Reached extends Outcome {
  /** The state that the payment was in before; null where somebody else has recorded the outcome already, and nobody knows any more. */
  before: PaymentState | null;
}

/**
 * Writes of the caller that belong into the same transaction as the outcome: session state, completion of an idempotency key, a consent,
 * an audit record, a sealed card wiped. Asked again with a fresh outcome whenever a conditional write met another state, so it loads what it
 * decides on by itself. Must not touch the collections `payments`, `operations` and `acquirer_calls`.
 */
export type Alongside = (outcome: Reached) => UnitOfWork | Promise<UnitOfWork>;

interface ToldOfOrder {
  channel?: Channel;
  channelDetail?: string | null;
  description?: string | null;
  /** Why a member of staff did it. */
  reason?: string | null;
  /** Printed with the operation. */
  warnings?: Warning[];
  /** Printed with the operation beside what the acquirer says, for example the till that asked. */
  additionalData?: Record<string, unknown>;
  /** Of the request's idempotency key: made with the intent. Without it an earlier call of the same request is always looked for. */
  claim?: KeyClaim;
  alongside?: Alongside;
}

export type ChargeType = Extract<
  OperationType,
  'AUTHORIZATION' | 'CARD_VERIFICATION' | 'INCREMENTAL' | 'NOSHOW' | 'DELAY_CHARGE'
>;

export interface Charge extends ToldOfOrder {
  paymentId: string;
  /** The payment as the caller has just read it; where it has moved since, it is read anew, or `beginning` meets another state. */
  seen?: Payment;
  type: ChargeType;
  /** Minor units of the payment's currency; CARD_VERIFICATION is always charged with zero. */
  amountMinor: bigint;
  /** Charged on top of it; kept on the payment. */
  feeMinor?: bigint;
  instrument: Instrument;
  /** Without the payer: no authentication can be asked for. */
  isMerchantInitiated?: boolean;
  /** Adds a CAPTURE operation of its own in the same unit of work (Sale, IMPLICIT). */
  captureNow: boolean;
  sessionId?: string | null;
  /** Kept on the payment and on the operation. */
  contractId?: string | null;
  /** Committed with the intent. Rejects with WriteConflict when that met another state. */
  beginning?: Beginning;
}

/** Writes without which nobody is asked for money, and who is told that they stand. */
export interface Beginning {
  updates: UpdateWrite[];
  done(): void;
}

export interface Recording extends ToldOfOrder {
  paymentId: string;
  /** The payment as the caller has just read it: decided and saved upon that alone, once no call is under way on it. Where it has moved since, nothing is recorded and WriteConflict says so. */
  seen?: Payment;
  type: Extract<OperationType, 'AUTHORIZATION' | 'CARD_VERIFICATION' | 'CARD_CHECK' | 'CANCEL'>;
  result: Extract<
    OperationResult,
    | 'EXECUTED'
    | 'DECLINED'
    | 'DENIED_BY_RISK'
    | 'THREEDS_VALIDATED'
    | 'THREEDS_FAILED'
    | 'PENDING'
    | 'CANCELED'
    | 'FAILED'
  >;
  /** The payment's own amount with the fee when absent. */
  amountMinor?: bigint;
  /** Of the payer's choice; kept on the payment, for CARD_CHECK until it is authorized. */
  feeMinor?: bigint;
  /** CARD when neither this nor an instrument says otherwise. */
  method?: PaymentMethod;
  circuit?: string | null;
  /** THREEDS_VALIDATED and EXECUTED keep it on the payment; for an alternative method it is made of the visit when absent. */
  instrument?: Instrument | null;
  /** Circuit-defined unique transaction identifier. */
  endToEndId?: string | null;
  /** The visit at an alternative method: what PENDING is asked about, and what a refund goes back to. */
  visitId?: string | null;
  /** Of the payer's account at the method, masked. */
  instrumentInfo?: string | null;
  sessionId?: string | null;
}

/** Names its payment, or the operation that it acts on, with its payment where that is known; with an operation the refusals are those of family B. */
export type Target = { paymentId: string; operationId?: string } | { operationId: string; paymentId?: undefined };

export type PostOperation = ToldOfOrder &
  Target & {
    /** The payment as the caller has just read it, by its own rights; read anew where it has moved since. */
    seen?: Payment;
    /** Nobody asked for it at this moment: refused where the merchant has taken over, also since it was found. */
    isAutomatic?: boolean;
    /** All that is left when absent. */
    amountMinor?: bigint | null;
    /** Refused with `currencyMismatch` when it differs from the payment's. */
    currency?: string | null;
  };

export interface Settled {
  /** Calls whose outcome became known. */
  settled: number;
  /** Asked, and still open. */
  postponed: number;
  /** All that are open for longer than a day by now: a person must look. */
  raised: number;
  expired: number;
  /** DEFERRED captures that were due. */
  captured: number;
}

export interface Money {
  /** Pure: state Created. An orderId of family B that is in use makes the insert fail with DuplicateKey in `payments`: answer `orderIdTaken`. */
  openPayment(input: NewPayment): { payment: Payment; inserts: InsertWrite[] };
  /**
   * Charges an instrument: intent row, acquirer, outcome. Returns the operation whatever its result: AUTHORIZED, DECLINED, DENIED_BY_RISK,
   * FAILED, or PENDING (no answer, or not yet; the payment is Unknown and the operation gets its final result later).
   * Refuses only when nothing happened: notFound, invalidState (also for the loser of a race), amountAboveAuthorized, unavailable.
   * The same Idempotency-Key in the context never charges twice: the first call's operation is found again, settled by then or not.
   */
  charge(context: RequestContext, input: Charge): Promise<Outcome>;
  /**
   * Records an outcome that the acquirer has no part in: THREEDS_FAILED, the payer's own CANCEL/CANCELED, CARD_CHECK/THREEDS_VALIDATED
   * (the payment keeps the instrument and waits in PendingCustomer), an alternative method's AUTHORIZATION with EXECUTED, DECLINED, PENDING.
   * Refuses with notFound, invalidState.
   */
  record(context: RequestContext, input: Recording): Promise<Outcome>;
  /**
   * CAPTURE/EXECUTED (PENDING when the acquirer does not answer). Refuses with notFound, invalidState, amountAboveAuthorized,
   * authorizationExpired, currencyMismatch; with an operationId also operationVoided, operationCaptured, operationRefunded.
   */
  capture(context: RequestContext, input: PostOperation): Promise<Outcome>;
  /** REFUND/REFUNDED; of an uncaptured authorization VOID/VOIDED. Refuses with notFound, invalidState, alreadyRefunded, alreadyVoided, amountAboveCaptured, currencyMismatch. */
  refund(context: RequestContext, input: PostOperation): Promise<Outcome>;
  /** VOID/VOIDED of the whole authorization (family A's Cancel). Refuses with notFound, invalidState, alreadyCaptured, alreadyVoided (with an operationId), authorizationExpired. */
  voidAuthorization(context: RequestContext, input: PostOperation): Promise<Outcome>;
  /** CANCEL/VOIDED of a capture on its own day (+01:00). Refuses with notFound, invalidState, cancelTooLate, alreadyVoided, operationRefunded. */
  cancelCapture(context: RequestContext, input: PostOperation & { operationId: string }): Promise<Outcome>;
  /** Hands a card to the acquirer once; afterwards its number is never needed. */
  registerInstrument(context: RequestContext, input: CardToRegister): Promise<Instrument>;
  /** The write that moves a payment by a trigger without an operation (page opened, challenge shown); empty when it is there already. Refuses with invalidState. */
  setState(payment: Payment, trigger: Extract<PaymentTrigger, 'PAGE_OPENED' | 'CHALLENGE_SHOWN'>): UpdateWrite[];
  /** The janitor of a lane, or of all: lost calls, open outcomes, expiry of authorizations, DEFERRED captures. Safe to run anywhere, every second. */
  settle(stopping?: AbortSignal, slots?: SlotRange): Promise<Settled>;
  /** Captures every authorization that waits for the batch (FILE), those of the caller's account. */
  captureBatch(context: RequestContext): Promise<number>;
  /** Null when it is absent or somebody else's. */
  readOperation(context: RequestContext, operationId: string): Promise<Operation | null>;
  readPayment(context: RequestContext, paymentId: string): Promise<Payment | null>;
  /** The same for one of our workers, or for a page, that has no caller of an account. */
  findPayment(caller: Caller, paymentId: string): Promise<Payment | null>;
  /** Those that are there and the caller's. */
  findPayments(caller: Caller, paymentIds: readonly string[]): Promise<Payment[]>;
  /** What was asked of acquirers and methods about operations that the caller may see; those without a call that is kept are missing. */
  listCalls(operationIds: readonly string[]): Promise<ToldCall[]>;
  /** The connector of alternative methods: start a visit, ask it, and in the sandbox show and answer it. */
  readonly alternativeMethods: AlternativeMethod;
  ensureIndexes(): Promise<void>;
}
