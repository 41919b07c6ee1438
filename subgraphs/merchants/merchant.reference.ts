// Merchants, agreements and accounts by their keys: one query each per request, foreign ones look absent.
import DataLoader from 'dataloader';
import type { RequestContext } from '../shared/callers/context';
import type { ResolveReference } from '../shared/graph/subgraph';
import { requestLoader } from '../shared/store/loaders';
import type { AccountRepository } from './accounts/account.repository';
import type { AgreementRepository } from './agreements/agreement.repository';
import type { Account, Agreement, Merchant } from './merchant';
import type { MerchantRepository } from './merchant.repository';
import type { Terminal } from './terminals/terminal';
import type { TerminalRepository } from './terminals/terminal.repository';

export interface MerchantReads {
  accounts: AccountRepository;
  merchants: MerchantRepository;
  agreements: AgreementRepository;
  terminals: TerminalRepository;
}

export function merchantLoader(
  context: RequestContext,
  { merchants }: MerchantReads,
): DataLoader<string, Merchant | null> {
  return requestLoader(
    context,
    'Merchant',
    (ids) => merchants.findMany(context.caller, ids),
    ({ merchantId }) => merchantId,
  );
}

export function agreementLoader(
  context: RequestContext,
  { agreements }: MerchantReads,
): DataLoader<string, Agreement | null> {
  return requestLoader(
    context,
    'Agreement',
    (ids) => agreements.findMany(context.caller, ids),
    ({ agreementId }) => agreementId,
  );
}

export function accountLoader(
  context: RequestContext,
  { accounts }: MerchantReads,
): DataLoader<string, Account | null> {
  return requestLoader(
    context,
    'Account',
    (ids) => accounts.findMany(context.caller, ids),
    ({ accountId }) => accountId,
  );
}

export function terminalLoader(
  context: RequestContext,
  { terminals }: MerchantReads,
): DataLoader<string, Terminal | null> {
  return requestLoader(
    context,
    'Terminal',
    (ids) => terminals.findMany(context.caller, ids),
    ({ terminalId }) => terminalId,
  );
}

/** The terminals of each merchant: one query for all merchants of a request. */
export function terminalsLoader(
  { caller, loaders }: RequestContext,
  { terminals }: MerchantReads,
): DataLoader<string, Terminal[]> {
  const name = 'Merchant.terminals';
  const known = loaders.get(name);
  if (known) return known as DataLoader<string, Terminal[]>;
  const loader = new DataLoader<string, Terminal[]>(async (merchantIds) => {
    const found = await terminals.listOf(caller, merchantIds);
    return merchantIds.map((merchantId) => found.filter((terminal) => terminal.merchantId === merchantId));
  });
  loaders.set(name, loader);
  return loader;
}

export function merchantReferences(
  reads: MerchantReads,
): Record<'Merchant' | 'Agreement' | 'Account' | 'Terminal', ResolveReference> {
  return {
    Merchant: ({ merchantId }, context) => merchantLoader(context, reads).load(String(merchantId)),
    Agreement: ({ agreementId }, context) => agreementLoader(context, reads).load(String(agreementId)),
    Terminal: ({ terminalId }, context) => terminalLoader(context, reads).load(String(terminalId)),
    Account: ({ accountId }, context) => accountLoader(context, reads).load(String(accountId)),
  };
}
