// Card brands by what their numbers begin with: how long a number is, and the security code (ISO/IEC 7812-1; hosted checkout, paymentCircuit).

export interface CardBrand {
  /** As operations print it. */
  circuit: string;
  /** Of a number that is still being typed, too. */
  pattern: RegExp;
  /** Digits that a whole number may have. */
  lengths: readonly number[];
  securityCodeDigits: 3 | 4;
}

export const cardBrands: readonly CardBrand[] = [
  { circuit: 'VISA', pattern: /^4/, lengths: [13, 16, 19], securityCodeDigits: 3 },
  {
    circuit: 'MC',
    pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    securityCodeDigits: 3,
  },
  { circuit: 'AMEX', pattern: /^3[47]/, lengths: [15], securityCodeDigits: 4 },
  { circuit: 'DINERS', pattern: /^3(0[0-5]|[689])/, lengths: [14, 16], securityCodeDigits: 3 },
  { circuit: 'DISCOVER', pattern: /^6(011|5|4[4-9])/, lengths: [16], securityCodeDigits: 3 },
];

/** The brand that these digits begin with; undefined while they show none. */
export function cardBrandOf(digits: string): CardBrand | undefined {
  return cardBrands.find(({ pattern }) => pattern.test(digits));
}
