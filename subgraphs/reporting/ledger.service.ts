// What staff books by hand: deposits, chargebacks, adjustments, and where a merchant is paid; each an event of the log with its audit record (document 3 C; sandbox control).
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { RecordChange } from '../shared/audit';
import { type Caller, type Environment, systemCaller } from '../shared/caller';
import type { Clock } from '../shared/clock';
import { type RequestContext, requestContext } from '../shared/context';
import { DomainError } from '../shared/errors';
import type { Idempotent } from '../shared/idempotency';
import { newId, uuidOf } from '../shared/ids';
import { amountMinorMax, exactMinorMax, isCurrency } from '../shared/money';
import { DuplicateKey, type InTransaction } from '../shared/outbox';
import { nothing } from './balance';
import type { DayRepository } from './day.repository';
import type { MerchantFacts, ReadMerchant } from './handed-in';
import { dayOf } from './journal';
import { holderOf } from './journal.repository';
import { type LedgerAction, ledgerEvent, payoutAccountEvent } from './reporting.events';

export interface LedgerDeps {
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  days: Pick<DayRepository, 'read'>;
  readMerchant: ReadMerchant;
  audit: RecordChange;
}

export interface LedgerInput {
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

const textMax = 200;
const referenceMax = 64;

/** Books one entry once per idempotency key. Refuses with `notFound`, `amountInvalid` (also when a balance would be above 2^53 - 1), `currencyInvalid`, `invalidInput`. */
export function bookLedgerEntry(
  deps: LedgerDeps,
  context: RequestContext,
  action: LedgerAction,
  { merchantId, ...input }: LedgerInput & { merchantId: string },
): Promise<LedgerEntry> {
  return deps.idempotent(context, `book${action}`, async (complete) => {
    const amountMinor = readAmount(action, input.amount);
    if (!isCurrency(input.currency)) throw new DomainError('currencyInvalid', undefined, { field: 'currency' });
    assertText('reason', input.reason, textMax);
    if (input.reference) assertText('reference', input.reference, referenceMax);
    const merchant = await merchantOf(deps, context.caller, merchantId);
    await assertRoom(deps, merchant, { ...input, environment: context.caller.environment, amountMinor });
    const entry: LedgerEntry = { ledgerEntryId: newId(), action, merchantId, amountMinor, currency: input.currency };
    const { reason, paymentId = null, reference = null } = input;
    const audit = deps.audit(context, {
      ...{ action: 'ledger.booked', subjectType: 'merchant', subjectId: merchantId, accountId: merchant.accountId },
      changes: [
        { field: 'entry', from: null, to: entry.ledgerEntryId },
        { field: 'action', from: null, to: action },
        { field: 'amount', from: null, to: `${amountMinor} ${input.currency}` },
        { field: 'reason', from: null, to: reason },
      ],
    });
    const event = ledgerEvent(newId(), originOf(deps, context, merchant), { ...entry, reason, paymentId, reference });
    await deps.inTransaction({ inserts: [audit], events: [event], updates: complete(entry) });
    return entry;
  });
}

export interface PayoutAccountInput {
  merchantId: string;
  iban: string;
  bic: string;
  reason: string;
}

/** Payouts that are closed from now on go there. Refuses with `notFound`, `invalidData`, `invalidInput`. */
export function setPayoutAccount(
  deps: LedgerDeps,
  context: RequestContext,
  input: PayoutAccountInput,
): Promise<{ merchantId: string }> {
  return deps.idempotent(context, 'setPayoutAccount', async (complete) => {
    const iban = input.iban.replaceAll(' ', '').toUpperCase();
    const bic = input.bic.trim().toUpperCase();
    if (!isValidIBAN(iban)) throw new DomainError('invalidData', 'The IBAN is not valid.', { field: 'iban' });
    if (!isValidBIC(bic)) throw new DomainError('invalidData', 'The BIC is not valid.', { field: 'bic' });
    assertText('reason', input.reason, textMax);
    const merchant = await merchantOf(deps, context.caller, input.merchantId);
    const audit = deps.audit(context, {
      ...{ action: 'merchant.payoutAccountSet', subjectType: 'merchant', subjectId: merchant.merchantId },
      accountId: merchant.accountId,
      changes: [
        { field: 'iban', from: null, to: `${iban.slice(0, 4)}…${iban.slice(-4)}` },
        { field: 'reason', from: null, to: input.reason },
      ],
    });
    const event = payoutAccountEvent(newId(), originOf(deps, context, merchant), { iban, bic, reason: input.reason });
    const result = { merchantId: merchant.merchantId };
    await deps.inTransaction({ inserts: [audit], events: [event], updates: complete(result) });
    return result;
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
  { merchantId, accountId }: MerchantFacts,
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

function assertText(field: string, value: string, lengthMax: number): void {
  if (value.trim() === '' || value.length > lengthMax)
    throw new DomainError('invalidInput', `${field} has 1 to ${lengthMax} characters.`, { field });
}

async function merchantOf(
  { readMerchant }: Pick<LedgerDeps, 'readMerchant'>,
  caller: Caller,
  merchantId: string,
): Promise<MerchantFacts> {
  const merchant = await readMerchant(caller.environment, merchantId);
  const isOwn = caller.accountId === null || merchant?.accountId === caller.accountId;
  if (!merchant || !isOwn) throw new DomainError('notFound');
  return merchant;
}

function originOf(
  { clock }: Pick<LedgerDeps, 'clock'>,
  { caller, requestId }: RequestContext,
  merchant: MerchantFacts,
) {
  const { accountId, merchantId } = merchant;
  return { environment: caller.environment, accountId, merchantId, requestId, at: clock.now() };
}
