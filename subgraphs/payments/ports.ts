// What the payments domain is told by other domains, as functions that the composition hands in (payment interface; 2.2-B of the decision register).
import type { Environment } from '../shared/callers/caller';
import type { CaptureType } from './payment/payment';

/** One method that a terminal offers, for example CARDS, PAYPAL, MYBANK. */
export interface TerminalMethod {
  method: string;
  /** Circuits in the spelling of `paymentCircuit`; for CARDS the brands, for other methods the method itself. */
  circuits: string[];
}

/** What payments must know of a terminal: one point of sale, web shop or app of a merchant. */
export interface CheckoutTerminal {
  terminalId: string;
  accountId: string;
  merchantId: string;
  /** Of the whole merchant too: an inactive merchant's terminal is INACTIVE. */
  status: 'ACTIVE' | 'INACTIVE';
  /** What counts when the request says nothing. */
  captureType: CaptureType;
  /** Hours until a DEFERRED capture. */
  captureDelayHours: number;
  /** Registered origins of its pages, canonical (`https://shop.example`); the first counts when the request names none. */
  origins: string[];
  methods: TerminalMethod[];
  /** ISO 4217 alphabetic codes. */
  currencies: string[];
}

/** null: there is no such terminal in the environment. */
export type ReadTerminal = (environment: Environment, terminalId: string) => Promise<CheckoutTerminal | null>;

export interface MerchantFacts {
  merchantId: string;
  accountId: string;
  merchantNumber: number;
  name: string;
  status: 'ACTIVE' | 'INACTIVE';
  /** ISO 4217 alphabetic code of its settlements. */
  currency: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** null: there is no such merchant in the environment. */
export type ReadMerchant = (environment: Environment, merchantId: string) => Promise<MerchantFacts | null>;

/** What is wrong with an address that we shall call, in a few words for people; null when it may be registered. No name is resolved. */
export type JudgeAddress = (address: string) => string | null;

/** A card token of the tokenization interface with its one-time cryptogram; null when they are not good for that payment. */
export type RedeemToken = (request: {
  environment: Environment;
  accountId: string;
  merchantId: string;
  token: string;
  cryptogram: string;
  /** What is charged with it; null while the payment has no amount. */
  amountMinor: bigint | null;
  /** ISO 4217, alphabetic. */
  currency: string;
  /** What it is spent on: only the same may ask again. */
  usedFor: string;
  /** For how long the same may ask again, from when the cryptogram was made; null: whenever. */
  againWithinMs: number | null;
}) => Promise<{
  /** For the acquirer alone; never stored, never logged. */
  number: string;
  /** MM/YY. */
  expiry: string;
  /** The card behind the token, masked. */
  accountMasked: string;
} | null>;
