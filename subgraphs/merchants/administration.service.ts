// Administration of merchants: made, modified and deleted by the holder of a consumer key, or by staff (merchant administration; decision register T4, T5, 2.3-A).
import type { RequestContext } from '../shared/callers/context';
import { reasonChange } from '../shared/callers/reason';
import { DomainError } from '../shared/errors';
import { withoutUndefined } from '../shared/present-members';
import { decideAgain } from '../shared/store/decide-again';
import type { AuditAction } from '../shared/vocabulary/audit-action';
import { emptyDetails, type Merchant, usualCurrency } from './merchant';
import { changedFields } from './merchant-audit';
import { decideClaim, decideDetails, decideMerchantId, decideSaid, type SaidOfMerchant } from './merchant-details';
import { insertMerchant, type NewMerchantDeps } from './new-merchant.service';
import type { SavingDeps } from './saving.service';

export type AdministrationDeps = SavingDeps & NewMerchantDeps;

/** The body of a merchant, with the claims of who makes it and who changes it. */
export interface AdministeredMerchant extends SaidOfMerchant {
  merchantId: string;
  createdBy: string;
  updatedBy: string;
}

interface Deletion {
  merchantId: string;
  /** Who the caller says it is. */
  userId: string;
  /** Null: not told. */
  reason: string | null;
}

export type AdministrationService = ReturnType<typeof createAdministrationService>;

export function createAdministrationService(deps: AdministrationDeps) {
  return {
    /** Belongs to the account of the caller. Refuses with `merchantExists` an id that was ever taken, by anyone. */
    addMerchant: (context: RequestContext, input: AdministeredMerchant) => addMerchant(deps, context, input),
    /** The whole body counts: what it leaves out is empty afterwards. Refuses with `merchantIdMismatch`, `notFound` or `merchantInactive`. */
    replaceMerchant(context: RequestContext, merchantId: string, input: AdministeredMerchant) {
      const updatedBy = decideClaim('updatedBy', input.updatedBy);
      return change(deps, context, {
        field: 'replaceMerchant',
        merchantId,
        claimedActor: updatedBy,
        decide: replacement(merchantId, { ...input, updatedBy }),
      });
    },
    /** Only what is said counts. Refuses with `notFound`. */
    updateMerchant: (context: RequestContext, merchantId: string, said: Partial<SaidOfMerchant>) =>
      change(deps, context, {
        field: 'updateMerchant',
        merchantId,
        decide: () => decideSaid(said),
      }),
    /** For good: takes no more orders at once, its keys and sessions end within seconds, its id is never used again. Refuses with `notFound`. */
    deleteMerchant(context: RequestContext, { merchantId, userId: claimed, reason }: Deletion) {
      const userId = decideClaim('userId', claimed);
      return change(deps, context, {
        field: 'deleteMerchant',
        action: 'merchant.deleted',
        merchantId,
        claimedActor: userId,
        reason,
        decide: () => ({ status: 'INACTIVE', deletion: { at: deps.clock.now(), userId, isDone: false } }),
      });
    },
  };
}

function addMerchant(
  deps: AdministrationDeps,
  context: RequestContext,
  { merchantId, createdBy, updatedBy, ...said }: AdministeredMerchant,
): Promise<Merchant> {
  const { environment, accountId } = context.caller;
  if (accountId === null) throw new DomainError('forbidden', 'a merchant belongs to the account of its caller');
  const details = { ...emptyDetails, ...decideDetails(said), merchantId: decideMerchantId(merchantId) };
  const claims = { createdBy: decideClaim('createdBy', createdBy), updatedBy: decideClaim('updatedBy', updatedBy) };
  const now = deps.clock.now();
  return deps.idempotent<Merchant>(context, 'addMerchant', (complete) =>
    insertMerchant(deps, {
      context,
      claimedActor: claims.createdBy,
      merchant: {
        environment,
        accountId,
        ...details,
        ...claims,
        currency: usualCurrency,
        agreementIds: [],
        createdAt: now,
        updatedAt: now,
        version: 1,
      },
      also: (merchant) => ({ updates: complete(merchant) }),
    }),
  );
}

function replacement(merchantId: string, input: AdministeredMerchant): AdministrationChange['decide'] {
  const { merchantId: named, createdBy, updatedBy, ...said } = input;
  if (named !== merchantId) throw new DomainError('merchantIdMismatch', undefined, { field: 'merchantId' });
  // Who made it was said when it was made.
  decideClaim('createdBy', createdBy);
  const details = decideDetails(said);
  return (merchant) => {
    if (merchant.status === 'INACTIVE' && details.status === 'INACTIVE') throw new DomainError('merchantInactive');
    return { ...details, updatedBy };
  };
}

interface AdministrationChange {
  /** The mutation, for its idempotency key. */
  field: string;
  action?: AuditAction;
  merchantId: string;
  claimedActor?: string;
  reason?: string | null;
  decide(merchant: Merchant): Partial<Merchant>;
}

/** A deleted merchant is absent for everybody who wants to change it. */
function change(deps: AdministrationDeps, context: RequestContext, wanted: AdministrationChange): Promise<Merchant> {
  const { field, action = 'merchant.changed', merchantId, claimedActor, reason = null } = wanted;
  return deps.idempotent<Merchant>(context, field, (complete) =>
    decideAgain(async () => {
      const [merchant] = await deps.merchants.findMany(context.caller, [merchantId]);
      if (!merchant || merchant.deletion) throw new DomainError('notFound', 'There is no such merchant.');
      const changed = { ...wanted.decide(merchant), updatedAt: deps.clock.now() };
      const result: Merchant = { ...merchant, ...changed, version: merchant.version + 1 };
      const record = deps.audit(context, {
        action,
        subjectType: 'merchant',
        subjectId: merchantId,
        accountId: merchant.accountId,
        ...withoutUndefined({ claimedActor }),
        changes: [...changedFields(merchant, result), ...reasonChange(reason)],
      });
      await deps.inTransaction({
        updates: [deps.merchants.updateOf(merchant, changed), ...complete(result)],
        inserts: [record],
      });
      return result;
    }),
  );
}
