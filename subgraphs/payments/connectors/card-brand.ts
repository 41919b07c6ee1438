// What a card number says about itself: its circuit as operations print it, and how much of it may be shown (hosted checkout, paymentCircuit and paymentInstrumentInfo).

/** The spelling of `paymentCircuit`; the list is open. */
export function circuitOf(number: string): string {
  const four = Number(number.slice(0, 4));
  if (number.startsWith('4')) return 'VISA';
  if ((four >= 5100 && four <= 5599) || (four >= 2221 && four <= 2720)) return 'MC';
  if (/^3[47]/.test(number)) return 'AMEX';
  if (/^(30[0-5]|36|38|39)/.test(number)) return 'DINERS';
  if (/^(6011|64[4-9]|65)/.test(number)) return 'DISCOVER';
  return 'OTHER';
}

/** First six, stars, last four. */
export function maskCard(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(Math.max(number.length - 10, 0))}${number.slice(-4)}`;
}
