// Consents: kept when the payer's first payment succeeded, found again for the charges after it (payment interface, recurrence and PaymentWithToken).
import { type Caller, type Environment, systemCaller } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime, newId, newSecret, sha256 } from '../../shared/ids';
import type { UnitOfWork } from '../../shared/store/unit-of-work';
import type { OperationResult } from '../../shared/vocabulary/operation';
import type { Money, Outcome } from '../money/money';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import {
  type Contract,
  type ContractType,
  decideContractUse,
  isAgreed,
  isRefused,
  type Recurrence,
  type RecurrenceRequest,
} from './contract';
import type { ContractRepository } from './contract.repository';

export interface ContractDeps {
  contracts: ContractRepository;
  money: Pick<Money, 'findPayment'>;
  clock: Clock;
  vault: Vault;
}

/** What a consent of family A is shown as. */
export interface ShownConsent {
  token: string;
  tokenSecret: string;
}

export interface ContractCharge {
  contract: Contract;
  contractType: ContractType;
  isMerchantInitiated: boolean;
}

/** Whose consent it is, and the payment by which it is given. */
type ConsentOwner = Pick<Payment, 'environment' | 'accountId' | 'merchantId' | 'family' | 'paymentId'>;

/** What a payer's visit says about the consent that is given with it. */
interface ConsentingVisit extends ConsentOwner {
  recurrence: Recurrence | null;
  /** A consent of family A is asked for. */
  keepsConsent: boolean;
  instrument: Instrument | null;
}

const keeping: ReadonlySet<OperationResult> = new Set(['AUTHORIZED', 'THREEDS_VALIDATED', 'PENDING']);

/** The contract that a later charge goes by. Refuses with `contractUnknown` or `merchantInitiatedRefused`. */
export async function requireContract(
  deps: ContractDeps,
  caller: Caller,
  { merchantId, recurrence }: { merchantId: string; recurrence: RecurrenceRequest },
): Promise<ContractCharge> {
  const contract = await findAgreed(deps, caller, await readContract(deps, caller.environment, merchantId, recurrence));
  if (!contract) throw new DomainError('contractUnknown', undefined, { field: 'paymentSession.recurrence.contractId' });
  return { contract: unauthenticated(contract), ...decideContractUse(contract, recurrence, deps.clock.now()) };
}

/** The consent behind a token of family A, or null: unknown, somebody else's, a wrong secret, or not agreed to in the end. */
export async function findConsent(
  deps: ContractDeps,
  caller: Caller,
  { token, tokenSecret }: ShownConsent,
): Promise<Contract | null> {
  const contract = await deps.contracts.findByToken(caller, sha256(token));
  const isRight = equalsConstantTime(sha256(tokenSecret), contract?.secretHash ?? '');
  const agreed = isRight ? await findAgreed(deps, caller, contract) : null;
  return agreed && unauthenticated(agreed);
}

/** What the payment's consent is shown as to its merchant, or null where there is none (yet). */
export async function readConsent(deps: ContractDeps, caller: Caller, paymentId: string): Promise<ShownConsent | null> {
  const contract = await findAgreed(deps, caller, await deps.contracts.findByOrigin(caller, paymentId));
  if (!contract?.shown) return null;
  return JSON.parse(
    await deps.vault.open({ owner: contract.accountId, field: 'contract.shown' }, contract.shown),
  ) as ShownConsent;
}

/** Writes that keep the consent of a session beside the outcome that it was given with; empty when there is nothing to keep. */
export async function consentWrites(
  deps: ContractDeps,
  session: ConsentingVisit,
  { operation, payment }: Outcome,
): Promise<UnitOfWork> {
  const { recurrence, keepsConsent, environment, merchantId } = session;
  const instrument = payment.instrument ?? session.instrument;
  if (!keeping.has(operation.result) || !instrument || operation.type === 'CANCEL') return {};
  const status: Contract['status'] = operation.result === 'PENDING' ? 'PENDING' : 'ACTIVE';
  if (keepsConsent)
    return { inserts: [deps.contracts.insertOf(await newConsent(deps, session, { instrument, status }))] };
  if (!recurrence || recurrence.action === 'SUBSEQUENT_PAYMENT') return {};
  const now = deps.clock.now();
  const known = await deps.contracts.find(environment, merchantId, recurrence.contractId);
  const terms = {
    type: recurrence.contractType,
    expiryDate: recurrence.expiryDate,
    frequencyDays: recurrence.frequencyDays,
  };
  const change = { instrument, originPaymentId: session.paymentId } as const;
  if (known) {
    // What was agreed before stays good until this is, also where it lay in `pending` itself.
    const before = (await findAgreed(deps, systemCaller(environment, 'contracts'), known)) ?? known;
    const { type, expiryDate, frequencyDays } = recurrence.action === 'CARD_SUBSTITUTION' ? before : terms;
    const changed = { ...change, type, expiryDate, frequencyDays };
    const settled: Partial<Contract> =
      status === 'PENDING' ? { ...agreedPartOf(before), pending: changed } : { ...changed, status, pending: null };
    return { updates: [deps.contracts.updateOf(known, { ...settled, updatedAt: now })] };
  }
  const contract = { ...emptyContract(session, now), ...terms, ...change, status, contractId: recurrence.contractId };
  return { inserts: [deps.contracts.insertOf(contract)] };
}

/** Whether nobody agreed to it, nor can any more: its contractId may be used anew. */
export async function isContractRefused(
  { money }: Pick<ContractDeps, 'money'>,
  caller: Caller,
  { status, originPaymentId, pending }: Contract,
): Promise<boolean> {
  if (status === 'ACTIVE') return false;
  const origins = [originPaymentId, ...(pending ? [pending.originPaymentId] : [])];
  const payments = await Promise.all(origins.map((paymentId) => money.findPayment(caller, paymentId)));
  return payments.every((payment) => payment !== null && isRefused(payment));
}

/** A consent of family A for an instrument that was charged or collected without a session's help. */
export async function newConsent(
  deps: Pick<ContractDeps, 'vault' | 'clock'>,
  owner: ConsentOwner,
  { instrument, status }: { instrument: Instrument; status: Contract['status'] },
): Promise<Contract> {
  const shown: ShownConsent = { token: newSecret('pmt'), tokenSecret: newSecret('pms') };
  return {
    ...emptyContract(owner, deps.clock.now()),
    contractId: newId(),
    type: 'MIT_UNSCHEDULED',
    instrument,
    status,
    tokenHash: sha256(shown.token),
    secretHash: sha256(shown.tokenSecret),
    shown: await deps.vault.seal({ owner: owner.accountId, field: 'contract.shown' }, JSON.stringify(shown)),
  };
}

function readContract(
  deps: ContractDeps,
  environment: Environment,
  merchantId: string,
  { contractId }: RecurrenceRequest,
): Promise<Contract | null> {
  return contractId === null ? Promise.resolve(null) : deps.contracts.find(environment, merchantId, contractId);
}

async function findAgreed(deps: ContractDeps, caller: Caller, contract: Contract | null): Promise<Contract | null> {
  if (!contract) return null;
  const { pending, originPaymentId, status } = contract;
  const isAgreedBy = async (paymentId: string) => {
    const origin = await deps.money.findPayment(caller, paymentId);
    return origin !== null && isAgreed(origin);
  };
  if (pending && (await isAgreedBy(pending.originPaymentId))) return { ...contract, ...pending, status: 'ACTIVE' };
  return status === 'ACTIVE' || (await isAgreedBy(originPaymentId)) ? contract : null;
}

/** For a later charge: the authentication of the payment that stored the card, or put it there, is none of another one. */
function unauthenticated(contract: Contract): Contract {
  return { ...contract, instrument: { ...contract.instrument, threeDs: 'none' } };
}

function agreedPartOf({
  type,
  expiryDate,
  frequencyDays,
  instrument,
  originPaymentId,
  status,
}: Contract): Partial<Contract> {
  return { type, expiryDate, frequencyDays, instrument, originPaymentId, status };
}

function emptyContract(
  { environment, accountId, merchantId, family, paymentId }: ConsentOwner,
  now: Date,
): Omit<Contract, 'contractId' | 'type' | 'instrument' | 'status'> {
  return {
    environment,
    accountId,
    merchantId,
    family,
    originPaymentId: paymentId,
    pending: null,
    expiryDate: null,
    frequencyDays: null,
    tokenHash: null,
    secretHash: null,
    shown: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}
