// What a card number says about itself: its circuit as operations print it, and how much of it may be shown (hosted checkout, paymentCircuit and paymentInstrumentInfo).
import { cardBrandOf } from '../../shared/card-brand';

/** The spelling of `paymentCircuit`; the list is open. */
export function circuitOf(number: string): string {
  return cardBrandOf(number)?.circuit ?? 'OTHER';
}

/** First six, stars, last four. */
export function maskCard(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(number.length - 10, 0))}${number.slice(-4)}`;
}
