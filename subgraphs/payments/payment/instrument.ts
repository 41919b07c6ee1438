// What is charged: a card or a method, as the acquirer knows it (payment interface; 2.2-A of the decision register).
import type { PaymentMethod } from '../../shared/vocabulary/operation';

/** A card or method that can be charged without its number: what the acquirer gave us for it. */
export interface Instrument {
  /** The acquirer's reference; never a card number. */
  reference: string;
  method: PaymentMethod;
  circuit: string;
  /** Masked, for example `424242******4242`. */
  info: string;
  /** First six, last four, MM/YY; null for methods that are no card. */
  card: { bin: string; lastFour: string; expiry: string } | null;
  additionalData: Record<string, unknown>;
  /** How the payer was authenticated: `challenge`, `frictionless`, `exempted`, `none`. */
  threeDs: string;
  endToEndId: string | null;
}
