// Secrets of one run by name, to be searched for afterwards, and the answers that may not repeat them.
import type { Answer } from '../support/client';
import type { Needle } from './needles';
import type { Random } from './random';

export interface Canaries {
  needles: Needle[];
  answers: Answer[];
  /** Verification values: too short to be searched for in bytes, so no field anywhere may have one as its value. */
  wholeValues: string[];
  plant(name: string, value: string): string;
  /** A verification value from a range of its own. */
  plantVerification(range: VerificationRange): string;
}

/** No status, currency or amount of a run is a number like these. */
const verificationRanges = { checkout: [611, 699], tokenization: [711, 799] } as const;
type VerificationRange = keyof typeof verificationRanges;

export function createCanaries(random: Random): Canaries {
  const canaries: Canaries = {
    needles: [],
    answers: [],
    wholeValues: [],
    plant(name, value) {
      canaries.needles.push({ name, value });
      return value;
    },
    plantVerification(range) {
      const [from, to] = verificationRanges[range];
      const value = String(random.between(from, to));
      canaries.wholeValues.push(value);
      return value;
    },
  };
  return canaries;
}

/** A cardholder whom nobody else is called like: letters only, as the rule for names has it. */
export const newName = (random: Random) =>
  `Zq${Array.from({ length: 16 }, () => String.fromCharCode(97 + random.between(0, 25))).join('')} Quixote`;
