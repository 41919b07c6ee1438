// A new agreement of an account: the triple of acquirer, provider and PSP that a tokenization client sends (tokenization interface, Identifiers assigned at onboarding).
import type { Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import type { AccountRepository } from '../accounts/account.repository';
import { type Agreement, schemes as allSchemes, identifierPattern, type Scheme } from '../merchant';
import { type SavingDeps, saveMerchant } from '../saving.service';
import type { AgreementRepository } from './agreement.repository';

export interface NewAgreementDeps extends SavingDeps {
  environment: Environment;
  accounts: AccountRepository;
  agreements: AgreementRepository;
}

export interface NewAgreement extends TokenizationIdentifiers {
  accountId: string;
  /** All of them when nothing is said. */
  schemes?: readonly Scheme[] | null | undefined;
}

/** Refuses with `invalidInput` (an identifier), `notFound` (the account) or `conflict` (the triple is taken). */
export async function createAgreement(
  deps: NewAgreementDeps,
  context: RequestContext,
  { accountId, acquirerId, providerId, pspId, schemes }: NewAgreement,
): Promise<Agreement> {
  for (const [field, value] of Object.entries({ acquirerId, providerId, pspId })) {
    if (!identifierPattern.test(value))
      throw new DomainError('invalidInput', `${field} must be 1 to 36 letters, digits and hyphens`, { field });
  }
  const [account] = await deps.accounts.findMany(context.caller, [accountId]);
  if (!account) throw new DomainError('notFound', 'There is no such account.', { field: 'accountId' });
  const agreement: Agreement = {
    agreementId: newId(),
    environment: deps.environment,
    accountId,
    acquirerId,
    providerId,
    pspId,
    status: 'ACTIVE',
    schemes: allSchemes.filter((scheme) => !schemes || schemes.includes(scheme)),
    createdAt: deps.clock.now(),
    version: 1,
  };
  const changes = Object.entries({ acquirerId, providerId, pspId, schemes: agreement.schemes.join() });
  const record = deps.audit(context, {
    action: 'agreement.created',
    subjectType: 'agreement',
    subjectId: agreement.agreementId,
    accountId,
    changes: changes.map(([field, to]) => ({ field, from: null, to })),
  });
  return saveMerchant(deps, context, {
    field: 'createAgreement',
    result: agreement,
    unit: { inserts: [deps.agreements.insertOf(agreement), record] },
  });
}
