// Create transaction credentials (tokenization interface, POST /virtual-accounts/{virtualAccountId}/transaction): token, expiry and a one-time cryptogram.
import type { TokenizationIdentifiers } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { type RecipientKey, sealTo } from '../../shared/crypto/jwe';
import { DomainError } from '../../shared/errors';
import { newOrderedId, sha256 } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { slotOf } from '../../shared/store/slot';
import type { UpdateWrite } from '../../shared/store/unit-of-work';
import { checkIdentifiers, checkTransactionData, checkTransactionFormat, type TransactionFields } from '../field-rules';
import { checkOwnership, decideAgreement } from '../tokens/agreement';
import { requireOwnAccount } from '../tokens/token-state.service';
import type { HeldAccount } from '../tokens/virtual-account.repository';
import { requireRecipient, type VirtualAccountDeps } from '../tokens/virtual-account.service';
import { type CardTransaction, decideReplay } from './card-transaction';
import type { CardTransactionRepository } from './card-transaction.repository';
import { cryptogramHashOf } from './redemption.service';

export interface CreateTransaction extends TransactionFields {
  identifiers: TokenizationIdentifiers;
  virtualAccountId: string;
}

export interface CreatedTransaction {
  /** Compact JWE of `{ token, tokenExpiry, cryptogram }`, sealed to the caller's registered key. */
  encryptedData: string;
}

export type CardTransactionDeps = VirtualAccountDeps & { transactions: CardTransactionRepository };

/**
 * Makes transaction credentials. The same transactionId with the same content gets the stored envelope for 15 minutes.
 * Refuses in the fixed order: invalidInput, forbidden, invalidInput, notFound, agreementInactive, invalidData, cryptographyFailed,
 * tokenServiceRefused, tokenServiceFailed, unavailable.
 */
export function createTransaction(
  deps: CardTransactionDeps,
  context: RequestContext,
  request: CreateTransaction,
): Promise<CreatedTransaction> {
  const { caller } = context;
  const { identifiers, virtualAccountId, merchantId, transactionId } = request;
  return deps.idempotent<CreatedTransaction>(context, 'createTransaction', async (complete) => {
    checkIdentifiers(identifiers);
    checkOwnership(caller, identifiers);
    checkTransactionFormat(request);
    return decideAgain(async () => {
      const { environment, accountId } = caller;
      const { acquirerId } = identifiers;
      const read = await requireOwnAccount(deps, context, { virtualAccountId, acquirerId });
      if (read.account.state === 'DELETED') throw new DomainError('notFound', 'There is no such virtual account.');
      decideAgreement(await deps.readAgreement(environment, identifiers, merchantId), accountId);
      const now = deps.clock.now();
      const transaction = decideTransaction(request, read, now);
      const known = await deps.transactions.find({ environment, acquirerId, merchantId, transactionId });
      if (known) return replay(deps, { encryptedData: decideReplay(known, transaction, now) }, complete);
      const recipient = await requireRecipient(deps.recipientKey, caller);
      return create(deps, { read, transaction, recipient, complete });
    });
  });
}

function decideTransaction(request: CreateTransaction, { account }: HeldAccount, now: Date): CardTransaction {
  const transactionAt = checkTransactionData(request, now);
  if (request.merchantId !== account.merchantId) {
    const message = 'merchantInfo.merchantId is not the merchant of this virtual account';
    throw new DomainError('invalidData', message, { field: 'merchantInfo.merchantId' });
  }
  const { environment, accountId, acquirerId, merchantId, virtualAccountId } = account;
  const { transactionId, amount, currencyCode } = request;
  return {
    cardTransactionId: newOrderedId(slotOf(account)),
    environment,
    accountId,
    acquirerId,
    merchantId,
    virtualAccountId,
    transactionId,
    transactionAt,
    amount,
    currencyCode,
    createdAt: now,
  };
}

type CompleteTransaction = (result: CreatedTransaction) => UpdateWrite[];

async function replay(
  deps: CardTransactionDeps,
  result: CreatedTransaction,
  complete: CompleteTransaction,
): Promise<CreatedTransaction> {
  const updates = complete(result);
  if (updates.length > 0) await deps.inTransaction({ updates });
  return result;
}

interface TransactionCreation {
  read: HeldAccount;
  transaction: CardTransaction;
  recipient: RecipientKey;
  complete: CompleteTransaction;
}

async function create(
  deps: CardTransactionDeps,
  { read, transaction, recipient, complete }: TransactionCreation,
): Promise<CreatedTransaction> {
  const { account, holding } = read;
  if (account.state !== 'ACTIVE') throw new DomainError('tokenServiceRefused', 'The virtual account is suspended.');
  const cryptogram = await deps.tokenService.cryptogram({
    requestId: requestIdOf(transaction),
    tokenReference: holding.tokenReference,
  });
  if (!/^[A-Za-z0-9+/]{27}=$/.test(cryptogram))
    throw new DomainError('tokenServiceFailed', 'The token service answered with no cryptogram.');
  const token = await deps.vault.open({ owner: account.accountId, field: 'virtualAccount.token' }, holding.token);
  const cryptogramHash = await cryptogramHashOf(deps.vault, cryptogram);
  const result = { encryptedData: sealTo(recipient, { token, tokenExpiry: account.tokenExpiry, cryptogram }) };
  await deps.inTransaction({
    inserts: [deps.transactions.insertOf({ transaction, cryptogramHash, ...result })],
    updates: [deps.accounts.usedOf(account, transaction.createdAt), ...complete(result)],
  });
  return result;
}

/** One transaction is one request to the token service, however often it is tried. */
function requestIdOf({ environment, acquirerId, merchantId, transactionId, ...content }: CardTransaction): string {
  const { virtualAccountId, amount, currencyCode } = content;
  const parts = [
    environment,
    acquirerId,
    merchantId,
    transactionId,
    virtualAccountId,
    amount,
    currencyCode,
    content.transactionAt.toISOString(),
  ];
  return sha256(JSON.stringify(parts));
}
