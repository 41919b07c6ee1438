// What a proposal is about, short enough for a row: how much, and whose.
import { printChangedMoney } from '../kit/money';
import { useMerchants } from '../shell/merchants';

/** Acts of the audit that make one or end it. */
export const proposalActs = ['proposal.made', 'proposal.confirmed', 'proposal.rejected'];

interface Proposed {
  subjectType: string;
  subjectId: string;
  changes: readonly { field: string; to: string | null }[];
}

/** Null where it is not about money. */
export function proposedMoney({ changes }: Proposed): string | null {
  const amount = changes.find(({ field }) => field === 'amount')?.to ?? null;
  return amount && printChangedMoney(amount);
}

/** Tells whose it is: a merchant by its name where that is known here, anything else by its id. */
export function useProposedSubject(): (proposal: Proposed) => string {
  const { merchants } = useMerchants();
  return ({ subjectType, subjectId }) =>
    (subjectType === 'merchant' && merchants.find(({ merchantId }) => merchantId === subjectId)?.name) || subjectId;
}
