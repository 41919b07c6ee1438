// The judge of statements: what counts as naming the slot, or the key of a collection that has its own, what may not be written, and how commands of the driver are read.
import { newOrderedId } from '../../subgraphs/shared/ids';
import { faultOf, namesSlot } from './slot-rules';
import { statementsOf } from './statements';

const faultsOf = (commandName: string, command: object) =>
  statementsOf({ commandName, command: { ...command } }).map(faultOf);

test.each([
  ['a number', { slot: 5 }, true],
  ['none', { slot: null }, true],
  ['one of several', { slot: { $in: [5, null] } }, true],
  ['a range', { slot: { $gte: 0, $lte: 255 } }, true],
  ['the first range, with what has none', { slot: { $not: { $gt: 255 } } }, true],
  ['within all that must hold', { $and: [{ _id: 'a' }, { slot: 5 }] }, true],
  ['no slot', { _id: 'a' }, false],
  ['none of several', { slot: { $in: [] } }, false],
  ['a slot that there is not', { slot: 1_024 }, false],
  ['part of one', { slot: 0.5 }, false],
  ['every slot, as a range', { slot: { $gte: 0, $lte: 1_023 } }, false],
  ['every slot, one by one', { slot: { $in: Array.from({ length: 1_024 }, (_, slot) => slot) } }, false],
  ['whatever there is', { slot: { $exists: true } }, false],
  ['what may hold or not', { $or: [{ slot: 5 }, { _id: 'a' }] }, false],
  ['each of what may hold', { $or: [{ slot: 5 }, { slot: { $in: [6, null] }, _id: 'a' }] }, true],
  ['nothing of what may hold', { $or: [] }, false],
  ['all but one', { slot: { $ne: 5 } }, false],
])('%s', (_case, filter, isNamed) => {
  expect(namesSlot(filter)).toBe(isNamed);
});

const id = '7f0e3c52-0000-4000-8000-000000000000';
const scattered = { accountId: 'alpha' };

test.each([
  ['a find', 'find', { find: 'payments', filter: scattered }],
  ['a find of everything', 'find', { find: 'payments' }],
  ['an aggregation', 'aggregate', { aggregate: 'payments', pipeline: [{ $match: scattered }] }],
  [
    'one that matches later',
    'aggregate',
    { aggregate: 'payments', pipeline: [{ $sort: { _id: 1 } }, { $match: { slot: 1 } }] },
  ],
  ['an update', 'update', { update: 'payments', updates: [{ q: scattered, u: { $set: { state: 'Captured' } } }] }],
  ['a delete', 'delete', { delete: 'payments', deletes: [{ q: scattered }] }],
  ['a find with its update', 'findAndModify', { findAndModify: 'payments', query: scattered, update: { $set: {} } }],
  ['a count', 'count', { count: 'payments', query: scattered }],
  ['what is distinct', 'distinct', { distinct: 'payments', key: 'state', query: scattered }],
])('%s that names no slot is a fault', (_case, name, command) => {
  expect(faultsOf(name, command)).toEqual([expect.stringContaining('asks every shard')]);
});

test('a look into another collection is judged by itself', () => {
  const $lookup = { from: 'payments', localField: 'paymentId', foreignField: '_id', as: 'payments' };
  const visit = (pipeline: object[]) => ({
    aggregate: 'checkout_sessions',
    pipeline: [{ $match: { slot: 5 } }, { $lookup: { ...$lookup, pipeline } }],
  });
  expect(faultsOf('aggregate', visit([]))).toEqual([null, 'lookup payments by : asks every shard']);
  expect(faultsOf('aggregate', visit([{ $match: { slot: 5 } }]))).toEqual([null, null]);
});

test.each([
  ['an insert without', 'insert', { insert: 'payments', documents: [{ _id: id, slot: 3 }, { _id: id }] }, 'no slot'],
  [
    'one set',
    'update',
    { update: 'payments', updates: [{ q: { slot: 3 }, u: { $set: { slot: 4 } } }] },
    'changes the slot',
  ],
  [
    'an id that tells another slot',
    'insert',
    { insert: 'events', documents: [{ _id: newOrderedId(4), slot: 3 }] },
    'an id tells another slot',
  ],
  [
    'an aggregate whose id tells another slot',
    'insert',
    { insert: 'events', documents: [{ _id: newOrderedId(3), aggregateId: newOrderedId(4), slot: 3 }] },
    'an id tells another slot',
  ],
  [
    'one unset',
    'update',
    { update: 'payments', updates: [{ q: { slot: 3 }, u: { $unset: { slot: 1 } } }] },
    'changes the slot',
  ],
  [
    'a replacement',
    'update',
    { update: 'payments', updates: [{ q: { slot: 3 }, u: { slot: 4 } }] },
    'changes the slot',
  ],
  [
    'by steps',
    'update',
    { update: 'payments', updates: [{ q: { slot: 3 }, u: [{ $set: { slot: 4 } }] }] },
    'changes the slot',
  ],
])('%s is a fault', (_case, name, command, fault) => {
  expect(faultsOf(name, command)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ['a replacement in its slot', { slot: 3, _id: 'a' }, { slot: 3, name: 'b' }],
  ['a slot for what had none', { slot: null, _id: 'a' }, { $set: { slot: 3 } }],
])('%s is none', (_case, q, u) => {
  expect(faultsOf('update', { update: 'payments', updates: [{ q, u }] })).toEqual([null]);
});

const every = 'find deliveries by ';
const callback = { endpointId: 'e', eventId: 'v' };
const setting = (change: object) => ({ update: 'deliveries', updates: [{ q: callback, u: change }] });

test.each<[string, object, string | null]>([
  ['one endpoint', { endpointId: 'e', open: true }, null],
  ['one of several', { endpointId: { $in: ['e', 'f'] } }, null],
  ['said as an equation', { endpointId: { $eq: 'e' } }, null],
  ['within all that must hold', { $and: [{ open: true }, { endpointId: { $in: ['e'] } }] }, null],
  ['none of several', { endpointId: { $in: [] } }, 'endpointId'],
  ['none', { endpointId: null }, 'endpointId'],
  ['all behind one', { endpointId: { $gt: 'e' } }, 'endpointId'],
  ['what may hold or not', { $or: [{ endpointId: 'e' }, { eventId: 'v' }] }, '$or'],
  ['the event alone', { eventId: 'v' }, 'eventId'],
  ['the slot, which callbacks are not cut by', { slot: 5 }, 'slot'],
  ['an id, as a worker might ask', { _id: id, open: true }, '_id, open'],
  ['what is due, without its index', { open: true, dueAt: { $lte: 1 } }, 'dueAt, open'],
])('callbacks by %s', (_case, filter, fields) => {
  expect(faultsOf('find', { find: 'deliveries', filter })).toEqual([fields && `${every}${fields}: asks every shard`]);
});

test.each<[string, string, object, string | null]>([
  ['one of an event and an endpoint', 'insert', { insert: 'deliveries', documents: [callback] }, null],
  [
    'one without its event',
    'insert',
    { insert: 'deliveries', documents: [callback, { endpointId: 'e' }] },
    'no eventId',
  ],
  ['one without its endpoint', 'insert', { insert: 'deliveries', documents: [{ eventId: 'v' }] }, 'no endpointId'],
  ['how it came out', 'update', setting({ $set: { open: false } }), null],
  ['another endpoint', 'update', setting({ $set: { endpointId: 'f' } }), 'changes the endpointId'],
  ['another event', 'update', setting([{ $set: { eventId: 'w' } }]), 'changes the eventId'],
  ['by its id alone', 'update', { update: 'deliveries', updates: [{ q: { _id: id }, u: {} }] }, 'asks every shard'],
])('a callback that is written: %s', (_case, name, command, fault) => {
  expect(faultsOf(name, command)).toEqual([fault && expect.stringContaining(fault)]);
});

test.each<[string, object, string | null]>([
  ['by its id', { _id: 'sandbox:PLATFORM:DAY:2026-03-01T00:1-0:EUR' }, null],
  ['by whose it is', { merchantId: 'm', series: 'sandbox:MERCHANT:DAY' }, 'merchantId, series'],
])('a sum that is added to: %s', (_case, q, fields) => {
  const adding = { update: 'metric_sums', updates: [{ q, u: { $inc: { 'counts.a': 1 } }, upsert: true }] };
  expect(faultsOf('update', adding)).toEqual([fields && `update metric_sums by ${fields}: asks every shard`]);
});

test('a look from endpoints into their callbacks names them, one from elsewhere does not, wherever it stands', () => {
  const looking = (foreignField: string) => ({
    $lookup: { from: 'deliveries', localField: '_id', foreignField, as: 'last' },
  });
  const [of, within] = [looking('endpointId'), looking('kind')];
  const nested = {
    $lookup: { from: 'events', foreignField: '_id', as: 'e', pipeline: [{ $match: { slot: 5 } }, within] },
  };
  const fault = 'lookup deliveries by : asks every shard';
  const pipeline = [of, within, nested];
  const found = faultsOf('aggregate', { aggregate: 'callback_endpoints', pipeline });
  expect(found).toEqual([null, null, fault, null, fault]);
});

test('what is on no list is not judged', () => {
  expect(faultsOf('find', { find: 'merchants', filter: {} })).toEqual([null]);
  expect(faultsOf('hello', { hello: 1 })).toEqual([]);
});
