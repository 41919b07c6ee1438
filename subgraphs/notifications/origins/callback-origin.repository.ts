// Origins that callbacks go to, read from the endpoints: a page of them by name, and of those of a page how many endpoints there are, what waits and whose it is.
import type { Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { countedInTime, countIn, countMsMax, countStages, totalMax, totalOf } from '../../shared/lists/bounded-count';
import { boundedList, endedInTime, listMsMax } from '../../shared/lists/bounded-list';
import { childCounts } from '../../shared/lists/child-pages';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { placed } from '../../shared/lists/list-page';
import { cutToPage, type Page, type TotalCount } from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import { type EndpointState, endpointStates } from '../callbacks/callback-endpoint';
import type { StoredEndpoint } from '../callbacks/stored-endpoint';
import type { EventLogRepository } from '../events/event-log.repository';
import type { EventPlace } from '../events/event-place.repository';

const collection = 'callback_endpoints';
/** Endpoints that are read at once for a page of origins. */
const readMax = 500;
/** Endpoints of an origin that are looked at: for what waits, and for the last callbacks, which are put in order. */
const looked = { waiting: 1_000, last: 100 } as const;
/** So many callbacks of an origin are looked at for whose it is. */
const lastCallbacksMax = 100;

export interface OriginFilter {
  health: readonly EndpointState[] | null;
  endpointIds: readonly string[] | null;
}

export interface Undelivered {
  total: TotalCount;
  oldestAt: Date | null;
}

export type CallbackOriginRepository = ReturnType<typeof createCallbackOriginRepository>;

export function createCallbackOriginRepository(
  connection: Connection,
  { terminalsOf }: Pick<EventLogRepository, 'terminalsOf'>,
) {
  const endpoints = collectionOf<StoredEndpoint>(connection, collection);
  const aggregate = <Row extends Document>(stages: Document[]) =>
    endedInTime(driverDatabase(connection).aggregate<Row>(stages, { maxTimeMS: listMsMax }).toArray());
  /** Each of the origins with its endpoints, up to so many. */
  const withEndpoints = (caller: Caller, origins: readonly string[], limit: number): Document[] => [
    { $documents: origins.map((_id) => ({ _id })) },
    {
      $lookup: {
        from: collection,
        localField: '_id',
        foreignField: 'origin',
        pipeline: [{ $match: ofAnyHealth(caller) }, { $limit: limit }, { $project: { _id: 1 } }],
        as: 'endpoints',
      },
    },
  ];

  const countOf = async (own: Document): Promise<TotalCount> => {
    const stages = [{ $match: { ...own, origin: { $gt: '' } } }, { $group: { _id: '$origin' } }, ...countStages(null)];
    const rows = await countedInTime(endpoints.aggregate(stages, { maxTimeMS: countMsMax }).toArray());
    return totalOf(rows && countIn(rows));
  };

  return {
    /** In their order. Of an origin that has many endpoints the rest is passed over. */
    async list(caller: Caller, filter: OriginFilter, { size, after, ...slice }: Slice<string>): Promise<Page<string>> {
      const own = endpointsOf(caller, filter);
      const found = new Set<string>();
      for (let place = after; found.size <= size; ) {
        const { beyond, sort } = alongKey('origin', { ...slice, size, after: place });
        const rows = await boundedList<StoredEndpoint, { origin: string }>(
          endpoints,
          placed({ ...own, origin: { $gt: '' } }, beyond),
          { sort, projection: { _id: 0, origin: 1 }, limit: readMax },
        );
        for (const { origin } of rows) found.add(origin);
        if (rows.length < readMax) break;
        place = rows.at(-1)?.origin ?? place;
      }
      return cutToPage(
        [...found],
        size,
        (origin) => origin,
        () => countOf(own),
      );
    },
    /** How many endpoints of a health each has. */
    countByOrigin(caller: Caller, state: EndpointState, origins: readonly string[]): Promise<Map<string, TotalCount>> {
      const filter = ofAnyHealth(caller, [state]);
      return childCounts({ connection, collection, parentField: 'origin', parentIds: origins, filter });
    },
    async undelivered(
      caller: Caller,
      origins: readonly string[],
    ): Promise<{ origin: string; undelivered: Undelivered }[]> {
      const found = await aggregate<{ _id: string; open: { count: number; oldestAt: Date }[] }>([
        ...withEndpoints(caller, origins, looked.waiting),
        {
          $lookup: {
            from: 'deliveries',
            localField: 'endpoints._id',
            foreignField: 'endpointId',
            pipeline: [
              { $match: { open: true } },
              { $limit: totalMax + 1 },
              { $group: { _id: null, count: { $sum: 1 }, oldestAt: { $min: '$createdAt' } } },
            ],
            as: 'open',
          },
        },
      ]);
      return found.map(({ _id, open: [open] }) => ({
        origin: _id,
        undelivered: { total: totalOf(open?.count ?? 0), oldestAt: open?.oldestAt ?? null },
      }));
    },
    /** The terminals whose operations were told there last. */
    async terminals(caller: Caller, origins: readonly string[]): Promise<{ origin: string; terminalIds: string[] }[]> {
      const found = await aggregate<{ _id: string; last: EventPlace[] }>([
        ...withEndpoints(caller, origins, looked.last),
        {
          $lookup: {
            from: 'deliveries',
            localField: 'endpoints._id',
            foreignField: 'endpointId',
            pipeline: [
              { $match: { environment: caller.environment } },
              { $sort: { position: -1 } },
              { $limit: lastCallbacksMax },
              { $project: { _id: '$eventId', slot: 1 } },
            ],
            as: 'last',
          },
        },
      ]);
      const terminals = await terminalsOf(found.flatMap(({ last }) => last));
      return found.map(({ _id, last }) => {
        const told = last.flatMap((event) => terminals.get(event._id) ?? []);
        return { origin: _id, terminalIds: [...new Set(told)].sort() };
      });
    },
  };
}

function endpointsOf(caller: Caller, { health, endpointIds }: OriginFilter): Document {
  return {
    ...ofAnyHealth(caller, health ?? endpointStates),
    ...withoutUndefined({ _id: endpointIds ? { $in: [...endpointIds] } : undefined }),
  };
}

/** Said of every health too, because the indexes have the origins behind it. */
function ofAnyHealth(caller: Caller, states: readonly EndpointState[] = endpointStates) {
  return { ...tenantFilter(caller), 'health.state': { $in: [...states] } };
}
