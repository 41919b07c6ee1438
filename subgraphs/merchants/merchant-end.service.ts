// The rest of a deletion: the janitor ends credentials and sessions of deleted merchants, and forgets about them when nothing is open (decision register 2.3-A, Inactive and Deleted).
import type { Environment } from '../shared/callers/caller';
import type { Clock } from '../shared/clock';
import { inParallel } from '../shared/store/in-parallel';
import { type InTransaction, WriteConflict } from '../shared/store/unit-of-work';
import type { Merchant } from './merchant';
import type { MerchantRepository } from './merchant.repository';

export interface MerchantEndDeps {
  environment: Environment;
  merchants: MerchantRepository;
  clock: Clock;
  inTransaction: InTransaction;
}

/** Ends what other domains have of a merchant; resolves with how much is open still. Must be harmless to repeat. */
export type EndMerchant = (merchantId: string) => Promise<number>;

const endedAtOnceMax = 50;
/** Merchants worked on at the same time. */
const width = 8;
/** A call that began before the deletion has ended by then, and what it opened was seen. */
const lateCallsMs = 15_000;

/**
 * Repeats `end` for each deleted merchant until nothing is open and nothing can be opened any more; returns how many are done. One that cannot
 * be ended does not keep the others: its failure is thrown after them.
 */
export async function endDeletedMerchants(deps: MerchantEndDeps, end: EndMerchant): Promise<number> {
  let done = 0;
  await inParallel(await deps.merchants.listEnding(deps.environment, endedAtOnceMax), width, async (merchant) => {
    if (await endMerchant(deps, merchant, end)) done += 1;
  });
  return done;
}

/** True when this was the last that was to be done for it. */
async function endMerchant(
  { merchants, clock, inTransaction }: MerchantEndDeps,
  merchant: Merchant,
  end: EndMerchant,
): Promise<boolean> {
  const open = await end(merchant.merchantId);
  const { deletion } = merchant;
  if (open > 0 || !deletion || clock.now().getTime() - deletion.at.getTime() < lateCallsMs) return false;
  try {
    await inTransaction({ updates: [merchants.updateOf(merchant, { deletion: { ...deletion, isDone: true } })] });
    return true;
  } catch (error) {
    // Another janitor was faster.
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
