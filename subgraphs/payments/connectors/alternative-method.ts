// What the domain asks of a connector to alternative payment methods: a visit of the payer at the method, or a debit of an account that the merchant names, and its outcome (payment service, paymentMethodDetails; hosted checkout, build with an alternative method).
import type { AcquirerAnswer } from './acquirer';

/** Taken as a card is: reserved first, and collected when the merchant has delivered; never without a basket. */
export const invoiceMethod = 'INVOICE';

/** OPEN: the payer has not decided. PENDING: the method will tell later. */
export const visitStatuses = ['OPEN', 'PENDING', 'PAID', 'DECLINED', 'CANCELLED'] as const;
export type VisitStatus = (typeof visitStatuses)[number];

interface NewVisit {
  paymentId: string;
  accountId: string;
  sessionId: string;
  merchantName: string;
  /** PAYPAL, MYBANK ... */
  method: string;
  amountMinor: bigint;
  currency: string;
  /** Where the payer comes back to. */
  returnUrl: string;
  language: string | null;
  /** The payer agrees to be debited later; nothing is paid now. */
  isAgreement: boolean;
}

/** An account of the payer that the merchant has named: a bank account by its IBAN, or a wallet by what the device handed over. */
interface AccountToRegister {
  accountId: string;
  kind: 'SEPA_DIRECT_DEBIT' | 'WALLET';
  /** IBAN, or the wallet's data; never kept by us in the clear. */
  secret: string;
}

/** `debit` takes the money at once. The others are an invoice's: reserved, collected, let go, a collection taken back. */
export type DebitKind = 'debit' | 'authorize' | 'capture' | 'void' | 'cancelCapture';

/** A movement without a visit; `callId` is the connector's idempotency key, and for a debit what a refund goes back to. */
export interface Debit {
  callId: string;
  kind: DebitKind;
  /** `authorize`: collected at once. */
  captureNow: boolean;
  /** What `register` gave, or the visit at which the payer agreed. */
  reference: string;
  paymentId: string;
  accountId: string;
  amountMinor: bigint;
  currency: string;
}

export interface MethodVisit extends NewVisit {
  visitId: string;
  status: VisitStatus;
  /** Of the payer's account at the method, masked. */
  instrumentInfo: string | null;
  endToEndId: string | null;
}

export interface AlternativeMethod {
  /** Starts a visit; `url` is where the payer goes. */
  start(visit: NewVisit): Promise<{ visitId: string; url: string }>;
  /** Null: no such visit. */
  ask(visitId: string): Promise<MethodVisit | null>;
  /** Takes an open visit back, so that it cannot be paid any more; returns it as it is then, PAID or PENDING when the payer was faster. Null: no such visit. */
  withdraw(visitId: string): Promise<MethodVisit | null>;
  /** What the payer does at the sandbox's method page; a visit that has its outcome keeps it. Null: no such visit, or no sandbox. */
  answer(visitId: string, answer: 'PASS' | 'FAIL' | 'CANCEL'): Promise<MethodVisit | null>;
  /** Keeps an account so that it can be debited; `info` is masked. */
  register(account: AccountToRegister): Promise<{ reference: string; circuit: string; info: string }>;
  /** Debits it, or moves what its payer agreed to; repeating a call id gives the first answer. Rejects when the method does not answer. */
  debit(debit: Debit): Promise<AcquirerAnswer>;
  /** What became of a debit. Null: it never arrived, and from now on it is refused should it arrive. */
  askDebit(callId: string): Promise<AcquirerAnswer | null>;
  /** Gives money back; repeating a call id gives the first answer. Rejects when the method does not answer. */
  refund(refund: {
    callId: string;
    visitId: string;
    amountMinor: bigint;
    currency: string;
  }): Promise<{ isDone: boolean }>;
}
