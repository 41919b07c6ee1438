// In which payout an operation was paid: all operations of a request in two queries (reporting interface, payment actions).
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { requestLoader } from '../../shared/store/loaders';
import type { JournalRepository } from '../journal/journal.repository';
import type { Payout } from './payout';
import type { PayoutReads } from './payout-query.service';
import { payoutOwner } from './payout-query.service';

export type PayoutLineReads = PayoutReads & { journal: Pick<JournalRepository, 'findByActions'> };

interface PaidAction {
  actionId: string;
  payout: Payout;
}

/** All that a request asks for, at once. */
export function paidActionLoader(reads: PayoutLineReads, context: RequestContext) {
  const find = (ids: readonly string[]) => findPaidActions(reads, context.caller, ids);
  return requestLoader(context, 'PaidAction', find, ({ actionId }) => actionId);
}

/** Those of the caller's actions that are paid out; others are left out. */
async function findPaidActions(
  { journal, payouts }: PayoutLineReads,
  caller: Caller,
  actionIds: readonly string[],
): Promise<PaidAction[]> {
  const entries = await journal.findByActions(payoutOwner(caller), actionIds);
  const numbered = entries.flatMap(({ serial, ...entry }) => (serial === null ? [] : [{ ...entry, serial }]));
  const found = await payouts.findByActions(numbered);
  return numbered.flatMap(({ actionId, merchantId, currency, serial }) => {
    const payout = found.find(
      (one) =>
        one.merchantId === merchantId &&
        one.currency === currency &&
        one.runs.some(({ from, to }) => from <= serial && serial <= to),
    );
    return payout ? [{ actionId, payout }] : [];
  });
}
