// Which card numbers can be tokenized, by their leading digits (tokenization interface, MTS-1612). Token ranges lie outside of every row here.

export const binSchemes = ['VISA', 'MASTERCARD', 'DISCOVER'] as const;
export type BinScheme = (typeof binSchemes)[number];

/** Inclusive ranges of leading digits, both ends with the same number of digits. */
export const binTable: readonly { scheme: BinScheme; from: string; to: string }[] = [
  { scheme: 'VISA', from: '4', to: '4' },
  { scheme: 'MASTERCARD', from: '51', to: '55' },
  { scheme: 'MASTERCARD', from: '2221', to: '2720' },
  { scheme: 'DISCOVER', from: '6011', to: '6011' },
];

/** The scheme of a tokenizable card number, or null when the number lies outside the table. */
export function schemeOf(account: string): BinScheme | null {
  const row = binTable.find(({ from, to }) => {
    const leading = account.slice(0, from.length);
    return from <= leading && leading <= to;
  });
  return row?.scheme ?? null;
}
