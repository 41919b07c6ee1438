// The rules of a collection in shards, for one statement: it names the slot, adds nothing without one, and changes none; and for those of a transaction.
import type { Document } from 'mongodb';
import { slotOfOrderedId } from '../../subgraphs/shared/ids';
import { shardedCollections } from '../../subgraphs/shared/store/sharded-collections';
import { slotCount } from '../../subgraphs/shared/store/slot';
import { isListOfEvery, isRangeOfEvery, meantScatter } from './meant-scatter';
import type { Statement } from './statements';

const sharded: ReadonlySet<string> = new Set(shardedCollections.map(({ name }) => name));
const ranges = ['$gt', '$gte', '$lt', '$lte'];

export function isSharded({ collection }: Pick<Statement, 'collection'>): boolean {
  return sharded.has(collection);
}

/** What is wrong with it; null: nothing. What is meant to ask every shard stands in `meantScatter`. */
export function faultOf(statement: Statement): string | null {
  const { verb, written } = statement;
  if (!isSharded(statement)) return null;
  if (verb === 'insert' && !written.every(({ slot }) => isSlot(slot))) return `${shapeOf(statement)}: no slot`;
  if (verb === 'insert') return written.every(tellsItsSlot) ? null : `${shapeOf(statement)}: an id tells another slot`;
  if (!isGiven(statement) && written.some((update) => changesSlot(update, statement.filter)))
    return `${shapeOf(statement)}: changes the slot`;
  if (namesSlot(statement.filter) || meantScatter.some(({ fits }) => fits(statement))) return null;
  return `${shapeOf(statement)}: asks every shard`;
}

/** As far as its ids tell one. */
function tellsItsSlot({ slot, _id, aggregateId }: Document): boolean {
  return [_id, aggregateId].every((id) => [null, slot].includes(slotOfOrderedId(String(id))));
}

/** Verb, collection and what the filter names. */
function shapeOf({ verb, collection, filter }: Statement): string {
  return `${verb} ${collection} by ${Object.keys(filter).sort().join(', ')}`;
}

/** A choice does where each of its parts does: each is sought on its own. */
export function namesSlot(filter: Document): boolean {
  const { slot, $and = [], $or = [] } = filter;
  const isInEach = ($or as Document[]).length > 0 && ($or as Document[]).every(namesSlot);
  return isNamed(slot) || ($and as Document[]).some(namesSlot) || isInEach;
}

/** What had no slot gets one. */
function isGiven({ filter }: Statement): boolean {
  return filter['slot'] === null || filter['slot']?.$exists === false;
}

function isNamed(slot: unknown): boolean {
  if (isSlotOrNone(slot)) return true;
  if (typeof slot !== 'object') return false;
  const { $in, $not, $eq } = slot as Document;
  if (Array.isArray($in)) return $in.length > 0 && !isListOfEvery(slot) && $in.every(isSlotOrNone);
  if ($not) return isNamed($not);
  return isSlot($eq) || (!isRangeOfEvery(slot) && ranges.some((range) => isSlot((slot as Document)[range])));
}

function isSlotOrNone(slot: unknown): boolean {
  return slot === null || isSlot(slot);
}

function isSlot(slot: unknown): boolean {
  return Number.isInteger(slot) && Number(slot) >= 0 && Number(slot) < slotCount;
}

function changesSlot(update: Document, filter: Document): boolean {
  if (Array.isArray(update)) return update.some((each) => changesSlot(each, filter));
  if ('slot' in update) return update['slot'] !== filter['slot'];
  return Object.values(update).some((change) => Object.keys(Object(change)).includes('slot'));
}
