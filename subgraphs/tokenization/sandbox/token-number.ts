// Numbers that the sandbox token service invents: tokens from ranges of their own, replacement cards, account references.
import { randomInt } from 'node:crypto';
import { luhnDigit } from '../../shared/luhn';
import type { BinScheme } from '../token-service/bin-table';

/** Leading digits of tokens; no card range starts like one of them. */
export const tokenRanges: Readonly<Record<BinScheme, string>> = { VISA: '94', MASTERCARD: '95', DISCOVER: '96' };

const tokenLength = 16;
const parLength = 29;
const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** 16 digits, Luhn valid, from the scheme's token range. */
export function newTokenNumber(scheme: BinScheme): string {
  return withCheckDigit(tokenRanges[scheme], tokenLength);
}

export interface CardShape {
  firstSix: string;
  /** Of tokens of 0.3 and before: unknown. */
  lastFour?: string;
  length: number;
}

export function shapeOf(account: string): CardShape {
  return { firstSix: account.slice(0, 6), lastFour: account.slice(-4), length: account.length };
}

/** Another card of the same issuer range and length, which its holder can tell from the one before: the first six digits stay, the last four do not. */
export function replacementCard({ firstSix, lastFour, length }: CardShape): string {
  for (;;) {
    const account = withCheckDigit(firstSix, length);
    if (lastFour === undefined || !account.endsWith(lastFour)) return account;
  }
}

/** 29 upper-case alphanumerics: four for the issuing party, the rest from (at least 25) bytes. */
export function printPar(bytes: Uint8Array): string {
  const characters = Array.from(bytes.subarray(0, parLength - 4), (byte) => alphanumerics[byte % alphanumerics.length]);
  return `SBX0${characters.join('')}`;
}

function withCheckDigit(leading: string, length: number): string {
  const middle = Array.from({ length: length - leading.length - 1 }, () => randomInt(10)).join('');
  return `${leading}${middle}${luhnDigit(`${leading}${middle}`)}`;
}
