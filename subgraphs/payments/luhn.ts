// The check digit of card numbers (ISO/IEC 7812-1, annex B).

/** True when the last digit is the check digit of those before it. */
export function luhnPasses(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighted = index % 2 === 1 ? digit * 2 : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return /^\d{2,}$/.test(digits) && sum % 10 === 0;
}
