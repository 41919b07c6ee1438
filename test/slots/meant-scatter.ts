// Statements on sharded collections that ask every shard, each with its reason; an entry that nothing needs is a fault (test/slots/meant-scatter.test.ts).
import type { Document } from 'mongodb';
import { dueTimeIndexName, openIndexName } from '../../subgraphs/notifications/callbacks/due-callback.repository';
import { slotOfId } from '../../subgraphs/shared/ids';
import { countMsMax } from '../../subgraphs/shared/lists/bounded-count';
import { listMsMax } from '../../subgraphs/shared/lists/bounded-list';
import { slotCount } from '../../subgraphs/shared/store/slot';
import type { Statement } from './statements';

export interface MeantScatter {
  name: string;
  reason: string;
  fits(statement: Statement): boolean;
}

/** What is due is found by one of these times. */
const dueTimes = 'captureDueAt authorizationExpiresAt underway.lostAt lostAt askAt idleCheckAt expiresAt dueAt'.split(
  ' ',
);
/** What names one document or few, and tells its slot if this release made it. */
const idFields = ['_id', 'paymentId', 'operationId', 'originPaymentId', 'actionId'];
/** What callbacks are listed by beside their endpoint. */
const ofCallbacks = ['merchantId', 'orderingKey', 'eventId'];

export const meantScatter: readonly MeantScatter[] = [
  {
    name: 'sweeps of one lane for everything',
    reason: 'with LANES=1 a lane is all slots, and what is due is on every shard; lanes ask a range of slots',
    fits: ({ verb, collection, filter, command }) =>
      (collection === 'journal_books' && isRangeOfEvery(filter['slot'])) ||
      ((verb === 'find' || verb === 'findAndModify') &&
        collection !== 'deliveries' &&
        !isList(command) &&
        !('captureType' in filter) &&
        dueTimes.some((time) => time in filter)),
  },
  {
    name: 'the log of one lane for everything',
    reason: 'the same of events that wait for their places, and of those that are given them',
    fits: ({ collection, filter }) =>
      collection === 'events' && filter['position'] === null && (!('slot' in filter) || isRangeOfEvery(filter['slot'])),
  },
  {
    name: 'events of a process that knows of no slots',
    reason: 'of 0.3 and before: they get theirs by the leader of the first lane',
    fits: ({ collection, filter }) => collection === 'events' && filter['slot']?.$exists === false,
  },
  {
    name: 'the log of before it was cut into slots',
    reason: 'of 0.3 and before: what the books, or a rebuild of them, have not read of it, by its one row of positions',
    fits: ({ collection, filter }) => collection === 'events' && filter['position']?.$lte > 0 && !('slot' in filter),
  },
  {
    name: 'the stream of what is written to the log',
    reason: 'MongoDB tells it of all shards in one order; where it begins is asked once',
    fits: ({ collection, filter, command: { pipeline = [], readConcern } }) =>
      collection === 'events' && ('$changeStream' in Object(pipeline[0]) || isWhereItBegins(filter, readConcern)),
  },
  {
    name: 'the life of an application',
    reason: 'it has a number, which does not tell; by an index that holds applications alone',
    fits: ({ collection, filter }) => collection === 'events' && filter['aggregateType'] === 'application',
  },
  {
    name: 'the life of what has an id that does not tell',
    reason: 'of a release before; each slot is named, so that each shard seeks in its own',
    fits: ({ collection, filter, command: { foreignField } }) =>
      collection === 'events' && (isListOfEvery(filter['slot']) || foreignField === 'data.operationId'),
  },
  {
    name: 'ids of releases before',
    reason: 'an id of 0.4.0 and before does not tell its slot, and the caller may see more than one merchant',
    fits: ({ collection, filter }) =>
      collection !== 'deliveries' && idFields.some((field) => idsIn(filter[field]).some((id) => slotOfId(id) === null)),
  },
  {
    name: 'lists over all merchants',
    reason: 'for staff, for accounts and for the search: the newest of each shard',
    fits: ({ verb, filter, command }) =>
      verb === 'find' && isList(command) && !namesMerchant(filter) && !('slot' in filter),
  },
  {
    name: 'later pages by their number',
    reason: 'the indexes of lists do not hold the slot yet: each key that is passed over would cost a document',
    fits: ({ verb, command }) => verb === 'find' && command['skip'] > 0,
  },
  {
    name: 'totals of lists',
    reason:
      'counted by keys alone, of indexes that do not hold the slot yet, or the endpoint; each shard counts its own',
    fits: ({ verb, collection, command }) =>
      verb === 'aggregate' && collection !== 'acquirer_calls' && isTotal(command['pipeline']),
  },
  {
    name: 'totals of many parents',
    reason: 'the same for each merchant, payment or order of a page, where somebody asks for it',
    fits: ({ verb, command }) => verb === 'lookup' && command['as'] === 'counted',
  },
  {
    name: 'surveys of operations',
    reason: 'step from key to key of an index that does not hold the slot, once in 30 seconds for a merchant',
    fits: ({ collection, command: { hint } }) => collection === 'operations' && /^ofMerchantBy/.test(String(hint)),
  },
  {
    name: 'orders of a list that count once each',
    reason: 'as many of a list as are counted, by its index',
    fits: ({ verb, command }) => verb === 'find' && command['maxTimeMS'] === countMsMax,
  },
  {
    name: 'calls that were raised',
    reason: 'a number over all merchants for the metrics, by an index that holds those alone',
    fits: ({ collection, filter }) => collection === 'acquirer_calls' && 'raisedAt' in filter,
  },
  {
    name: 'whether any request is known by its key',
    reason: 'once a second for a process at most, so that most requests need not ask for their own',
    fits: ({ collection, filter }) => collection === 'acquirer_calls' && filter['requestKey']?.$gt === '',
  },
  {
    name: 'callbacks that are due, and the oldest of those that wait',
    reason: 'whatever their endpoint: a page of each shard once a second, by indexes of what is open alone',
    fits: ({ verb, collection, command: { hint } }) =>
      verb === 'find' && collection === 'deliveries' && [dueTimeIndexName, openIndexName].includes(hint),
  },
  {
    name: 'callbacks by their ids',
    reason: 'an id does not tell the endpoint; for people, whom one seek of each shard serves',
    fits: ({ verb, collection, filter }) =>
      verb === 'find' && collection === 'deliveries' && isOfCaller(filter) && idsIn(filter['_id']).length > 0,
  },
  {
    name: 'callbacks of a merchant, of an event or of what it is about',
    reason: 'they may go to any endpoint; each shard finds its own by an index',
    fits: ({ verb, collection, filter, command: { as, foreignField } }) =>
      collection === 'deliveries' &&
      (verb === 'lookup'
        ? ['callback', 'callbacks'].includes(as) && ofCallbacks.includes(foreignField)
        : verb === 'find' && isOfCaller(filter) && ofCallbacks.some((field) => namesField(filter, field))),
  },
  {
    name: 'envelopes of transactions that are over',
    reason: 'with LANES=1 a lane is all slots; lanes ask a range of slots, by an index of those that hold one',
    fits: ({ collection, filter }) => collection === 'card_transactions' && 'encryptedData' in filter,
  },
  {
    name: 'the capture batch of an account or of all',
    reason: 'goes over every merchant that it is asked for',
    fits: ({ filter }) => filter['captureType'] === 'FILE',
  },
  {
    name: 'consents by their token, for a caller of more than one merchant',
    reason: 'a token tells nothing; callers that charge by it are of one merchant',
    fits: ({ collection, filter }) => collection === 'contracts' && 'tokenHash' in filter && !('merchantId' in filter),
  },
  {
    name: 'payouts of all merchants of a partner',
    reason: 'a page by its number, as REST documents it, of an account',
    fits: ({ verb, collection, filter, command: { sort } }) =>
      verb === 'find' &&
      collection === 'payouts' &&
      'date' in Object(sort) &&
      !namesMerchant(filter) &&
      !('slot' in filter),
  },
  {
    name: 'books and figures that a rebuild compares',
    reason: 'it goes over all, document by document',
    fits: ({ verb, collection, filter }) =>
      verb === 'find' && /^(?:payout|journal_|metric_)/.test(collection) && Object.keys(filter).length === 0,
  },
  {
    name: 'figures',
    reason: 'asked for by people; each shard finds its own sums by an index of the merchant, of the account or of time',
    fits: ({ verb, collection, filter }) =>
      verb === 'find' && /^metric_/.test(collection) && Object.keys(filter).length > 0,
  },
  {
    name: 'books of a release before',
    reason:
      'given what they lack where a process starts and where a day is closed, by an index in which such are together',
    fits: ({ collection, filter }) => collection === 'journal_books' && filter['balanceMinor']?.$exists === false,
  },
  {
    name: 'the check of all books',
    reason: 'by the operator, or of an account: adds up what is there and compares it with what is kept',
    fits: ({ verb, collection, filter }) =>
      verb === 'aggregate' &&
      ((collection === 'journal_entries' && !namesMerchant(filter)) ||
        (collection === 'journal_days' && '$regex' in Object(filter['holder']))),
  },
  {
    name: 'what all merchants are owed',
    reason: 'by currency, for staff and for accounts; each shard adds up its own',
    fits: ({ verb, collection, filter }) =>
      verb === 'aggregate' && collection === 'journal_books' && !namesMerchant(filter),
  },
  {
    name: 'cards of a search by staff',
    reason: 'one key for each account that has such a card',
    fits: ({ verb, command }) => verb === 'distinct' && command['key'] === 'cardKey',
  },
];

/** Of all that a majority has. */
function isWhereItBegins(filter: Document, readConcern: Document | undefined): boolean {
  return Object.keys(filter).length === 0 && readConcern?.['level'] === 'majority';
}

export function isRangeOfEvery(slot: unknown): boolean {
  const { $gte, $lte } = Object(slot);
  return $gte === 0 && $lte === slotCount - 1;
}

export function isListOfEvery(slot: unknown): boolean {
  const { $in } = Object(slot);
  return Array.isArray($in) && $in.length >= slotCount;
}

/** A page, which is looked for as long and no longer. */
function isList({ maxTimeMS }: Document): boolean {
  return maxTimeMS === listMsMax;
}

function namesMerchant(filter: Document): boolean {
  return namesField(filter, 'merchantId');
}

function namesField(filter: Document, field: string): boolean {
  const { [field]: value, $and = [] } = filter;
  return value !== undefined || ($and as Document[]).some((condition) => namesField(condition, field));
}

/** What somebody asked for, who may see what is of an environment, or of an account in it. */
function isOfCaller({ environment }: Document): boolean {
  return typeof environment === 'string';
}

function isTotal(pipeline: readonly Document[]): boolean {
  const last = pipeline.at(-1) ?? {};
  return '$count' in last || last['$group']?.n?.$sum === 1;
}

function idsIn(condition: unknown): string[] {
  if (typeof condition === 'string') return [condition];
  const { $in } = Object(condition);
  return Array.isArray($in) ? $in.filter((id) => typeof id === 'string') : [];
}
