// The documents of a lane, as a condition on those that carry their slot.
import { trusted } from 'mongoose';
import { allSlots, isFirst, type SlotRange } from './slot';

/** Of one lane for everything there is no condition. The first lane takes what a process of a release before wrote without a slot. */
export function inSlots(slots: SlotRange): { slot?: object } {
  const { from, to } = slots;
  if (isFirst(slots)) return to === allSlots.to ? {} : { slot: trusted({ $not: { $gt: to } }) };
  return { slot: trusted({ $gte: from, $lte: to }) };
}
