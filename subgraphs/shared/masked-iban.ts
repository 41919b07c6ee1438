// An account number of a bank for those who need not know it: enough to tell it from another one (onboarding interface, signing page; our choice of mask).

/** First four, stars, last four; all stars where that would be nearly all of it. */
export function maskedIban(iban: string): string {
  const hidden = iban.length - 8;
  return hidden < 4 ? '*'.repeat(iban.length) : `${iban.slice(0, 4)}${'*'.repeat(hidden)}${iban.slice(-4)}`;
}
