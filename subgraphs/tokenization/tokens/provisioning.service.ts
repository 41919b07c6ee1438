// Provisioning with memory: an intent before each call, its outcome after, and the janitor that settles what stayed unknown.
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { newOrderedId } from '../../shared/ids';
import { passesLuhn } from '../../shared/luhn';
import { inParallel, taken } from '../../shared/store/in-parallel';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import type { InTransaction } from '../../shared/store/unit-of-work';
import { isMonthYear } from '../../shared/time';
import type { AccountData } from '../token-service/account-data';
import type { GuardedTokenService } from '../token-service/circuit-breaker';
import type { ProvisionedToken } from '../token-service/token-service';
import type { ProvisioningIntentRepository } from './provisioning-intent.repository';

export interface ProvisioningOrder {
  environment: Environment;
  accountId: string;
  acquirerId: string;
  merchantId: string;
  card: AccountData;
}

export interface TokenProvisioningDeps {
  intents: ProvisioningIntentRepository;
  tokenService: GuardedTokenService;
  inTransaction: InTransaction;
}

export interface SettledOutcomes {
  /** Provisionings of which nothing is left at the token service. */
  settled: number;
  /** Looks that failed; they come again. */
  postponed: number;
}

const settledPerRunMax = 500;
const settledAtOnce = 16;

/**
 * Asks the token service for a token. The caller puts `intents.completedOf(provisioningId)` into the unit that keeps it, or
 * `abandonedOf`. A refusal settles the intent; any other failure leaves it to the janitor.
 */
export async function provisionToken(
  { intents, tokenService, inTransaction }: TokenProvisioningDeps,
  order: ProvisioningOrder,
): Promise<{ provisioningId: string; provisioned: ProvisionedToken }> {
  tokenService.admit();
  const provisioningId = newOrderedId(slotOf(order));
  await intents.insertPending(provisioningId, order);
  const { acquirerId, merchantId, card } = order;
  try {
    return {
      provisioningId,
      provisioned: usable(await tokenService.provision({ requestId: provisioningId, acquirerId, merchantId, card })),
    };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'tokenServiceRefused') {
      await inTransaction({ updates: [intents.refusedOf(provisioningId)] });
    }
    throw error;
  }
}

/** Settles every intent of those slots whose outcome nobody is waiting for any more: what the token service made of it is released there. */
export async function settleUnknownOutcomes(
  { intents, tokenService }: TokenProvisioningDeps,
  slots: SlotRange,
): Promise<SettledOutcomes> {
  const outcomes: SettledOutcomes = { settled: 0, postponed: 0 };
  const due = taken(settledPerRunMax, () => intents.takeDue(slots));
  await inParallel(due, settledAtOnce, async ({ intentId, provisioningId }) => {
    try {
      const found = await tokenService.findProvisioning(provisioningId);
      if (found) await tokenService.release(provisioningId);
      await intents.markReleased(intentId);
      outcomes.settled += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes.postponed += 1;
    }
  });
  return outcomes;
}

/** What cannot be a token is an unusable answer. */
function usable(provisioned: ProvisionedToken): ProvisionedToken {
  const { token, tokenExpiry, par } = provisioned;
  const isUsable =
    /^\d{16}$/.test(token) &&
    passesLuhn(token) &&
    isMonthYear(tokenExpiry) &&
    (par === null || /^[A-Z0-9]{29}$/.test(par));
  if (!isUsable)
    throw new DomainError('tokenServiceFailed', 'The token service answered with something that is not a token.');
  return provisioned;
}
