// The log is cut into slots: what belongs together lies in one, is ordered there, and needs no order with anything in another.
import { crc32 } from 'node:zlib';

/** For ever: stored documents hold numbers below it. */
export const slotCount = 1_024;

/** The slot of all that belongs to a merchant; where there is none, of what belongs to an account alone. */
export function slotOf({ merchantId, accountId }: { merchantId: string | null; accountId: string }): number {
  return crc32(merchantId ?? accountId) % slotCount;
}

/** Of what `<environment>:<merchant or account>:<its id>` names. */
export function slotOfHolder(holder: string): number {
  const id = holder.split(':').slice(2).join(':');
  return slotOf({ merchantId: id, accountId: id });
}

/** First and last slot of a lane. */
export interface SlotRange {
  from: number;
  to: number;
}

export const allSlots: SlotRange = { from: 0, to: slotCount - 1 };

/** The lane to which falls what is there once for all lanes, and what a release before wrote without a slot. */
export function isFirst({ from }: SlotRange): boolean {
  return from === 0;
}
