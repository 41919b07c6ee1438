// Where events lie: conditions that name their slots, so that of a log in shards the one is asked that has them.
import { trusted } from 'mongoose';
import type { Caller } from '../../shared/callers/caller';
import { slotOfOrderedId } from '../../shared/ids';
import { inOneOf } from '../../shared/store/of-slot';
import { type SlotRange, slotCount, slotOf } from '../../shared/store/slot';

/** As a head tells it. Events of before the log was cut into slots have none, and most ids tell it, too. */
export interface EventPlace {
  _id: string;
  slot?: number;
}

/** Of one whose slot nobody knows every slot has to be asked. */
export function ofSlotOfEvents(events: readonly EventPlace[]): { slot?: object } {
  return inSlotsKnown(events.map(({ _id, slot }) => slot ?? slotOfOrderedId(_id)));
}

/** The same by ids alone; a caller of one merchant sees its events and no others. */
export function ofSlotOfEventIds(ids: readonly string[], caller: Seeing): { slot?: object } {
  return inSlotsKnown(ids.map((id) => slotOfOrderedId(id) ?? slotOfCaller(caller)));
}

/** Where the life of each of these lies. Where nothing tells it the slots are named one by one: the index of sequences begins with them, and without any would be read from end to end. */
export function ofSlotOfAggregates(ids: readonly string[], caller: Seeing): { slot: object } {
  const { slot } = ofSlotOfEventIds(ids, caller);
  return slot ? { slot } : everySlot;
}

/** Of what waits for its place in a lane. */
export function ofLane({ from, to }: SlotRange): { slot: object } {
  return { slot: trusted({ $gte: from, $lte: to }) };
}

type Seeing = Pick<Caller, 'merchantId'>;

const everySlot = inOneOf(Array.from({ length: slotCount }, (_, slot) => slot));

function slotOfCaller({ merchantId }: Seeing): number | null {
  return merchantId ? slotOf({ merchantId, accountId: merchantId }) : null;
}

function inSlotsKnown(slots: readonly (number | null)[]): { slot?: object } {
  return slots.every((slot) => slot !== null) ? inOneOf(slots) : {};
}
