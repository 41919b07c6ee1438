// The callbacks that are due as the workers read them: of one endpoint, of many at once, and by due time whatever the endpoint.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { environments } from '../../shared/callers/caller';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { findAll } from '../../shared/store/reading';
import type { Callback } from './callback';

const blockersMax = 10_000;
const duePageMax = 5_000;

/** `outOfTurn`: open and ordered, but no longer at its place among the due ones; others of its key may have to wait for it. */
export type LogEntry = Omit<Callback, 'callbackId' | 'sendingAt'> & {
  _id: string;
  attemptsMade: number;
  /** Of its last event in the log; absent: it has none. */
  sequence?: number;
  outOfTurn?: true;
};

/** What a worker needs of a callback that is due. */
export type DueCallback = Pick<
  LogEntry,
  | '_id'
  | 'eventId'
  | 'requestId'
  | 'accountId'
  | 'merchantId'
  | 'kind'
  | 'orderingKey'
  | 'position'
  | 'address'
  | 'path'
  | 'headers'
  | 'body'
  | 'securityToken'
  | 'authorization'
  | 'tries'
  | 'ordered'
  | 'attemptsMade'
  | 'redelivery'
  | 'dueAt'
  | 'createdAt'
>;

/** An open callback of the same key that others may have to wait for. */
export type Blocker = Pick<
  LogEntry,
  '_id' | 'address' | 'orderingKey' | 'position' | 'status' | 'tries' | 'dueAt' | 'ordered'
>;

/** A place in the order in which callbacks are due. */
type DuePlace = Pick<LogEntry, 'dueAt' | 'position'>;

export interface FirstDue {
  callbacks: DueCallback[];
  /** True when this is all that is due. */
  isAll: boolean;
}

/** A place in the order in which all callbacks are due, whatever their endpoint. */
export type DueTime = Pick<LogEntry, 'dueAt' | 'endpointId'>;

interface DueEndpoints {
  endpointIds: string[];
  /** Where the next page begins; null: this was the last. */
  next: DueTime | null;
}

export interface DueCallbacks {
  /** In the order of time and position, from the beginning or after a place; claimed ones among them. */
  due(endpointId: string, now: Date, limit: number, after?: DuePlace | null): Promise<DueCallback[]>;
  /** The beginning of what is due at each of these endpoints, in as few queries as that takes. */
  firstDue(endpointIds: readonly string[], now: Date, limit: number): Promise<Map<string, FirstDue>>;
  /** `blockers` of many endpoints in one query, by endpoint; null when there are more than one answer holds. */
  blockersAmong(due: ReadonlyMap<string, FirstDue>): Promise<Map<string, Blocker[]> | null>;
  /** Ordered callbacks of the keys of `due` that have lost their place in that order, those of `due` apart. */
  blockers(endpointId: string, due: readonly DueCallback[]): Promise<Blocker[]>;
  /** The endpoints of what is due, the latest first, or from a place on; a page of the index, however much is due and however many endpoints there are. */
  dueEndpoints(now: Date, before?: DueTime | null): Promise<DueEndpoints>;
  oldestOpenSince(): Promise<Date | null>;
}

/** The index that `due` and `firstDue` walk. */
export const dueIndexName = 'open-due';
/** The index that `dueEndpoints` walks, and answers from alone. */
export const dueTimeIndexName = 'open-due-time';
/** Those that are open, in the order in which they were made. */
export const openIndexName = 'open-newest';
/** The index that `blockers` walks: empty where nothing failed. */
export const outOfTurnIndexName = 'out-of-turn';

const dueProjection = {
  eventId: 1,
  requestId: 1,
  accountId: 1,
  merchantId: 1,
  kind: 1,
  orderingKey: 1,
  position: 1,
  address: 1,
  path: 1,
  headers: 1,
  body: 1,
  securityToken: 1,
  authorization: 1,
  tries: 1,
  ordered: 1,
  attemptsMade: 1,
  redelivery: 1,
  dueAt: 1,
  createdAt: 1,
} as const;
const blockerProjection = {
  address: 1,
  orderingKey: 1,
  position: 1,
  status: 1,
  tries: 1,
  dueAt: 1,
  ordered: 1,
} as const;

export function createDueCallbacks(connection: Connection): DueCallbacks {
  const deliveries = collectionOf<LogEntry>(connection, 'deliveries');
  const dueFilter = (endpointId: string, now: Date): Filter<LogEntry> => ({
    endpointId,
    open: true,
    dueAt: { $lte: now },
  });

  return {
    due: (endpointId, now, limit, after = null) =>
      findAll<LogEntry, DueCallback>(deliveries, dueFilter(endpointId, now), {
        projection: dueProjection,
        hint: dueIndexName,
        sort: { dueAt: 1, position: 1 },
        limit,
        ...withoutAbsent({
          min: after && { open: true, endpointId, dueAt: after.dueAt, position: after.position + 1 },
        }),
      }),
    async firstDue(endpointIds, now, limit) {
      const found = new Map<string, FirstDue>();
      // In the order of the index: of a page that is full, the last endpoint may go on and those after it come with the next one.
      let wanted = [...new Set(endpointIds)].sort();
      while (wanted.length > 0) {
        const pageMax = limit + wanted.length;
        const page = await findAll<LogEntry, DueCallback & { endpointId: string }>(
          deliveries,
          { endpointId: { $in: wanted }, open: true, dueAt: { $lte: now } },
          {
            projection: { ...dueProjection, endpointId: 1 },
            hint: dueIndexName,
            sort: { open: 1, endpointId: 1, dueAt: 1, position: 1 },
            limit: pageMax,
          },
        );
        for (const { endpointId, ...callback } of page) {
          const known = found.get(endpointId);
          if (known) known.callbacks.push(callback);
          else found.set(endpointId, { callbacks: [callback], isAll: true });
        }
        const cut = page.length === pageMax ? page.at(-1)?.endpointId : undefined;
        if (cut === undefined) break;
        const ofCut = found.get(cut);
        // Less than a page of it was read, because others came before: it is read anew.
        if (ofCut && ofCut.callbacks.length < limit) found.delete(cut);
        else if (ofCut) ofCut.isAll = false;
        wanted = wanted.filter((endpointId) => (found.has(cut) ? endpointId > cut : endpointId >= cut));
      }
      return found;
    },
    async blockersAmong(due) {
      const found = new Map<string, Blocker[]>();
      const callbacks = [...due.values()].flatMap(({ callbacks: own }) => own);
      if (callbacks.length === 0) return found;
      const own = new Set(callbacks.map(({ _id }) => _id));
      const page = await findAll<LogEntry, Blocker & { endpointId: string }>(
        deliveries,
        {
          endpointId: { $in: [...due.keys()] },
          outOfTurn: true,
          orderingKey: { $in: [...new Set(callbacks.map(({ orderingKey }) => orderingKey))] },
        },
        { projection: { ...blockerProjection, endpointId: 1 }, limit: blockersMax, hint: outOfTurnIndexName },
      );
      if (page.length === blockersMax) return null;
      for (const { endpointId, ...blocker } of page) {
        if (!own.has(blocker._id)) found.set(endpointId, [...(found.get(endpointId) ?? []), blocker]);
      }
      return found;
    },
    blockers: (endpointId, due) =>
      findAll<LogEntry, Blocker>(
        deliveries,
        {
          endpointId,
          outOfTurn: true,
          orderingKey: { $in: [...new Set(due.map(({ orderingKey }) => orderingKey))] },
          _id: { $nin: due.map(({ _id }) => _id) },
        },
        { projection: blockerProjection, limit: blockersMax, hint: outOfTurnIndexName },
      ),
    async dueEndpoints(now, before = null) {
      const page = await findAll<LogEntry, DueTime>(
        deliveries,
        { open: true, dueAt: { $lte: now } },
        {
          projection: { _id: 0, dueAt: 1, endpointId: 1 },
          hint: dueTimeIndexName,
          maxTimeMS: 5_000,
          sort: { open: -1, dueAt: -1, endpointId: -1 },
          limit: duePageMax,
          ...withoutAbsent({ max: before && { open: true, dueAt: before.dueAt, endpointId: before.endpointId } }),
        },
      );
      const last = page.length === duePageMax ? page.at(-1) : undefined;
      return { endpointIds: [...new Set(page.map(({ endpointId }) => endpointId))], next: last ?? null };
    },
    async oldestOpenSince() {
      const oldest = await deliveries.findOne(
        { environment: { $in: [...environments] }, open: true },
        { sort: { position: 1 }, projection: { createdAt: 1 }, hint: openIndexName },
      );
      return oldest?.createdAt ?? null;
    },
  };
}
