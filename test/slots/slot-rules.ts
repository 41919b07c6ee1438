// The rules of a collection in shards, for one statement: it names what the collection is cut by, the slot or the beginning of a key of its own, adds nothing without it, and changes none.
import type { Document } from 'mongodb';
import { slotOfOrderedId } from '../../subgraphs/shared/ids';
import { shardedCollections, shardKeyOf } from '../../subgraphs/shared/store/sharded-collections';
import { slotCount } from '../../subgraphs/shared/store/slot';
import { isListOfEvery, isRangeOfEvery, meantScatter } from './meant-scatter';
import type { Statement } from './statements';

const keys: ReadonlyMap<string, readonly string[]> = new Map(
  shardedCollections.map((collection) => [collection.name, Object.keys(shardKeyOf(collection))]),
);
const ranges = ['$gt', '$gte', '$lt', '$lte'];

export function isSharded({ collection }: Pick<Statement, 'collection'>): boolean {
  return keys.has(collection);
}

/** What is wrong with it; null: nothing. What is meant to ask every shard stands in `meantScatter`. */
export function faultOf(statement: Statement): string | null {
  const { verb, written } = statement;
  if (!isSharded(statement)) return null;
  const key = keyOf(statement);
  const without = key.find((field) => !written.every((document) => isKept(field, document[field])));
  if (verb === 'insert' && without) return `${shapeOf(statement)}: no ${without}`;
  if (verb === 'insert') return written.every(tellsItsSlot) ? null : `${shapeOf(statement)}: an id tells another slot`;
  const changed = key.find((field) => written.some((update) => changes(update, field, statement.filter)));
  if (!isGiven(statement) && changed) return `${shapeOf(statement)}: changes the ${changed}`;
  if (namesKey(statement) || meantScatter.some(({ fits }) => fits(statement))) return null;
  return `${shapeOf(statement)}: asks every shard`;
}

function keyOf({ collection }: Pick<Statement, 'collection'>): readonly string[] {
  return keys.get(collection) ?? [];
}

/** A look into another collection asks for what is there in each document that it comes from. */
export function namesKey({ collection, filter, command }: Statement): boolean {
  const [first = ''] = keyOf({ collection });
  return first === 'slot' ? namesSlot(filter) : command['foreignField'] === first || namesValue(filter, first);
}

function namesValue(filter: Document, field: string): boolean {
  const { [field]: value, $and = [] } = filter;
  const wanted: unknown[] = Array.isArray(value?.$in) ? value.$in : [value?.$eq ?? value];
  const isNamed = wanted.length > 0 && wanted.every((each) => isKept(field, each));
  return isNamed || ($and as Document[]).some((condition) => namesValue(condition, field));
}

function isKept(field: string, value: unknown): boolean {
  return field === 'slot' ? isSlot(value) : typeof value === 'string' && value !== '';
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

function changes(update: Document, field: string, filter: Document): boolean {
  if (Array.isArray(update)) return update.some((stage) => changes(stage, field, filter));
  if (field in update) return update[field] !== filter[field];
  return Object.values(update).some((change) => Object.keys(Object(change)).includes(field));
}
