// A transaction of a virtual account: metadata only, and the rule for a repeated transactionId (tokenization interface, create transaction).
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';

export interface CardTransaction {
  cardTransactionId: string;
  environment: Environment;
  /** The tenant. */
  accountId: string;
  acquirerId: string;
  merchantId: string;
  virtualAccountId: string;
  /** The caller's, unique per acquirer merchant. */
  transactionId: string;
  transactionAt: Date;
  /** 1 to 12 digits, minor units, leading zeros as sent. */
  amount: string;
  /** ISO 4217, numeric. */
  currencyCode: string;
  createdAt: Date;
}

/** How long credentials can be paid with, and a repetition gets the stored ones, on the one clock. */
export const credentialsMsMax = 15 * 60_000;

/** What tells a repetition from another use of the same transactionId. */
export interface TransactionContent {
  virtualAccountId: string;
  transactionAt: Date;
  amount: string;
  currencyCode: string;
}

/** The stored envelope when this is a repetition in time; refuses with `invalidData` when the transactionId is spent. */
export function decideReplay(
  known: { transaction: CardTransaction; encryptedData: string | null },
  content: TransactionContent,
  now: Date,
): string {
  const { transaction, encryptedData } = known;
  const isSame =
    transaction.virtualAccountId === content.virtualAccountId &&
    transaction.transactionAt.getTime() === content.transactionAt.getTime() &&
    transaction.amount === content.amount &&
    transaction.currencyCode === content.currencyCode;
  const isInTime = now.getTime() - transaction.createdAt.getTime() <= credentialsMsMax;
  if (isSame && isInTime && encryptedData) return encryptedData;
  const reason = isSame ? 'was used more than 15 minutes ago' : 'was used with other content';
  throw new DomainError('invalidData', `transactionInfo.transactionId ${reason}`, {
    field: 'transactionInfo.transactionId',
  });
}
