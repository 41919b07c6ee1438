// Making a merchant, whoever asks: its number from the counter, its id unique for good, its audit record with every field (merchant administration; decision register 2.3-A, Numbers).
import type { RequestContext } from '../shared/callers/context';
import { DomainError } from '../shared/errors';
import { withoutUndefined } from '../shared/present-members';
import { conflictRetriesMax, DuplicateKey, type InsertWrite, type UnitOfWork } from '../shared/store/unit-of-work';
import type { Merchant } from './merchant';
import type { MerchantRepository } from './merchant.repository';
import { changedFields } from './merchant-audit';
import type { MerchantNumberRepository } from './merchant-number.repository';
import type { SavingDeps } from './saving.service';

export interface NewMerchantDeps extends Pick<SavingDeps, 'audit' | 'inTransaction'> {
  merchants: MerchantRepository;
  numbers: MerchantNumberRepository;
}

export interface MerchantToMake {
  context: Pick<RequestContext, 'caller' | 'requestId'>;
  /** Without a number: the next free one. */
  merchant: Omit<Merchant, 'merchantNumber'> & { merchantNumber?: number | null | undefined };
  /** Who the caller says it is. */
  claimedActor?: string;
  /** What is saved with it. */
  also(merchant: Merchant): { inserts?: InsertWrite[]; updates?: UnitOfWork['updates'] };
}

/** Refuses with `merchantExists` when the id was ever taken, by anyone, and with `conflict` when a chosen number is. */
export async function insertMerchant(
  { merchants, numbers, audit, inTransaction }: NewMerchantDeps,
  { context, merchant: wanted, claimedActor, also }: MerchantToMake,
): Promise<Merchant> {
  for (let attempt = 1; attempt <= conflictRetriesMax; attempt += 1) {
    const merchantNumber = wanted.merchantNumber ?? (await numbers.take(wanted.environment));
    const merchant: Merchant = { ...wanted, merchantNumber };
    const { merchantId, accountId } = merchant;
    const record = audit(context, {
      action: 'merchant.created',
      subjectType: 'merchant',
      subjectId: merchantId,
      accountId,
      ...withoutUndefined({ claimedActor }),
      changes: changedFields(null, merchant),
    });
    const { inserts = [], updates = [] } = also(merchant);
    try {
      await inTransaction({ inserts: [merchants.insertOf(merchant), record, ...inserts], updates });
      return merchant;
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      if ('merchantId' in error.keyPattern) throw new DomainError('merchantExists', undefined, { field: 'merchantId' });
      if (!('merchantNumber' in error.keyPattern) || wanted.merchantNumber) {
        throw new DomainError('conflict', 'The identifier is taken.');
      }
      // Somebody numbered a merchant by hand: the counter goes past it.
    }
  }
  throw new DomainError('conflict');
}
