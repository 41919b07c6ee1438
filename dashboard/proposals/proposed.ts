// What a proposal is about, short enough for a row: how much, and whose.
import { bookedAmount } from '../kit/changes';
import { stateWord } from '../kit/chip';
import { printChangedMoney } from '../kit/money';
import { useMerchants } from '../shell/merchants';

/** Acts of the audit that make one or end it. */
export const proposalActs = ['proposal.made', 'proposal.confirmed', 'proposal.rejected'];

interface Proposed {
  subjectType: string;
  subjectId: string;
  application: { id: string; name: string } | null;
  changes: readonly { field: string; to: string | null }[];
}

const told = ({ changes }: Pick<Proposed, 'changes'>, field: string) =>
  changes.find((change) => change.field === field)?.to ?? null;

/** Of a booking what is booked, of anything else its kind: what a person calls it. */
export function proposedAct(proposal: Pick<Proposed, 'changes'> & { kind: string }): string {
  return stateWord((proposal.kind === 'LEDGER_BOOKING' && told(proposal, 'action')) || proposal.kind);
}

/** Null where it is not about money. What leaves a balance has its minus. */
export function proposedMoney(proposal: Proposed): string | null {
  const amount = told(proposal, 'amount');
  return amount && printChangedMoney(bookedAmount(amount, proposal.changes));
}

/** What stays in sight of an application where there is not room for all. */
export const applicationEnd = ({ id }: { id: string }) => ` · ${id}`;

/** Tells whose it is: an application by its company and number, a merchant by its name where that is known here, anything else by its id. */
export function useProposedSubject(): (proposal: Proposed) => string {
  const { merchants } = useMerchants();
  return ({ subjectType, subjectId, application }) =>
    (application && application.name + applicationEnd(application)) ||
    (subjectType === 'merchant' && merchants.find(({ merchantId }) => merchantId === subjectId)?.name) ||
    subjectId;
}
