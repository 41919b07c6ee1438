// The log is cut into slots: what belongs together lies in one, is ordered there, and needs no order with anything in another.
import { crc32 } from 'node:zlib';

/** For ever: stored documents hold numbers below it. */
export const slotCount = 1_024;

/** The slot of all that belongs to a merchant; where there is none, of what belongs to an account alone. */
export function slotOf({ merchantId, accountId }: { merchantId: string | null; accountId: string }): number {
  return crc32(merchantId ?? accountId) % slotCount;
}
