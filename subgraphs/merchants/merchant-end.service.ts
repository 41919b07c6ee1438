// The rest of a deletion: the janitor ends credentials and sessions of deleted merchants, and forgets about them when nothing is open (decision register 2.3, Inactive and Deleted).
import type { Environment } from '../shared/caller';
import type { Clock } from '../shared/clock';
import { type InTransaction, WriteConflict } from '../shared/outbox';
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
/** A call that began before the deletion has ended by then, and what it opened was seen. */
const lateCallsMs = 15_000;

/** Repeats `end` for each deleted merchant until nothing is open and nothing can be opened any more; returns how many are done. */
export async function endDeletedMerchants(
  { environment, merchants, clock, inTransaction }: MerchantEndDeps,
  end: EndMerchant,
): Promise<number> {
  let done = 0;
  for (const merchant of await merchants.listEnding(environment, endedAtOnceMax)) {
    const open = await end(merchant.merchantId);
    const { deletion } = merchant;
    if (open > 0 || !deletion || clock.now().getTime() - deletion.at.getTime() < lateCallsMs) continue;
    try {
      await inTransaction({ updates: [merchants.updateOf(merchant, { deletion: { ...deletion, isDone: true } })] });
      done += 1;
    } catch (error) {
      // Another janitor was faster.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  return done;
}
