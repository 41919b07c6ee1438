// Conditions that name the slot, so that of a collection in shards the one is asked that has it.
import { trusted } from 'mongoose';
import { slotOfId, slotOfOrderedId } from '../ids';
import { slotCount, slotOf } from './slot';

/**
 * In one of these slots, or without one: until all processes are of this release, documents without a slot may be added, and what a release before
 * left has none until `npm run database:slots`.
 */
export function inOneOf(slots: readonly (number | null)[]): { slot: object } {
  return { slot: trusted({ $in: [...new Set([...slots, null])] }) };
}

/** In these slots; where one of them is not known every slot has to be asked. */
export function inKnown(slots: readonly (number | null)[]): { slot?: object } {
  return slots.every((slot) => slot !== null) ? inOneOf(slots) : {};
}

/** Of these merchants. */
export function ofSlotOf(...merchantIds: readonly string[]): { slot: object } {
  return inOneOf(merchantIds.map((merchantId) => slotOf({ merchantId, accountId: merchantId })));
}

/** Of the one merchant that the caller has; of a caller of more than one every slot has to be asked. */
export function ofSlotOfCaller({ merchantId }: KnownOwner): { slot?: object } {
  return merchantId ? ofSlotOf(merchantId) : {};
}

/** Where the rows of a list are: of one merchant, or of several; of all, every slot has to be asked. */
export function ofSlotOfList({ merchantId, merchantIds }: ListedMerchants): { slot?: object } {
  const named = merchantId ? [merchantId] : (merchantIds ?? []);
  return named.length > 0 ? ofSlotOf(...named) : {};
}

interface ListedMerchants extends KnownOwner {
  merchantIds?: readonly string[] | null;
}

/** As far as it is known whose it is. */
interface KnownOwner {
  merchantId?: string | null;
}

/** An id, and who owns what has it, where that is known. */
export interface OwnedId {
  id: string;
  owner: KnownOwner;
}

/** Where documents are that have, or belong to what has, these ids: of an id that does not tell, in the slot of its merchant; without that every slot has to be asked. */
export function ofSlotOfEach(owned: readonly OwnedId[]): { slot?: object } {
  return inKnown(owned.map(({ id, owner }) => slotOfId(id) ?? slotOfMerchant(owner)));
}

/** The same of ids that one merchant, or the caller, has. */
export function ofSlotOfIds(ids: readonly string[], owner: KnownOwner = {}): { slot?: object } {
  return ofSlotOfEach(ids.map((id) => ({ id, owner })));
}

/** Where the events of aggregates with these ids are, or events with such ids: what one merchant sees lies in its slot. */
export function ofSlotOfEventIds(ids: readonly string[], owner: KnownOwner): { slot?: object } {
  return inKnown(ids.map((id) => slotOfOrderedId(id) ?? slotOfMerchant(owner)));
}

/** The same by an index that begins with the slot: where nothing tells it every slot is named, since without any that index would be read from end to end. */
export function ofSlotOfAggregates(ids: readonly string[], owner: KnownOwner): { slot: object } {
  const { slot } = ofSlotOfEventIds(ids, owner);
  return slot ? { slot } : everySlot;
}

const everySlot = inOneOf(Array.from({ length: slotCount }, (_, slot) => slot));

function slotOfMerchant({ merchantId }: KnownOwner): number | null {
  return merchantId ? slotOf({ merchantId, accountId: merchantId }) : null;
}
