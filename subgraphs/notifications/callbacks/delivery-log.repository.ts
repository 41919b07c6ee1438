// How attempts came out, recorded in bulk under a fencing number. What is claimed stands at the endpoint's lease: a row is written once per attempt, when
// its result is known.
import type { Connection } from 'mongoose';
import { inBatches } from '../../shared/store/batcher';
import type { UpdateWrite } from '../../shared/store/unit-of-work';
import type { Attempt, CallbackStatus, EndReason } from './callback';
import { collectionOf } from './collection';
import { createDueCallbacks, type DueCallbacks, type LogEntry } from './due-callback.repository';
import type { Claim } from './stored-endpoint';
import { createUpdateGroup } from './update-group';

const attemptsKeptMax = 50;

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

export interface DeliveryLog extends DueCallbacks {
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
}

export function createDeliveryLog(connection: Connection): DeliveryLog {
  const deliveries = collectionOf<LogEntry>(connection, 'deliveries');
  const update = createUpdateGroup(connection.getClient().db(connection.name), 'deliveries');
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
    ...createDueCallbacks(connection),
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
      const { modifiedCount } = await deliveries.updateMany(
        { endpointId, open: true, dueAt: { $lte: now } },
        {
          $set: { status: 'ENDED', reason, open: false, endedAt: now, redelivery: null },
          $unset: { outOfTurn: true },
        },
      );
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
  };
}

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
