// The plaintext of accountInfo.encryptedData: format first, then data (tokenization interface, Plaintext payloads; MTS-1614 and MTS-1616).
import { cardBrandOf } from '../../shared/card-brand';
import { DomainError } from '../../shared/errors';
import { passesLuhn } from '../../shared/luhn';
import { isMonthYear } from '../../shared/time';

/**
 * What the caller encrypted. Lives as long as one call: never stored, logged, queued or put into an error. Turned into text by accident, it
 * says only what it is.
 */
export class AccountData {
  constructor(
    readonly account: string,
    /** MMYYYY. */
    readonly accountExpiry: string,
    readonly cvv?: string,
    readonly name?: string,
  ) {}

  toJSON(): string {
    return '[account data]';
  }

  toString(): string {
    return '[account data]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[account data]';
  }
}

type AccountField = 'account' | 'accountExpiry' | 'cvv' | 'name';

const expiryYearsAheadMax = 20;

const namePattern = /^[\p{L}\p{M} .'\-/]{2,45}$/u;

/** Refuses with `invalidInput` what has a wrong type, length or character; the message never carries the value. */
export function parseAccountData(plaintext: Record<string, unknown>): AccountData {
  const account = text(plaintext, 'account');
  if (!/^\d{12,19}$/.test(account)) throw malformed('account', '12 to 19 digits');
  const accountExpiry = text(plaintext, 'accountExpiry');
  if (!isMonthYear(accountExpiry)) throw malformed('accountExpiry', 'MMYYYY');
  const cvv = plaintext['cvv'] === undefined ? undefined : parseCvv(text(plaintext, 'cvv'), account);
  const name = plaintext['name'] === undefined ? undefined : parseName(text(plaintext, 'name'));
  return new AccountData(account, accountExpiry, cvv, name);
}

/** Refuses with `invalidData` what is well-formed but cannot be a usable card at `now`. */
export function checkAccountData({ account, accountExpiry }: AccountData, now: Date): void {
  if (!passesLuhn(account)) throw wrong('account', 'its check digit does not match');
  const monthsAhead = monthIndex(accountExpiry) - (now.getUTCFullYear() * 12 + now.getUTCMonth());
  if (monthsAhead < 0) throw wrong('accountExpiry', 'the card has expired');
  if (monthsAhead > expiryYearsAheadMax * 12)
    throw wrong('accountExpiry', `it lies more than ${expiryYearsAheadMax} years ahead`);
}

function parseCvv(cvv: string, account: string): string {
  const length = cardBrandOf(account)?.securityCodeDigits ?? 3;
  if (!new RegExp(`^\\d{${length}}$`).test(cvv)) throw malformed('cvv', `${length} digits`);
  return cvv;
}

function parseName(name: string): string {
  const normal = name.trim().normalize('NFC');
  if (!namePattern.test(normal)) throw malformed('name', "2 to 45 letters, spaces or . ' - /");
  return normal;
}

function text(plaintext: Record<string, unknown>, field: AccountField): string {
  const value = plaintext[field];
  if (typeof value !== 'string') throw malformed(field, 'a string');
  return value;
}

/** Months since the year 0 of an MMYYYY. */
export function monthIndex(monthYear: string): number {
  return Number(monthYear.slice(2)) * 12 + Number(monthYear.slice(0, 2)) - 1;
}

function malformed(field: AccountField, expected: string): DomainError {
  return new DomainError('invalidInput', `${field} of the account data is malformed: expected ${expected}`, {
    field: `accountInfo.${field}`,
  });
}

function wrong(field: AccountField, reason: string): DomainError {
  return new DomainError('invalidData', `${field} of the account data is not acceptable: ${reason}`, {
    field: `accountInfo.${field}`,
  });
}
