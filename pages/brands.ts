// Card schemes and methods as payers know them, from the circuit words of the payment interface; drawn as text, so that nothing depends on a picture.
import { html, type Markup } from './html';

const names: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MC: 'Mastercard',
  MASTERCARD: 'Mastercard',
  MAESTRO: 'Maestro',
  AMEX: 'American Express',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  PAYPAL: 'PayPal',
  PAYPAL_BNPL: 'PayPal Pay Later',
  MYBANK: 'MyBank',
  GOOGLE_PAY: 'Google Pay',
  GOOGLEPAY: 'Google Pay',
  APPLE_PAY: 'Apple Pay',
  APPLEPAY: 'Apple Pay',
  BANCONTACT: 'Bancontact',
  BANCOMAT_PAY: 'Bancomat Pay',
  BANCOMATPAY: 'Bancomat Pay',
  IDEAL: 'iDEAL',
  GIROPAY: 'giropay',
};

/** For people: `MC` is "Mastercard"; a word that is not known is written as it came. */
export function brandName(circuit: string): string {
  return names[circuit] ?? circuit;
}

/** For people: brand and last four digits of a masked number, `424242******4242` as "Visa •••• 4242"; another text as it is. */
export function shownCard(circuit: string | null, masked: string | null): string {
  const lastFour = /\*(\d{4})$/.exec(masked ?? '')?.[1];
  return [circuit ? brandName(circuit) : null, lastFour ? `•••• ${lastFour}` : masked].filter(Boolean).join(' ');
}

/** A badge with the name in it; screen readers read the name. */
export function brandBadge(circuit: string): Markup {
  return html`<span class="brand" data-brand="${circuit}">${brandName(circuit)}</span>`;
}
