// Virtual accounts by their key, for other subgraphs: one query per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { VirtualAccount } from './virtual-account';
import type { VirtualAccountRepository } from './virtual-account.repository';

export function virtualAccountLoader(
  context: RequestContext,
  accounts: VirtualAccountRepository,
): DataLoader<string, VirtualAccount | null> {
  return requestLoader(
    context,
    'VirtualAccount',
    (ids) => accounts.findMany(context.caller, ids),
    ({ virtualAccountId }) => virtualAccountId,
  );
}

export function virtualAccountReference(accounts: VirtualAccountRepository): ResolveReference {
  return ({ virtualAccountId }, context) => virtualAccountLoader(context, accounts).load(String(virtualAccountId));
}

/** Merchants belong to another subgraph: here they only carry their virtual accounts. */
export const virtualAccountMerchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });
