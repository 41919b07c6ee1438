// The callbacks as the workers see them: what is due, and how attempts came out, recorded in bulk under a fencing number. What is claimed stands at
// the endpoint's lease: a row is written once per attempt, when its result is known.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { inBatches } from '../../shared/store/batcher';
import type { UpdateWrite } from '../../shared/store/outbox';
import type { Attempt, Callback, CallbackStatus, EndReason } from './callback';
import { collectionOf } from './collection';
import type { Claim } from './stored-endpoint';
import { createUpdateGroup } from './update-group';

const attemptsKeptMax = 50;
const blockersMax = 10_000;
const duePageMax = 5_000;

/** `outOfTurn`: open and ordered, but no longer at its place among the due ones; others of its key may have to wait for it. */
type LogEntry = Omit<Callback, 'callbackId' | 'sendingAt'> & { _id: string; attemptsMade: number; outOfTurn?: true };

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

/** How an attempt ended and what follows from it. */
export interface AttemptOutcome {
  callbackId: string;
  attempt: Attempt;
  /** The nonce that the callback had when it was claimed. */
  redelivery: string | null;
  status: CallbackStatus;
  reason: EndReason | null;
  tries: number;
  ordered: boolean;
  dueAt: Date;
  endedAt: Date | null;
}

export interface DeliveryLog {
  /** In the order of time and position, from the beginning or after a place; claimed ones among them. */
  due(endpointId: string, now: Date, limit: number, after?: DuePlace | null): Promise<DueCallback[]>;
  /** The beginning of what is due at each of these endpoints, in as few queries as that takes. */
  firstDue(endpointIds: readonly string[], now: Date, limit: number): Promise<Map<string, FirstDue>>;
  /** `blockers` of many endpoints in one query, by endpoint; null when there are more than one answer holds. */
  blockersAmong(due: ReadonlyMap<string, FirstDue>): Promise<Map<string, Blocker[]> | null>;
  /** Ordered callbacks of the keys of `due` that have lost their place in that order, those of `due` apart. */
  blockers(endpointId: string, due: readonly DueCallback[]): Promise<Blocker[]>;
  /** What somebody else recorded since is dropped; where a redelivery was asked for meanwhile, only the attempt is added. */
  record(outcomes: readonly AttemptOutcome[], fence: number): Promise<void>;
  /** Adds the attempt to those for which a redelivery was asked meanwhile, and leaves them due. */
  recordBeside(outcomes: readonly AttemptOutcome[], fence: number): Promise<void>;
  /** `record` of one outcome, as a write of a larger transaction. */
  recordWrite(outcome: AttemptOutcome, fence: number): UpdateWrite;
  /** When the first attempt was made, on the one clock; null when none came back yet. */
  firstAttemptAt(callbackId: string): Promise<Date | null>;
  /** Moves what waits for a retry of its key to that retry's time. */
  defer(ids: readonly string[], dueAt: Date): Promise<void>;
  /** Ends everything that is due at an endpoint that takes nothing; returns how many. */
  endDue(endpointId: string, now: Date, reason: EndReason): Promise<number>;
  /** Claimed by a worker that is gone and not recorded: interrupted and due again at once, not counted against the schedule. */
  recoverInterrupted(claims: readonly Claim[], fence: number, now: Date): Promise<number>;
  /** The endpoints of what is due, the latest first, or from a place on; a page of the index, however much is due and however many endpoints there are. */
  dueEndpoints(now: Date, before?: DueTime | null): Promise<DueEndpoints>;
  oldestOpenSince(): Promise<Date | null>;
}

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

export function createDeliveryLog(connection: Connection): DeliveryLog {
  const deliveries = collectionOf<LogEntry>(connection, 'deliveries');
  const update = createUpdateGroup(connection.getClient().db(connection.name), 'deliveries');
  const dueFilter = (endpointId: string, now: Date): Filter<LogEntry> => ({
    endpointId,
    open: true,
    dueAt: { $lte: now },
  });

  async function recordBeside(outcomes: readonly AttemptOutcome[], fence: number): Promise<void> {
    const statements = alike(outcomes, () => fence).map(({ ids, outcome }) => ({
      q: { ...claimed(ids, outcome, fence), redelivery: { $ne: outcome.redelivery } },
      u: attemptOf(outcome, fence),
      multi: true,
    }));
    await update(statements, 0);
  }

  /** The results of all endpoints that come together, so that those that are alike share one update whatever their endpoint. */
  const recordTogether = inBatches<Recorded, boolean>(
    async (asked) => {
      const all = asked.flatMap(({ outcomes, fence }) => outcomes.map((outcome) => ({ ...outcome, fence })));
      const groups = alike(all, ({ fence, ...outcome }) => writtenFence(outcome, fence));
      const statements = groups.map(({ ids, outcome: { fence, ...outcome } }) => {
        const written = writtenFence(outcome, fence);
        return { q: claimed(ids, outcome, written), u: resultOf(outcome, written), multi: ids.length > 1 };
      });
      const isExact = await update(statements, all.length);
      return asked.map(() => isExact);
    },
    { sizeMax: 512, inFlightMax: 1, gatherMsMax: 0 },
  );

  return {
    due: (endpointId, now, limit, after = null) =>
      deliveries
        .find<DueCallback>(dueFilter(endpointId, now), {
          projection: dueProjection,
          batchSize: limit + 1,
          hint: dueIndexName,
          ...(after && { min: { open: true, endpointId, dueAt: after.dueAt, position: after.position + 1 } }),
        })
        .sort({ dueAt: 1, position: 1 })
        .limit(limit)
        .toArray(),
    async firstDue(endpointIds, now, limit) {
      const found = new Map<string, FirstDue>();
      // In the order of the index: of a page that is full, the last endpoint may go on and those after it come with the next one.
      let wanted = [...new Set(endpointIds)].sort();
      while (wanted.length > 0) {
        const pageMax = limit + wanted.length;
        const page = await deliveries
          .find<DueCallback & { endpointId: string }>(
            { endpointId: { $in: wanted }, open: true, dueAt: { $lte: now } },
            { projection: { ...dueProjection, endpointId: 1 }, batchSize: pageMax + 1, hint: dueIndexName },
          )
          .sort({ open: 1, endpointId: 1, dueAt: 1, position: 1 })
          .limit(pageMax)
          .toArray();
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
      const page = await deliveries
        .find<Blocker & { endpointId: string }>(
          {
            endpointId: { $in: [...due.keys()] },
            outOfTurn: true,
            orderingKey: { $in: [...new Set(callbacks.map(({ orderingKey }) => orderingKey))] },
          },
          {
            projection: { ...blockerProjection, endpointId: 1 },
            batchSize: blockersMax,
            hint: outOfTurnIndexName,
          },
        )
        .limit(blockersMax)
        .toArray();
      if (page.length === blockersMax) return null;
      for (const { endpointId, ...blocker } of page) {
        if (!own.has(blocker._id)) found.set(endpointId, [...(found.get(endpointId) ?? []), blocker]);
      }
      return found;
    },
    blockers: (endpointId, due) =>
      deliveries
        .find<Blocker>(
          {
            endpointId,
            outOfTurn: true,
            orderingKey: { $in: [...new Set(due.map(({ orderingKey }) => orderingKey))] },
            _id: { $nin: due.map(({ _id }) => _id) },
          },
          { projection: blockerProjection, batchSize: blockersMax, hint: outOfTurnIndexName },
        )
        .limit(blockersMax)
        .toArray(),
    async record(outcomes, fence) {
      if (!(await recordTogether({ outcomes, fence }))) await recordBeside(outcomes, fence);
    },
    recordBeside,
    recordWrite: (outcome, fence) => ({
      collection: 'deliveries',
      filter: claimed([outcome.callbackId], outcome, fence) as unknown as UpdateWrite['filter'],
      update: resultOf(outcome, fence) as unknown as UpdateWrite['update'],
    }),
    async firstAttemptAt(callbackId) {
      const found = await deliveries.findOne({ _id: callbackId }, { projection: { attempts: { $slice: 1 } } });
      return found?.attempts[0]?.at ?? null;
    },
    async defer(ids, dueAt) {
      await deliveries.updateMany({ _id: { $in: [...ids] }, open: true }, { $set: { dueAt, outOfTurn: true } });
    },
    async endDue(endpointId, now, reason) {
      const { modifiedCount } = await deliveries.updateMany(dueFilter(endpointId, now), {
        $set: { status: 'ENDED', reason, open: false, endedAt: now, redelivery: null },
        $unset: { outOfTurn: true },
      });
      return modifiedCount;
    },
    async recoverInterrupted(claims, fence, now) {
      let count = 0;
      for (const { at, callbackIds } of claims) {
        // Later than the claim in any case, so that the same claim, found once more, is known to be settled.
        const dueAt = new Date(Math.max(now.getTime(), at.getTime() + 1));
        const { modifiedCount } = await deliveries.updateMany(
          { _id: { $in: callbackIds }, open: true, fence: { $lt: fence }, dueAt: { $lte: at } },
          [{ $set: { fence, dueAt, ...interruptedAttempt(at, dueAt) } }],
          { writeConcern: { w: 'majority', journal: true } },
        );
        count += modifiedCount;
      }
      return count;
    },
    async dueEndpoints(now, before = null) {
      const page = await deliveries
        .find<DueTime>(
          { open: true, dueAt: { $lte: now } },
          {
            projection: { _id: 0, dueAt: 1, endpointId: 1 },
            hint: dueTimeIndexName,
            maxTimeMS: 5_000,
            batchSize: duePageMax + 1,
            ...(before && { max: { open: true, dueAt: before.dueAt, endpointId: before.endpointId } }),
          },
        )
        .sort({ open: -1, dueAt: -1, endpointId: -1 })
        .limit(duePageMax)
        .toArray();
      const last = page.length === duePageMax ? page.at(-1) : undefined;
      return { endpointIds: [...new Set(page.map(({ endpointId }) => endpointId))], next: last ?? null };
    },
    async oldestOpenSince() {
      const oldest = await deliveries.findOne({ open: true }, { sort: { createdAt: 1 }, projection: { createdAt: 1 } });
      return oldest?.createdAt ?? null;
    },
  };
}

/** The index that `due` and `firstDue` walk. */
export const dueIndexName = 'open-due';
/** The index that `dueEndpoints` walks, and answers from alone. */
export const dueTimeIndexName = 'open-due-time';
/** The index that `blockers` walks: empty where nothing failed. */
export const outOfTurnIndexName = 'out-of-turn';

interface Recorded {
  outcomes: readonly AttemptOutcome[];
  fence: number;
}

/**
 * A callback that nobody recorded an attempt of has the fencing number 0, and one that is delivered is closed: between these two no holder's number can
 * matter, and results of many endpoints may be alike.
 */
function writtenFence({ attempt, status }: AttemptOutcome, fence: number): number {
  return attempt.number === 1 && status === 'DELIVERED' ? 0 : fence;
}

/** Outcomes that are written alike share one update: most of healthy endpoints do, which saves more than half of what a result costs. */
function alike<Outcome extends AttemptOutcome>(
  outcomes: readonly Outcome[],
  fenceOf: (outcome: Outcome) => number,
): { ids: string[]; outcome: Outcome }[] {
  const groups = new Map<string, { ids: string[]; outcome: Outcome }>();
  for (const outcome of outcomes) {
    const key = JSON.stringify({ ...outcome, callbackId: '', fence: fenceOf(outcome) });
    const known = groups.get(key);
    if (known) known.ids.push(outcome.callbackId);
    else groups.set(key, { ids: [outcome.callbackId], outcome });
  }
  return [...groups.values()];
}

/** As it was claimed: not recorded since, not taken over by a later holder of the lease, no redelivery asked for. */
function claimed(ids: readonly string[], { attempt, redelivery }: AttemptOutcome, fence: number) {
  const [id] = ids;
  return {
    _id: ids.length === 1 && id ? id : { $in: [...ids] },
    open: true,
    attemptsMade: attempt.number - 1,
    fence: { $lte: fence },
    redelivery,
  };
}

function resultOf(outcome: AttemptOutcome, fence: number) {
  const { status, reason, tries, ordered, dueAt, endedAt } = outcome;
  const open = endedAt === null;
  const { $set, $push } = attemptOf(outcome, fence);
  return {
    $set: {
      ...$set,
      status,
      open,
      reason,
      tries,
      ordered,
      dueAt,
      endedAt,
      redelivery: null,
      ...(ordered && { outOfTurn: true }),
    },
    ...(ordered ? {} : { $unset: { outOfTurn: true } }),
    $push,
  };
}

function attemptOf({ attempt }: AttemptOutcome, fence: number) {
  return {
    $set: { fence, attemptsMade: attempt.number },
    $push: { attempts: { $each: [attempt], $slice: -attemptsKeptMax } },
  };
}

/** The same for an attempt whose outcome nobody knows, as stages of a pipeline. */
function interruptedAttempt(at: Date, nextAt: Date) {
  const number = { $add: ['$attemptsMade', 1] };
  const unknown = { status: null, durationMs: null, excerpt: null };
  const isManual = { $ne: ['$redelivery', null] };
  const attempt = { number, at, result: 'interrupted', ...unknown, nextAt, isManual };
  return {
    attemptsMade: number,
    outOfTurn: { $cond: ['$ordered', true, '$$REMOVE'] },
    attempts: { $slice: [{ $concatArrays: ['$attempts', [attempt]] }, -attemptsKeptMax] },
  };
}
