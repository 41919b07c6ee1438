// The inverted flags of the merchant administration: 0 stands for on, 1 for off. The one place that knows it (decision register T4). Pure.
import { DomainError } from '../subgraphs/shared/errors';

/** What an integer of the contract means, and back. */
export interface InvertedFlag<Word extends string> {
  /** Refuses with `invalidInput` whatever is neither 0 nor 1. */
  read(flag: unknown): Word;
  print(word: Word): 0 | 1;
}

export const activeFlag = invertedFlag('active', 'ACTIVE', 'INACTIVE');
export const invoicingFlag = invertedFlag('enableInvoicing', 'ENABLED', 'DISABLED');

function invertedFlag<On extends string, Off extends string>(field: string, on: On, off: Off): InvertedFlag<On | Off> {
  return {
    read(flag) {
      if (flag === 0) return on;
      if (flag === 1) return off;
      throw new DomainError('invalidInput', `${field} must be 0 or 1.`, { field });
    },
    print: (word) => (word === on ? 0 : 1),
  };
}
