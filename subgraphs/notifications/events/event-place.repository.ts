// Where events lie: conditions that name their slots, so that of a log in shards the one is asked that has them.
import { trusted } from 'mongoose';
import { slotOfOrderedId } from '../../shared/ids';
import { inKnown } from '../../shared/store/of-slot';
import type { SlotRange } from '../../shared/store/slot';

/** As a head tells it. Events of before the log was cut into slots have none, and most ids tell it, too. */
export interface EventPlace {
  _id: string;
  slot?: number;
}

/** Of one whose slot nobody knows every slot has to be asked. */
export function ofSlotOfEvents(events: readonly EventPlace[]): { slot?: object } {
  return inKnown(events.map(({ _id, slot }) => slot ?? slotOfOrderedId(_id)));
}

/** Of what waits for its place in a lane. */
export function ofLane({ from, to }: SlotRange): { slot: object } {
  return { slot: trusted({ $gte: from, $lte: to }) };
}
