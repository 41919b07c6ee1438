// Callbacks of merchants, virtual accounts, operations, applications or payments: how the database finds and counts them.
import type { Document } from 'mongodb';
import { countStages } from '../../shared/lists/bounded-count';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { placed } from '../../shared/lists/list-page';

/** Whose callbacks: the field that holds the id; those of a payment are of the events of its log. */
export type CallbacksOf = 'merchantId' | 'orderingKey' | 'paymentId';

const collection = 'deliveries';
/** In the order of the log, from its end. */
export const latestFirst = { position: -1 } as const;

export interface WantedCallbacks {
  wanted: Document;
  /** What the events of the parents are sought by as well: their slots. */
  ofEvents: Document;
}

/** The look-up of each parent's callbacks, newest first, as `callbacks`. */
export function callbacksOfParent(
  by: CallbacksOf,
  { wanted, ofEvents }: WantedCallbacks,
  slice: Slice<number>,
): Document {
  return by === 'paymentId' ? ofPayment({ wanted, ofEvents }, slice) : ofField(by, wanted, slice);
}

/** What `childCounts` counts: callbacks of the parent, or those about its events. */
export function countedBy(by: CallbacksOf) {
  if (by !== 'paymentId') return { collection, parentField: by, along: countStages(latestFirst) };
  const ofEvent = [{ $project: { _id: 1 } }];
  const $lookup = { from: collection, localField: '_id', foreignField: 'eventId', pipeline: ofEvent, as: 'callback' };
  return {
    collection: 'events',
    parentField: 'aggregateId',
    along: [{ $lookup }, { $unwind: '$callback' }, ...countStages(null)],
  };
}

function ofField(foreignField: Exclude<CallbacksOf, 'paymentId'>, wanted: Document, slice: Slice<number>): Document {
  const { beyond, sort, size } = alongKey('position', slice, -1);
  const pipeline = [{ $match: placed(wanted, beyond) }, { $sort: sort }, { $limit: size + 1 }];
  return { from: collection, localField: '_id', foreignField, pipeline, as: 'callbacks' };
}

/** Along the events of the payment, whose order the callbacks have, as far as the page goes. */
function ofPayment({ wanted: own, ofEvents }: WantedCallbacks, slice: Slice<number>): Document {
  const { beyond, sort, size } = alongKey('position', slice, -1);
  const wanted = placed(own, beyond);
  const ofEvent = [{ $match: wanted }];
  const pipeline = [
    { $match: { ...wanted, ...ofEvents } },
    { $sort: { sequence: sort['position'] } },
    { $lookup: { from: collection, localField: '_id', foreignField: 'eventId', pipeline: ofEvent, as: 'callback' } },
    { $unwind: '$callback' },
    { $limit: size + 1 },
    { $replaceRoot: { newRoot: '$callback' } },
  ];
  return { from: 'events', localField: '_id', foreignField: 'aggregateId', pipeline, as: 'callbacks' };
}
