// Payouts by their keys, for this subgraph and for others: one query per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { Payout } from './payout';
import { type PayoutReads, payoutOwner } from './payout-query.service';

export function payoutLoader(context: RequestContext, { payouts }: PayoutReads): DataLoader<string, Payout | null> {
  return requestLoader(
    context,
    'Payout',
    (ids) => payouts.findMany(payoutOwner(context.caller), ids),
    ({ payoutId }) => payoutId,
  );
}

export function payoutReference(reads: PayoutReads): ResolveReference {
  return ({ payoutId }, context) => payoutLoader(context, reads).load(String(payoutId));
}

/** Merchants belong to another subgraph: here they only carry their payouts and balances. */
export const payoutMerchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });

/** So do operations, which carry their payout. */
export const payoutOperationReference: ResolveReference = ({ operationId }) => ({ operationId });
export const payoutPaymentReference: ResolveReference = ({ paymentId }) => ({ paymentId });
