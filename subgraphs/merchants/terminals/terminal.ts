// Terminals: points of sale, web shops and apps of a merchant, each with its origins, methods and way to capture (hosted checkout; 2.2-B of the decision register).
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { line } from '../../shared/field-reader';
import { isCurrency } from '../../shared/money';
import type { MerchantStatus } from '../merchant';

/** IMPLICIT: captured with the authorization. DEFERRED: captured after the delay. FILE: captured by a batch. */
export const terminalCaptureTypes = ['IMPLICIT', 'EXPLICIT', 'DEFERRED', 'FILE'] as const;
export type TerminalCapture = (typeof terminalCaptureTypes)[number];

/** Values of `paymentService` with the circuits that `paymentCircuit` may name for them. */
export const methodCircuits = {
  CARDS: ['VISA', 'MC', 'AMEX', 'DINERS', 'DISCOVER'],
  APPLEPAY: ['APPLEPAY'],
  GOOGLEPAY: ['GOOGLEPAY'],
  PAYPAL: ['PAYPAL'],
  PAYPAL_BNPL: ['PAYPAL_BNPL'],
  BANCOMATPAY: ['BANCOMATPAY'],
  BANCONTACT: ['BANCONTACT'],
  GIROPAY: ['GIROPAY'],
  IDEAL: ['IDEAL'],
  MYBANK: ['MYBANK'],
} as const satisfies Record<string, readonly string[]>;
export type TerminalMethodName = keyof typeof methodCircuits;
export const methodNames = Object.keys(methodCircuits) as TerminalMethodName[];

export interface Terminal {
  /** Unique within the environment. */
  terminalId: string;
  environment: Environment;
  /** The tenant. */
  accountId: string;
  merchantId: string;
  label: string;
  status: MerchantStatus;
  captureType: TerminalCapture;
  /** Until a DEFERRED capture, in hours of the one clock. */
  captureDelayHours: number;
  /** Origins of its pages as browsers print them; the first counts when a request names none. */
  origins: string[];
  methods: TerminalMethodName[];
  /** ISO 4217 alphabetic codes. */
  currencies: string[];
  createdAt: Date;
  version: number;
}

const terminalIdPattern = /^[A-Za-z0-9-]{1,36}$/;
export const captureDelayHoursDefault = 24;
/** An authorization lives a week: a capture after that would come too late. */
const captureDelayHoursMax = 144;
/** Currencies that a terminal takes unless it is told otherwise. */
export const usualCurrencies = ['EUR', 'USD', 'DKK', 'SEK', 'NOK'];
export const originsMax = 20;
const currenciesMax = 50;

/** What people call it. Refuses with `invalidInput`. */
export const readTerminalLabel = line(100);

/** Refuses with `invalidInput` what is no terminal id. */
export function decideTerminalId(terminalId: string): string {
  if (!terminalIdPattern.test(terminalId)) {
    throw refusal('terminalId', 'terminalId must be 1 to 36 letters, digits and hyphens');
  }
  return terminalId;
}

/**
 * The origins without repetition, spelled as browsers print them: https, in the sandbox loopback http too; no path, query or credentials.
 * Refuses with `invalidInput`.
 */
export function decideOrigins(origins: readonly string[], isSandbox: boolean): string[] {
  const distinct = [...new Set(origins)];
  if (distinct.length > originsMax) throw refusal('origins', `a terminal has ${originsMax} origins at most`);
  for (const origin of distinct) {
    if (!isMerchantOrigin(origin, isSandbox)) {
      throw refusal('origins', 'expected origins such as https://shop.example, without path and in lower case');
    }
  }
  return distinct;
}

/** The methods without repetition, in the order of the table; at least one. Refuses with `invalidInput`. */
export function decideMethods(methods: readonly string[]): TerminalMethodName[] {
  const unknown = methods.find((method) => !methodNames.includes(method as TerminalMethodName));
  if (unknown !== undefined) throw refusal('methods', `methods are ${methodNames.join(', ')}`);
  const chosen = methodNames.filter((method) => methods.includes(method));
  if (chosen.length === 0) throw refusal('methods', 'a terminal offers at least one method');
  return chosen;
}

/** The currencies without repetition; the first counts when a request names none. At least one. Refuses with `invalidInput`. */
export function decideCurrencies(currencies: readonly string[]): string[] {
  const distinct = [...new Set(currencies)];
  if (distinct.length === 0) throw refusal('currencies', 'a terminal takes at least one currency');
  if (distinct.length > currenciesMax)
    throw refusal('currencies', `a terminal takes ${currenciesMax} currencies at most`);
  if (!distinct.every(isCurrency)) throw refusal('currencies', 'expected ISO 4217 alphabetic codes such as EUR');
  return distinct;
}

/** Hours until a DEFERRED capture; the usual day when nothing is said. Refuses with `invalidInput`. */
export function decideCaptureDelay(hours: number | null | undefined): number {
  const delay = hours ?? captureDelayHoursDefault;
  if (!Number.isInteger(delay) || delay < 1 || delay > captureDelayHoursMax) {
    throw refusal('captureDelayHours', `captureDelayHours must be 1 to ${captureDelayHoursMax}`);
  }
  return delay;
}

/** https, in the sandbox loopback http too, spelled as browsers print it. */
export function isMerchantOrigin(text: string, isSandbox: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.origin !== text) return false;
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (isSandbox && isLoopback && url.protocol === 'http:');
}

function refusal(field: string, cure: string): DomainError {
  return new DomainError('invalidInput', `${cure}.`, { field });
}
