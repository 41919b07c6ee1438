// The fields of the tokenization interface outside the envelope: pattern and length first (MTS-1614), data later (MTS-1616), each field named in its refusal.
import { data as currencyRecords } from 'currency-codes';
import type { TokenizationIdentifiers } from '../shared/callers/caller';
import { DomainError } from '../shared/errors';
import { parseCompactInstant } from '../shared/time';

const encryptedDataLengthMax = 8_192;
const transactionAgeMsMax = 7 * 24 * 3_600_000;
const transactionAheadMsMax = 15 * 60_000;

/** Reason codes of tokenState=DELETE and what they mean. */
const reasonCodes = {
  '1023': 'Delete virtual account',
  '1024': 'Delete because of confirmed fraud',
  '1025': 'Delete because the device is confirmed lost',
  '1026': 'Delete because the device is confirmed stolen',
  '1027': 'Delete because the card expired and was not renewed',
} as const;

const patterns = {
  merchantId: /^[A-Za-z0-9._-]{1,35}$/,
  identifier: /^[A-Za-z0-9-]{1,36}$/,
  transactionId: /^[A-Za-z0-9._-]{1,64}$/,
  transactionDateTime: /^\d{14}$/,
  amount: /^\d{1,12}$/,
  currencyCode: /^\d{3}$/,
  tokenState: /^[A-Z_]{1,32}$/i,
  reasonCode: /^\d{4}$/,
} as const;

const currencies = new Set(currencyRecords.map(({ number }) => number));

/** The fields of a transaction as they were sent. */
export interface TransactionFields {
  merchantId: string;
  transactionId: string;
  /** YYYYMMDDhhmmss, UTC. */
  transactionDateTime: string;
  /** 1 to 12 digits, minor units, leading zeros as sent. */
  amount: string;
  /** ISO 4217, numeric. */
  currencyCode: string;
}

export function checkIdentifiers({ acquirerId, providerId, pspId }: TokenizationIdentifiers): void {
  matches('identifier', acquirerId, 'X-Acquirer-ID');
  matches('identifier', providerId, 'X-Provider-ID');
  matches('identifier', pspId, 'X-PSP-ID');
}

export function checkMerchantId(merchantId: string): void {
  matches('merchantId', merchantId, 'merchantInfo.merchantId');
}

/** Refuses an envelope over its length before anything looks into it. */
export function checkEncryptedDataLength(encryptedData: string): void {
  if (encryptedData.length > encryptedDataLengthMax) {
    const message = `accountInfo.encryptedData has ${encryptedData.length} characters; expected at most ${encryptedDataLengthMax}`;
    throw new DomainError('payloadTooLarge', message, { field: 'accountInfo.encryptedData' });
  }
}

export function checkTransactionFormat(fields: TransactionFields): void {
  checkMerchantId(fields.merchantId);
  matches('transactionId', fields.transactionId, 'transactionInfo.transactionId');
  matches('transactionDateTime', fields.transactionDateTime, 'transactionInfo.transactionDateTime');
  matches('amount', fields.amount, 'transactionInfo.amount');
  matches('currencyCode', fields.currencyCode, 'transactionInfo.currencyCode');
}

/** Refuses what is well-formed but wrong at `now`; returns the instant of the transaction. */
export function checkTransactionData(fields: TransactionFields, now: Date): Date {
  const at = parseCompactInstant(fields.transactionDateTime);
  if (!at) throw wrong('transactionInfo.transactionDateTime', 'no such date or time of day');
  const ageMs = now.getTime() - at.getTime();
  if (ageMs > transactionAgeMsMax) throw wrong('transactionInfo.transactionDateTime', 'more than 7 days ago');
  if (-ageMs > transactionAheadMsMax) throw wrong('transactionInfo.transactionDateTime', 'more than 15 minutes ahead');
  if (!currencies.has(fields.currencyCode)) throw wrong('transactionInfo.currencyCode', 'not a currency of ISO 4217');
  return at;
}

export function checkTokenStateFormat(tokenState: string, reasonCode: string): void {
  matches('tokenState', tokenState, 'tokenState');
  matches('reasonCode', reasonCode, 'reasonCode');
}

export function checkTokenStateData(tokenState: string, reasonCode: string): void {
  if (tokenState !== 'DELETE') throw wrong('tokenState', 'only DELETE is supported');
  if (!Object.hasOwn(reasonCodes, reasonCode)) throw wrong('reasonCode', 'expected 1023 to 1027');
}

function matches(rule: keyof typeof patterns, value: string, field: string): void {
  if (!patterns[rule].test(value)) {
    throw new DomainError('invalidInput', `${field} is malformed: expected ${patterns[rule].source}`, { field });
  }
}

function wrong(field: string, reason: string): DomainError {
  return new DomainError('invalidData', `${field} is not acceptable: ${reason}`, { field });
}
