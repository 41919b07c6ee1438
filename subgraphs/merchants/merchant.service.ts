// What staff do with merchants and agreements: create, enrol, suspend, resume; each change audited in its own transaction.
import type { AuditedChange } from '../shared/callers/audit';
import type { Environment, TokenizationIdentifiers } from '../shared/callers/caller';
import type { RequestContext } from '../shared/callers/context';
import { reasonChange } from '../shared/callers/reason';
import { isCountryAlpha2 } from '../shared/countries';
import { DomainError } from '../shared/errors';
import { newId } from '../shared/ids';
import { isCurrency } from '../shared/money';
import { decideAgain } from '../shared/store/decide-again';
import type { AuditAction } from '../shared/vocabulary/audit-action';
import type { AccountRepository } from './accounts/account.repository';
import type { AgreementRepository } from './agreements/agreement.repository';
import {
  type Agreement,
  type AgreementStatus,
  agreementChanges,
  agreementsPerMerchantMax,
  schemes as allSchemes,
  emptyDetails,
  type Invoicing,
  type Merchant,
  type MerchantStatus,
  merchantIdPattern,
  type Scheme,
  usualCountry,
  usualCurrency,
} from './merchant';
import { decideDetails } from './merchant-details';
import { insertMerchant, type NewMerchantDeps } from './new-merchant.service';
import { type SavingDeps, saveMerchant } from './saving.service';

export interface MerchantServiceDeps extends SavingDeps, NewMerchantDeps {
  environment: Environment;
  accounts: AccountRepository;
  agreements: AgreementRepository;
}

export interface NewMerchant {
  accountId: string;
  merchantId: string;
  /** The next free one when nothing is said. */
  merchantNumber?: number | null | undefined;
  name: string;
  invoicing: Invoicing;
  currency: string;
  country: string;
}

interface WantedStatus {
  merchantId: string;
  status: MerchantStatus;
  /** Null: not told. */
  reason: string | null;
}

interface WantedAgreementStatus {
  agreementId: string;
  status: AgreementStatus;
  /** Null: not told. */
  reason: string | null;
}

export interface TenantSeed {
  accountId: string;
  name: string;
  merchantId: string;
  merchantNumber: number;
  identifiers: TokenizationIdentifiers;
}

export type MerchantService = ReturnType<typeof createMerchantService>;

export function createMerchantService(deps: MerchantServiceDeps) {
  return {
    createMerchant: (context: RequestContext, merchant: NewMerchant) => createMerchant(deps, context, merchant),
    enrolMerchant: (context: RequestContext, merchantId: string, agreementId: string) =>
      enrolMerchant(deps, context, { merchantId, agreementId }),
    setMerchantStatus: (context: RequestContext, wanted: WantedStatus) => setMerchantStatus(deps, context, wanted),
    setAgreementStatus: (context: RequestContext, wanted: WantedAgreementStatus) =>
      setAgreementStatus(deps, context, wanted),
    setAgreementSchemes: (context: RequestContext, agreementId: string, schemes: readonly Scheme[]) =>
      setAgreementSchemes(deps, context, { agreementId, schemes }),
    seedTenant: (seed: TenantSeed) => seedTenant(deps, seed),
  };
}

/** Refuses with `invalidInput`, `notFound` (the account), `merchantExists` or `conflict` (the number is taken). */
async function createMerchant(
  deps: MerchantServiceDeps,
  context: RequestContext,
  input: NewMerchant,
): Promise<Merchant> {
  if (!merchantIdPattern.test(input.merchantId)) throw malformed('merchantId', merchantIdPattern.source);
  if (!isCurrency(input.currency)) throw malformed('currency', 'an ISO 4217 code such as EUR');
  if (!isCountryAlpha2(input.country)) throw malformed('country', 'an ISO 3166-1 alpha-2 code such as IT');
  if ((input.merchantNumber ?? 1) < 1) throw malformed('merchantNumber', 'a whole number from 1');
  const { name, invoicing, country } = input;
  const details = decideDetails({ name, invoicing, country, status: 'ACTIVE' });
  const [account] = await deps.accounts.findMany(context.caller, [input.accountId]);
  if (!account) throw new DomainError('notFound', 'There is no such account.', { field: 'accountId' });
  const { environment } = deps;
  const now = deps.clock.now();
  return deps.idempotent<Merchant>(context, 'createMerchant', (complete) =>
    insertMerchant(deps, {
      context,
      merchant: {
        ...emptyDetails,
        ...input,
        ...details,
        environment,
        agreementIds: [],
        createdAt: now,
        updatedAt: now,
        version: 1,
      },
      also: (merchant) => ({ updates: complete(merchant) }),
    }),
  );
}

/** Enrolling an enrolled merchant changes nothing. Refuses with `notFound`, or `conflict` when it has too many agreements. */
function enrolMerchant(
  deps: MerchantServiceDeps,
  context: RequestContext,
  ids: { merchantId: string; agreementId: string },
): Promise<Merchant> {
  const { merchantId, agreementId } = ids;
  return decideAgain(async () => {
    const [[merchant], [agreement]] = await Promise.all([
      deps.merchants.findMany(context.caller, [merchantId]),
      deps.agreements.findMany(context.caller, [agreementId]),
    ]);
    if (!merchant || merchant.deletion)
      throw new DomainError('notFound', 'There is no such merchant.', { field: 'merchantId' });
    if (agreement?.accountId !== merchant.accountId)
      throw new DomainError('notFound', 'Its account has no such agreement.', { field: 'agreementId' });
    if (merchant.agreementIds.includes(agreementId)) return merchant;
    if (merchant.agreementIds.length >= agreementsPerMerchantMax)
      throw new DomainError('conflict', 'The merchant has too many agreements.');
    const change = { agreementIds: [...merchant.agreementIds, agreementId], updatedAt: deps.clock.now() };
    const record = deps.audit(
      context,
      auditOf('merchant.enrolled', merchant, { field: 'agreements', from: null, to: agreementId }),
    );
    const result = { ...merchant, ...change, version: merchant.version + 1 };
    return saveMerchant(deps, context, {
      field: 'enrolMerchant',
      result,
      unit: { updates: [deps.merchants.updateOf(merchant, change)], inserts: [record] },
    });
  });
}

function setMerchantStatus(
  deps: MerchantServiceDeps,
  context: RequestContext,
  { merchantId, status, reason }: WantedStatus,
): Promise<Merchant> {
  return decideAgain(async () => {
    const [merchant] = await deps.merchants.findMany(context.caller, [merchantId]);
    if (!merchant || merchant.deletion) throw new DomainError('notFound');
    if (merchant.status === status) return merchant;
    const record = deps.audit(
      context,
      auditOf(
        'merchant.statusChanged',
        merchant,
        { field: 'status', from: merchant.status, to: status },
        ...reasonChange(reason),
      ),
    );
    const change = { status, updatedAt: deps.clock.now() };
    const result = { ...merchant, ...change, version: merchant.version + 1 };
    return saveMerchant(deps, context, {
      field: 'setMerchantStatus',
      result,
      unit: { updates: [deps.merchants.updateOf(merchant, change)], inserts: [record] },
    });
  });
}

/** Refuses with `notFound`, or `conflict` when the agreement is terminated. */
function setAgreementStatus(
  deps: MerchantServiceDeps,
  context: RequestContext,
  { agreementId, status, reason }: WantedAgreementStatus,
): Promise<Agreement> {
  return decideAgain(async () => {
    const agreement = await requireAgreement(deps, context, agreementId);
    if (agreement.status === status) return agreement;
    if (!agreementChanges[agreement.status].includes(status))
      throw new DomainError('conflict', `An agreement that is ${agreement.status} cannot become ${status}.`);
    const record = deps.audit(
      context,
      auditOf(
        'agreement.statusChanged',
        agreement,
        { field: 'status', from: agreement.status, to: status },
        ...reasonChange(reason),
      ),
    );
    const result = { ...agreement, status, version: agreement.version + 1 };
    return saveMerchant(deps, context, {
      field: 'setAgreementStatus',
      result,
      unit: { updates: [deps.agreements.updateOf(agreement, { status })], inserts: [record] },
    });
  });
}

function setAgreementSchemes(
  deps: MerchantServiceDeps,
  context: RequestContext,
  input: { agreementId: string; schemes: readonly Scheme[] },
): Promise<Agreement> {
  return decideAgain(async () => {
    const agreement = await requireAgreement(deps, context, input.agreementId);
    const schemes = allSchemes.filter((scheme) => input.schemes.includes(scheme));
    const record = deps.audit(
      context,
      auditOf('agreement.schemesChanged', agreement, {
        field: 'schemes',
        from: agreement.schemes.join(),
        to: schemes.join(),
      }),
    );
    const result = { ...agreement, schemes, version: agreement.version + 1 };
    return saveMerchant(deps, context, {
      field: 'setAgreementSchemes',
      result,
      unit: { updates: [deps.agreements.updateOf(agreement, { schemes })], inserts: [record] },
    });
  });
}

async function seedTenant(deps: MerchantServiceDeps, seed: TenantSeed): Promise<void> {
  const { environment, clock } = deps;
  const { accountId, name, merchantId, merchantNumber, identifiers } = seed;
  const { acquirerId, providerId, pspId } = identifiers;
  const common = { environment, accountId, createdAt: clock.now(), version: 1 };
  const merchant = { ...emptyDetails, ...common, updatedAt: common.createdAt };
  await deps.accounts.seed({ accountId, environment, name });
  const agreementId = await deps.agreements.seed({
    agreementId: newId(),
    ...common,
    acquirerId,
    providerId,
    pspId,
    status: 'ACTIVE',
    schemes: [...allSchemes],
  });
  await deps.merchants.seed({
    ...merchant,
    merchantId,
    merchantNumber,
    name,
    status: 'ACTIVE',
    invoicing: 'ENABLED',
    currency: usualCurrency,
    country: usualCountry,
    agreementIds: [agreementId],
  });
}

async function requireAgreement(
  deps: MerchantServiceDeps,
  { caller }: RequestContext,
  agreementId: string,
): Promise<Agreement> {
  const [agreement] = await deps.agreements.findMany(caller, [agreementId]);
  if (!agreement) throw new DomainError('notFound');
  return agreement;
}

function malformed(field: string, expected: string): DomainError {
  return new DomainError('invalidInput', `${field} is malformed: expected ${expected}`, { field });
}

function auditOf(action: AuditAction, subject: Merchant | Agreement, ...changes: AuditedChange['changes']) {
  const [subjectType, subjectId] =
    'agreementId' in subject ? ['agreement', subject.agreementId] : ['merchant', subject.merchantId];
  return { action, subjectType, subjectId, accountId: subject.accountId, changes };
}
