// What went to an endpoint last, as its newest callbacks have it: the latest attempt, the merchants that they were about, and what became of them. Many endpoints in one query.
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { driverDatabase } from '../../shared/store/collection-of';
import type { Attempt, CallbackStatus } from './callback';

/** So many callbacks of an endpoint are looked at. */
const lastCallbacksMax = 100;
/** So many of them that are over are counted. */
const lastOutcomesMax = 20;

/** How the newest callbacks that are over came out. */
export interface EndpointOutcomes {
  count: number;
  delivered: number;
  rejected: number;
  exhausted: number;
  ended: number;
  /** Besides: tried in vain, and to be tried again. */
  retried: number;
}

export interface LastAtEndpoint {
  endpointId: string;
  /** Null: none of them was tried yet. */
  attempt: Attempt | null;
  merchantIds: string[];
  outcomes: EndpointOutcomes;
}

interface LookedAtCallback {
  status: CallbackStatus;
  /** How many attempts came to an end; absent: none. */
  tried?: number;
}

interface LookedAtEndpoint {
  merchantIds: (string | null)[];
  /** The newest first. */
  callbacks: LookedAtCallback[];
  attempt?: Attempt | null;
}

/** Endpoints without callbacks are left out. */
export type ReadLastAtEndpoints = (caller: Caller, endpointIds: readonly string[]) => Promise<LastAtEndpoint[]>;

export function createLastAtEndpoints(connection: Connection): ReadLastAtEndpoints {
  return async (caller, endpointIds) => {
    const newest = [
      { $match: tenantFilter(caller) },
      { $sort: { position: -1 } },
      { $limit: lastCallbacksMax },
      { $project: { merchantId: 1, status: 1, attempt: { $last: '$attempts' } } },
      {
        $group: {
          _id: null,
          merchantIds: { $addToSet: '$merchantId' },
          callbacks: { $push: { status: '$status', tried: '$attempt.number' } },
          attempt: { $top: { sortBy: { 'attempt.at': -1 }, output: '$attempt' } },
        },
      },
    ];
    const found = await endedInTime(
      driverDatabase(connection)
        .aggregate<{ _id: string; last: LookedAtEndpoint[] }>(
          [
            { $documents: endpointIds.map((_id) => ({ _id })) },
            {
              $lookup: {
                from: 'deliveries',
                localField: '_id',
                foreignField: 'endpointId',
                pipeline: newest,
                as: 'last',
              },
            },
          ],
          { maxTimeMS: listMsMax },
        )
        .toArray(),
    );
    return found.flatMap(({ _id: endpointId, last }) =>
      last.map(({ merchantIds, callbacks, attempt }) => ({
        endpointId,
        attempt: attempt ?? null,
        merchantIds: merchantIds.filter((merchantId) => merchantId !== null).toSorted(),
        outcomes: outcomesOf(callbacks),
      })),
    );
  };
}

export function outcomesOf(callbacks: readonly LookedAtCallback[]): EndpointOutcomes {
  const over = callbacks.filter(isOver).slice(0, lastOutcomesMax);
  const count = (wanted: CallbackStatus) => over.filter(({ status }) => status === wanted).length;
  return {
    count: over.length,
    delivered: count('DELIVERED'),
    rejected: count('REJECTED'),
    exhausted: count('EXHAUSTED'),
    ended: count('ENDED'),
    retried: callbacks.filter((each) => !isOver(each) && each.tried !== undefined).length,
  };
}

function isOver({ status }: LookedAtCallback): boolean {
  return status !== 'PENDING' && status !== 'SENDING';
}
