// Accounts (tenants): staff open one before it can have merchants, agreements, clients and keys.
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { line } from '../../shared/field-reader';
import type { Account } from '../merchant';
import { type SavingDeps, saveMerchant } from '../saving.service';
import type { AccountRepository } from './account.repository';

export interface AccountServiceDeps extends SavingDeps {
  environment: Environment;
  accounts: AccountRepository;
}

const accountIdPattern = /^[a-z0-9][a-z0-9-]{0,34}$/;
const readName = line(100);

/** Refuses with `invalidInput`, or `conflict` when the id is taken. */
export function createAccount(
  deps: AccountServiceDeps,
  context: RequestContext,
  { accountId, name }: Pick<Account, 'accountId' | 'name'>,
): Promise<Account> {
  if (!accountIdPattern.test(accountId))
    throw new DomainError('invalidInput', 'accountId must be 1 to 35 lower-case letters, digits and hyphens', {
      field: 'accountId',
    });
  const account: Account = { accountId, environment: deps.environment, name: readName(name, 'name') };
  const record = deps.audit(context, {
    action: 'account.created',
    subjectType: 'account',
    subjectId: accountId,
    accountId,
    changes: [{ field: 'name', from: null, to: account.name }],
  });
  return saveMerchant(deps, context, {
    field: 'createAccount',
    result: account,
    unit: { inserts: [deps.accounts.insertOf(account), record] },
  });
}
