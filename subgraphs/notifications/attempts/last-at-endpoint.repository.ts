// What went to an endpoint last, as its newest callbacks have it: the latest attempt, and the merchants that they were about. Many endpoints in one query.
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { driverDatabase } from '../../shared/store/collection-of';
import type { Attempt } from '../callbacks/callback';

/** So many callbacks of an endpoint are looked at. */
const lastCallbacksMax = 100;

export interface LastAtEndpoint {
  endpointId: string;
  /** Null: none of them was tried yet. */
  attempt: Attempt | null;
  merchantIds: string[];
}

/** Endpoints without callbacks are left out. */
export type ReadLastAtEndpoints = (caller: Caller, endpointIds: readonly string[]) => Promise<LastAtEndpoint[]>;

export function createLastAtEndpoints(connection: Connection): ReadLastAtEndpoints {
  return async (caller, endpointIds) => {
    const newest = [
      { $match: tenantFilter(caller) },
      { $sort: { position: -1 } },
      { $limit: lastCallbacksMax },
      { $project: { merchantId: 1, attempt: { $last: '$attempts' } } },
      {
        $group: {
          _id: null,
          merchantIds: { $addToSet: '$merchantId' },
          attempt: { $top: { sortBy: { 'attempt.at': -1 }, output: '$attempt' } },
        },
      },
    ];
    const found = await endedInTime(
      driverDatabase(connection)
        .aggregate<{ _id: string; last: { merchantIds: (string | null)[]; attempt?: Attempt | null }[] }>(
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
      last.map(({ merchantIds, attempt }) => ({
        endpointId,
        attempt: attempt ?? null,
        merchantIds: merchantIds.filter((merchantId) => merchantId !== null).toSorted(),
      })),
    );
  };
}
