// What tokenization must know about an agreement, and when it stands in the way (tokenization interface, MTS-1611; the 403 of foreign identifiers).
import type { Caller, Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import type { BinScheme } from '../token-service/bin-table';

/** The facts of one identifier triple and one merchant, as the merchants domain answers them. */
export interface TokenAgreement {
  agreementId: string;
  /** The tenant. */
  accountId: string;
  status: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';
  /** Card schemes that may be tokenized under it. */
  schemes: readonly BinScheme[];
  /** null: not enrolled under this agreement. */
  merchant: { status: 'ACTIVE' | 'INACTIVE' | 'DELETED' } | null;
}

/** null: there is no agreement for the triple. */
export type ReadAgreement = (
  environment: Environment,
  identifiers: TokenizationIdentifiers,
  merchantId: string,
) => Promise<TokenAgreement | null>;

/** Refuses identifiers that are not the caller's own with `forbidden`, before any look-up. */
export function checkOwnership(caller: Caller, identifiers: TokenizationIdentifiers): void {
  const isOwn = caller.identifiers.some(
    (own) =>
      own.acquirerId === identifiers.acquirerId &&
      own.providerId === identifiers.providerId &&
      own.pspId === identifiers.pspId,
  );
  if (!isOwn)
    throw new DomainError('forbidden', 'The acquirer, provider and PSP identifiers are not those of this client.');
}

/** The agreement when it allows tokenization for this tenant's merchant; everything else is `agreementInactive`. */
export function decideAgreement(facts: TokenAgreement | null, accountId: string | null): TokenAgreement {
  const agreement = decideEnrolment(facts, accountId);
  const status = agreement.merchant?.status;
  if (status !== 'ACTIVE')
    throw inactive(status === 'DELETED' ? 'the merchant is deleted' : 'the merchant is inactive');
  return agreement;
}

/** The same for the deletion of an account: that of a deleted merchant can be deleted still, because nobody can reactivate it for that. */
export function decideAgreementForDeletion(facts: TokenAgreement | null, accountId: string | null): TokenAgreement {
  const agreement = decideEnrolment(facts, accountId);
  return agreement.merchant?.status === 'DELETED' ? agreement : decideAgreement(facts, accountId);
}

function decideEnrolment(facts: TokenAgreement | null, accountId: string | null): TokenAgreement {
  if (!facts || facts.accountId !== accountId) throw inactive('there is none for these identifiers');
  if (facts.status !== 'ACTIVE') throw inactive(`it is ${facts.status}`);
  if (!facts.merchant) throw inactive('the merchant is not enrolled under it');
  return facts;
}

function inactive(reason: string): DomainError {
  return new DomainError('agreementInactive', `No usable agreement: ${reason}`);
}
