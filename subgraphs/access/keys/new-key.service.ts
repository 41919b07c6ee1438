// New keys by kind: of a terminal, of a merchant, or of the account that a merchant belongs to (hosted checkout and administration interfaces, Authentication; decision register 2.2-B, API keys).
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { ReadMerchantOwner } from '../clients/client.service';
import type { Complete } from '../clients/client-change.service';
import type { ApiKeyKind, ApiKeyMode, NewApiKey } from './api-key';
import type { ApiKeyService, IssuedApiKey } from './api-key.service';

/** The merchants domain's answer about whose a terminal is; null: there is none. */
export type ReadTerminalOwner = (
  environment: Environment,
  terminalId: string,
) => Promise<{ accountId: string; merchantId: string } | null>;

export interface NewKeyDeps {
  apiKeys: ApiKeyService;
  readTerminal: ReadTerminalOwner;
  readMerchant: ReadMerchantOwner;
}

export interface NewKey {
  kind: ApiKeyKind;
  mode: ApiKeyMode;
  /** Whose key, or for a key of the account, one of the account's merchants. */
  merchantId: string;
  /** For a key of a terminal, and no other. */
  terminalId: string | null;
  label: string;
}

/**
 * Refuses with `notFound` (no such merchant, or no such terminal of it), `invalidInput` (label, or no terminal named) or `invalidData`
 * (two keys are active, a terminal that the kind does not have, or a test key for a terminal).
 */
export async function createKey(
  deps: NewKeyDeps,
  context: RequestContext,
  input: NewKey,
  complete: Complete<IssuedApiKey>,
): Promise<IssuedApiKey> {
  assertFits(input);
  return deps.apiKeys.issue(context, await holderOf(deps, context, input), complete);
}

function assertFits({ kind, mode, terminalId }: NewKey): void {
  if (kind === 'checkout') {
    if (terminalId === null)
      throw new DomainError('invalidInput', 'a key of the checkout names its terminal', { field: 'terminalId' });
    if (mode === 'live-test')
      throw new DomainError('invalidData', 'a terminal moves money: there is no test key for it', { field: 'mode' });
    return;
  }
  if (terminalId !== null)
    throw new DomainError('invalidData', `a ${kind} key has no terminal`, { field: 'terminalId' });
}

/** Who the key speaks for. */
async function holderOf(
  { readMerchant, readTerminal }: NewKeyDeps,
  { caller: { environment } }: RequestContext,
  { kind, mode, merchantId, terminalId, label }: NewKey,
): Promise<NewApiKey> {
  const merchant = await readMerchant(environment, merchantId);
  if (!merchant) throw new DomainError('notFound', 'There is no such merchant.', { field: 'merchantId' });
  if (terminalId !== null) {
    const terminal = await readTerminal(environment, terminalId);
    if (terminal?.merchantId !== merchantId)
      throw new DomainError('notFound', 'The merchant has no such terminal.', { field: 'terminalId' });
    return { kind, mode, accountId: terminal.accountId, holderId: terminalId, merchantId, label };
  }
  const { accountId } = merchant;
  const isOfAccount = kind === 'consumer' || kind === 'partner';
  return isOfAccount
    ? { kind, mode, accountId, holderId: accountId, merchantId: null, label }
    : { kind, mode, accountId, holderId: merchantId, merchantId, label };
}
