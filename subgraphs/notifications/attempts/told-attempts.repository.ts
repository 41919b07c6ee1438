// Attempts that the event log tells: each is recorded in one transaction with its event, many of them together.
import type { Connection } from 'mongoose';
import { inBatches } from '../../shared/store/batcher';
import { collectionOf } from '../../shared/store/collection-of';
import { findAll } from '../../shared/store/reading';
import { inOneTransaction } from '../../shared/store/transaction';
import {
  type EventRecord,
  type NewEvent,
  placeless,
  type UnitOfWork,
  type UpdateWrite,
} from '../../shared/store/unit-of-work';
import type { LogEntry } from '../callbacks/due-callback.repository';
import type { Claim } from '../callbacks/stored-endpoint';
import { attemptEvent, type TellingRow, tellingProjection } from './attempt.events';
import {
  type Alike,
  type AttemptOutcome,
  alike,
  attemptOf,
  claimed,
  interruptedAttempt,
  named,
  resultOf,
  writtenFence,
} from './attempt-write';

/** Outcomes of one transaction. */
const togetherMax = 256;

type ClaimedRow = TellingRow & Pick<LogEntry, 'attemptsMade' | 'fence' | 'redelivery'>;
const claimedProjection = { ...tellingProjection, attemptsMade: 1, fence: 1, redelivery: 1 } as const;

/** As a part of a larger transaction. */
export interface ToldWrites {
  /** When the first attempt was made, on the one clock; null when none came back yet. */
  firstAttemptAt: Date | null;
  writes: Required<Pick<UnitOfWork, 'updates' | 'events'>>;
}

export interface ToldAttempts {
  /** What somebody else recorded since is dropped, with its event; where a redelivery was asked for meanwhile, only the attempt is added. */
  recordTold(outcomes: readonly AttemptOutcome[], fence: number, now: Date): Promise<void>;
  /** The same of one outcome that must match as it was claimed, to be committed with what else follows from it. */
  toldWrites(outcome: AttemptOutcome, fence: number, now: Date): Promise<ToldWrites>;
  /** Claimed by a worker that is gone and not recorded: interrupted and due again at once, not counted against the schedule. */
  recoverInterrupted(held: { endpointId: string; fence: number }, claims: readonly Claim[], now: Date): Promise<number>;
}

interface AttemptsToTell {
  outcome: AttemptOutcome;
  fence: number;
  now: Date;
}

export function createToldAttempts(connection: Connection): ToldAttempts {
  const deliveries = collectionOf<LogEntry>(connection, 'deliveries');
  const log = collectionOf<EventRecord>(connection, 'events');

  /** What is claimed still is read in the transaction that writes: nobody can come between. */
  const recordTogether = inBatches<AttemptsToTell, void>(
    async (asked) => {
      await inOneTransaction(
        connection,
        async (session) => {
          const ids = asked.map(({ outcome }) => outcome.callbackId);
          const endpointIds = [...new Set(asked.map(({ outcome }) => outcome.endpointId))];
          const rows = await findAll<LogEntry, ClaimedRow>(
            deliveries,
            { _id: { $in: ids }, endpointId: { $in: endpointIds }, open: true },
            { session, projection: claimedProjection, hint: { _id: 1 } },
          );
          const told = toldOf(asked, new Map(rows.map((row) => [row._id, row])));
          if (told.length === 0) return;
          const groups = alike(
            told.map(({ written }) => written),
            ({ fence }) => fence,
          );
          const { matchedCount } = await deliveries.bulkWrite(groups.map(updateOf), { session, ordered: false });
          if (matchedCount !== told.length) throw new Error(`${matchedCount} of ${told.length} attempts were recorded`);
          await log.insertMany(
            told.map(({ event }) => placeless(event)),
            { session, ordered: true },
          );
        },
        () => true,
      );
      return asked.map(() => undefined);
    },
    { sizeMax: togetherMax, inFlightMax: 2, gatherMsMax: 0 },
  );

  return {
    async recordTold(outcomes, fence, now) {
      await Promise.all(outcomes.map((outcome) => recordTogether({ outcome, fence, now })));
    },
    async toldWrites(outcome, fence, now) {
      const { callbackId, endpointId } = outcome;
      const projection = { ...tellingProjection, attempts: { $slice: 1 } } as const;
      const row = await deliveries.findOne<TellingRow & Pick<LogEntry, 'attempts'>>(
        { _id: callbackId, endpointId },
        { projection, hint: { _id: 1 } },
      );
      const event = row && attemptEvent(row, outcome.attempt, now);
      const filter = claimed({ ids: [callbackId], endpointIds: new Set([endpointId]), outcome }, fence);
      const update = resultOf(outcome, fence, event?.sequence) as unknown as UpdateWrite['update'];
      return {
        firstAttemptAt: row?.attempts[0]?.at ?? null,
        writes: { updates: [{ collection: 'deliveries', filter, update }], events: event ? [event] : [] },
      };
    },
    async recoverInterrupted({ endpointId, fence }, claims, now) {
      let count = 0;
      for (const claim of claims) {
        // Later than the claim in any case, so that the same claim, found once more, is known to be settled.
        const dueAt = new Date(Math.max(now.getTime(), claim.at.getTime() + 1));
        const filter = {
          _id: { $in: claim.callbackIds },
          endpointId,
          open: true,
          fence: { $lt: fence },
          dueAt: { $lte: claim.at },
        };
        count += await inOneTransaction(
          connection,
          async (session) => {
            const rows = await findAll<LogEntry, ClaimedRow>(deliveries, filter, {
              session,
              projection: claimedProjection,
            });
            if (rows.length === 0) return 0;
            await deliveries.updateMany(filter, [{ $set: { fence, dueAt, ...interruptedAttempt(claim.at, dueAt) } }], {
              session,
            });
            const events = rows.map((row) => placeless(attemptEvent(row, interruptedOf(row, dueAt), now)));
            await log.insertMany(events, { session, ordered: true });
            return rows.length;
          },
          () => true,
        );
      }
      return count;
    },
  };
}

type Written = AttemptOutcome & { fence: number; sequence: number; isBeside: boolean };

/** Those of the outcomes whose callbacks are as they were claimed, with their events. */
function toldOf(
  asked: readonly AttemptsToTell[],
  rows: Map<string, ClaimedRow>,
): { written: Written; event: NewEvent }[] {
  return asked.flatMap(({ outcome, fence, now }) => {
    const row = rows.get(outcome.callbackId);
    if (!row || row.attemptsMade !== outcome.attempt.number - 1 || row.fence > fence) return [];
    // A second outcome of the same attempt, of a lease that was lost, comes too late.
    rows.delete(row._id);
    const event = attemptEvent(row, outcome.attempt, now);
    const isBeside = row.redelivery !== outcome.redelivery;
    const number = isBeside ? fence : writtenFence(outcome, fence);
    return [{ written: { ...outcome, fence: number, sequence: event.sequence, isBeside }, event }];
  });
}

function updateOf({ outcome: { fence, sequence, isBeside, ...outcome }, ...those }: Alike<Written>) {
  const update = isBeside ? attemptOf(outcome, fence, sequence) : resultOf(outcome, fence, sequence);
  const hint = { _id: 1 } as const;
  // By the id alone it would be found, too: that an attempt is not recorded twice does not hang on how it was read.
  const filter = { ...named(those), attemptsMade: outcome.attempt.number - 1 };
  return those.ids.length === 1 ? { updateOne: { filter, update, hint } } : { updateMany: { filter, update, hint } };
}

function interruptedOf({ attemptsMade }: ClaimedRow, nextAt: Date) {
  return { number: attemptsMade + 1, result: 'interrupted', status: null, durationMs: null, nextAt } as const;
}
