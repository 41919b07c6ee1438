// What a proposal is about, short enough for a row: how much, and whose.
import { printMoney } from '../kit/money';
import { useMerchants } from '../shell/merchants';

interface Proposed {
  subjectType: string;
  subjectId: string;
  changes: readonly { field: string; to: string | null }[];
}

/** Null where it is not about money. */
export function proposedMoney({ changes }: Proposed): string | null {
  const wordOf = (name: string) => changes.find(({ field }) => field === name)?.to ?? null;
  const [amount, currency] = [wordOf('amount'), wordOf('currency')];
  return amount && currency && /^-?\d+$/.test(amount) ? printMoney(amount, currency) : null;
}

/** Tells whose it is: a merchant by its name where that is known here, anything else by its id. */
export function useProposedSubject(): (proposal: Proposed) => string {
  const { merchants } = useMerchants();
  return ({ subjectType, subjectId }) =>
    (subjectType === 'merchant' && merchants.find(({ merchantId }) => merchantId === subjectId)?.name) || subjectId;
}
