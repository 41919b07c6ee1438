// What staff books by hand: deposits, chargebacks, adjustments, and where a merchant is paid; proposed by one person, confirmed by another, each an event of the log with its audit record (reporting interface; sandbox control).
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import { type Caller, type Environment, systemCaller } from '../../shared/callers/caller';
import { type RequestContext, requestContext } from '../../shared/callers/context';
import type { Propose } from '../../shared/callers/proposal';
import { reasonChange, requireReason } from '../../shared/callers/reason';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { line } from '../../shared/field-reader';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { newId, uuidOf } from '../../shared/ids';
import { amountMinorMax, exactMinorMax, isCurrency } from '../../shared/money';
import { DuplicateKey, type InTransaction, newEventId, type UnitOfWork } from '../../shared/store/unit-of-work';
import { nothing } from '../journal/balance';
import { dayOf } from '../journal/journal';
import type { JournalRepository } from '../journal/journal.repository';
import { holderOf } from '../journal/stored-journal.repository';
import type { DayRepository } from '../payouts/day.repository';
import type { IsPaymentOf, ReadReportedMerchant, ReportedMerchant } from '../ports';
import { type LedgerAction, ledgerEvent, payoutAccountEvent } from '../reporting.events';

export interface LedgerDeps {
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  days: Pick<DayRepository, 'read'>;
  readMerchant: ReadReportedMerchant;
  isPaymentOf: IsPaymentOf;
  journal: Pick<JournalRepository, 'findManyTerms'>;
  audit: RecordChange;
  propose: Propose;
}

export interface LedgerInput {
  action: LedgerAction;
  merchantId: string;
  /** Minor units as text; an ADJUSTMENT may be negative. */
  amount: string;
  currency: string;
  reason: string;
  paymentId?: string | null;
  reference?: string | null;
}

export interface LedgerEntry {
  ledgerEntryId: string;
  action: LedgerAction;
  merchantId: string;
  amountMinor: bigint;
  currency: string;
}

const readReference = line(64);

/** A booking that was judged, its words as they are kept, and whose books it changes. */
interface JudgedBooking {
  entry: LedgerEntry;
  told: LedgerInput;
  merchant: ReportedMerchant;
}

/** Refuses with `notFound`, `amountInvalid` (also when a balance would be above 2^53 - 1), `currencyInvalid`, `invalidInput`. */
async function judgeEntry(deps: LedgerDeps, { caller }: RequestContext, input: LedgerInput): Promise<JudgedBooking> {
  const { action, merchantId, currency } = input;
  const amountMinor = readAmount(action, input.amount);
  if (!isCurrency(currency)) throw new DomainError('currencyInvalid', undefined, { field: 'currency' });
  const reason = requireReason(input.reason);
  const reference = input.reference ? readReference(input.reference, 'reference') : null;
  const merchant = await merchantOf(deps, caller, merchantId);
  const { paymentId } = input;
  if (paymentId && !(await deps.isPaymentOf(caller.environment, merchantId, paymentId)))
    throw new DomainError('notFound', 'The merchant has no such payment.', { field: 'paymentId' });
  await assertRoom(deps, merchant, { currency, environment: caller.environment, amountMinor });
  const entry = { ledgerEntryId: newId(), action, merchantId, amountMinor, currency };
  return { entry, told: { ...input, reason, reference }, merchant };
}

/** Books one entry, judged anew; the writes of `beside` join the transaction. */
export async function bookLedgerEntry(
  deps: LedgerDeps,
  context: RequestContext,
  input: LedgerInput,
  beside: (entry: LedgerEntry) => Pick<UnitOfWork, 'inserts' | 'updates'>,
): Promise<LedgerEntry> {
  const { entry, told, merchant } = await judgeEntry(deps, context, input);
  const { reason, paymentId = null, reference = null } = told;
  const audit = deps.audit(context, {
    action: 'ledger.booked',
    ...subjectOf(merchant),
    changes: [{ field: 'entry', from: null, to: entry.ledgerEntryId }, ...changesOf(told), ...reasonChange(reason)],
  });
  const event = ledgerEvent(originOf(deps, context, merchant), { ...entry, reason, paymentId, reference });
  const { inserts = [], updates = [] } = beside(entry);
  await deps.inTransaction({ inserts: [audit, ...inserts], events: [event], updates });
  return entry;
}

/** Proposes a booking that would be possible now, once per idempotency key. Refuses as the booking itself does. */
export function proposeLedgerEntry(
  deps: LedgerDeps,
  context: RequestContext,
  input: LedgerInput,
): Promise<{ proposalId: string }> {
  return deps.idempotent(context, `book${input.action}`, async (complete) => {
    const { told, merchant } = await judgeEntry(deps, context, input);
    const proposal = { ...subjectOf(merchant), reason: told.reason, changes: changesOf(told), input: { ...told } };
    return deps.propose(context, { kind: 'LEDGER_BOOKING', ...proposal }, complete);
  });
}

function changesOf({ action, amount, currency, paymentId, reference }: LedgerInput): AuditedChange['changes'] {
  const told = { action, amount: `${amount} ${currency}`, payment: paymentId, reference };
  return Object.entries(told).flatMap(([field, to]) => (to ? [{ field, from: null, to }] : []));
}

function subjectOf({ merchantId, accountId }: ReportedMerchant) {
  return { subjectType: 'merchant', subjectId: merchantId, accountId };
}

export interface PayoutAccountInput {
  merchantId: string;
  iban: string;
  bic: string;
  reason: string;
}

/** In its printed form. Refuses with `notFound`, `invalidData`, `invalidInput`. */
async function judgePayoutAccount(deps: LedgerDeps, { caller }: RequestContext, input: PayoutAccountInput) {
  const iban = input.iban.replaceAll(' ', '').toUpperCase();
  const bic = input.bic.trim().toUpperCase();
  if (!isValidIBAN(iban)) throw new DomainError('invalidData', 'The IBAN is not valid.', { field: 'iban' });
  if (!isValidBIC(bic)) throw new DomainError('invalidData', 'The BIC is not valid.', { field: 'bic' });
  const reason = requireReason(input.reason);
  const merchant = await merchantOf(deps, caller, input.merchantId);
  const [known] = await deps.journal.findManyTerms(caller.environment, [input.merchantId]);
  const changes = accountChanges({ iban: known?.iban ?? null, bic: known?.bic ?? null }, { iban, bic });
  return { iban, bic, reason, merchant, changes };
}

/** Enough of each to tell it from another; the whole of it is a look that is audited. */
const shownEnds = { iban: [4, 4], bic: [4, 3] } as const;

function accountChanges(
  from: Record<keyof typeof shownEnds, string | null>,
  to: Record<keyof typeof shownEnds, string>,
): AuditedChange['changes'] {
  return (['iban', 'bic'] as const)
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field, from: from[field] && shortened(field, from[field]), to: shortened(field, to[field]) }));
}

function shortened(field: keyof typeof shownEnds, value: string): string {
  const [first, last] = shownEnds[field];
  return `${value.slice(0, first)}…${value.slice(-last)}`;
}

/** Payouts that are closed from now on go there; judged anew, the writes of `beside` join the transaction. */
export async function setPayoutAccount(
  deps: LedgerDeps,
  context: RequestContext,
  input: PayoutAccountInput,
  beside: () => Pick<UnitOfWork, 'inserts' | 'updates'>,
): Promise<void> {
  const { iban, bic, reason, merchant, changes } = await judgePayoutAccount(deps, context, input);
  const audit = deps.audit(context, {
    action: 'merchant.payoutAccountSet',
    ...subjectOf(merchant),
    changes: [...changes, ...reasonChange(reason)],
  });
  const event = payoutAccountEvent(newEventId(merchant), originOf(deps, context, merchant), { iban, bic, reason });
  const { inserts = [], updates = [] } = beside();
  await deps.inTransaction({ inserts: [audit, ...inserts], events: [event], updates });
}

/** Proposes where a merchant is to be paid, once per idempotency key. Refuses as the setting itself does. */
export function proposePayoutAccount(
  deps: LedgerDeps,
  context: RequestContext,
  input: PayoutAccountInput,
): Promise<{ proposalId: string }> {
  return deps.idempotent(context, 'setPayoutAccount', async (complete) => {
    const { iban, bic, reason, merchant, changes } = await judgePayoutAccount(deps, context, input);
    const proposal = { ...subjectOf(merchant), reason, changes, input: { ...input, iban, bic, reason } };
    return deps.propose(context, { kind: 'PAYOUT_ACCOUNT', ...proposal }, complete);
  });
}

/** Makes the first payout account of a merchant unless it was made before; for the sandbox's tenants. Safe to repeat. */
export async function seedPayoutAccount(
  deps: Pick<LedgerDeps, 'inTransaction' | 'clock' | 'readMerchant'>,
  environment: Environment,
  { merchantId, iban, bic }: Omit<PayoutAccountInput, 'reason'>,
): Promise<void> {
  const context = requestContext(systemCaller(environment, 'seed'), 'seed');
  const merchant = await merchantOf(deps, context.caller, merchantId);
  const eventId = uuidOf(`payout account ${environment} ${merchantId}`);
  const event = payoutAccountEvent(eventId, originOf(deps, context, merchant), { iban, bic, reason: 'seeded' });
  await deps.inTransaction({ events: [event] }).catch((error: unknown) => {
    if (!(error instanceof DuplicateKey)) throw error;
  });
}

function readAmount(action: LedgerAction, text: string): bigint {
  const pattern = action === 'ADJUSTMENT' ? /^-?[1-9]\d{0,11}$/ : /^[1-9]\d{0,11}$/;
  const amountMinor = pattern.test(text) ? BigInt(text) : null;
  if (amountMinor === null || amountMinor > amountMinorMax)
    throw new DomainError('amountInvalid', 'The amount is a whole number of minor units, 1 to 12 digits, not zero.', {
      field: 'amount',
    });
  return amountMinor;
}

/** Reports print a JSON number: no balance of the merchant or its account, and no sum of the day, may leave the numbers that one holds exactly. */
async function assertRoom(
  { days, clock }: Pick<LedgerDeps, 'days' | 'clock'>,
  { merchantId, accountId }: ReportedMerchant,
  { environment, currency, amountMinor }: { environment: Environment; currency: string; amountMinor: bigint },
): Promise<void> {
  const holders = [holderOf(environment, 'merchant', merchantId), holderOf(environment, 'account', accountId)];
  const today = dayOf(clock.now());
  const found = await days.read(holders, { from: today, to: today, currencies: [currency] });
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  for (const { days: ofToday, carried } of found.values()) {
    const opening = carried.get(currency) ?? 0n;
    const { creditsMinor, debitsMinor } = ofToday[0] ?? nothing;
    const closing = opening + creditsMinor - debitsMinor;
    const largest = [creditsMinor, debitsMinor, closing < 0n ? -closing : closing].reduce((a, b) => (a > b ? a : b));
    if (largest + size > exactMinorMax)
      throw new DomainError('amountInvalid', 'A balance or a sum would be above 2^53 - 1.', { field: 'amount' });
  }
}

async function merchantOf(
  { readMerchant }: Pick<LedgerDeps, 'readMerchant'>,
  caller: Caller,
  merchantId: string,
): Promise<ReportedMerchant> {
  const merchant = await readMerchant(caller.environment, merchantId);
  const isOwn = caller.accountId === null || merchant?.accountId === caller.accountId;
  if (!merchant || !isOwn) throw new DomainError('notFound', 'There is no such merchant.', { field: 'merchantId' });
  return merchant;
}

function originOf(
  { clock }: Pick<LedgerDeps, 'clock'>,
  { caller, requestId }: RequestContext,
  merchant: ReportedMerchant,
) {
  const { accountId, merchantId } = merchant;
  return { environment: caller.environment, accountId, merchantId, requestId, at: clock.now() };
}
