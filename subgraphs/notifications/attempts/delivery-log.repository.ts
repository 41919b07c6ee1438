// How attempts came out, recorded in bulk under a fencing number. What is claimed stands at the endpoint's lease: a row is written once per attempt, when
// its result is known.
import type { Connection } from 'mongoose';
import { inBatches } from '../../shared/store/batcher';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import type { EndReason } from '../callbacks/callback';
import { createDueCallbacks, type DueCallbacks, type LogEntry } from '../callbacks/due-callback.repository';
import { createUpdateGroup } from '../callbacks/update-group';
import { type AttemptOutcome, alike, attemptOf, claimed, resultOf, writtenFence } from './attempt-write';
import { createToldAttempts, type ToldAttempts } from './told-attempts.repository';

export interface DeliveryLog extends DueCallbacks, ToldAttempts {
  /** Of attempts that no event tells. What somebody else recorded since is dropped; where a redelivery was asked for meanwhile, only the attempt is added. */
  record(outcomes: readonly AttemptOutcome[], fence: number): Promise<void>;
  /** Moves what waits for a retry of its key to that retry's time. */
  defer(endpointId: string, ids: readonly string[], dueAt: Date): Promise<void>;
  /** Ends everything that is due at an endpoint that takes nothing; returns how many. */
  endDue(endpointId: string, now: Date, reason: EndReason): Promise<number>;
}

/** Left to choose, MongoDB weighs the indexes of what is open and of the endpoint as well, for each statement anew. */
const byId = { _id: 1 } as const;

export function createDeliveryLog(connection: Connection): DeliveryLog {
  const deliveries = collectionOf<LogEntry>(connection, 'deliveries');
  const update = createUpdateGroup(driverDatabase(connection), 'deliveries');
  async function recordBeside(outcomes: readonly AttemptOutcome[], fence: number): Promise<void> {
    const statements = alike(outcomes, () => fence).map((group) => ({
      q: { ...claimed(group, fence), redelivery: { $ne: group.outcome.redelivery } },
      u: attemptOf(group.outcome, fence),
      multi: true,
      hint: byId,
    }));
    await update(statements, 0);
  }

  /** The results of all endpoints that come together, so that those that are alike share one update whatever their endpoint. */
  const recordTogether = inBatches<RecordedOutcomes, boolean>(
    async (asked) => {
      const all = asked.flatMap(({ outcomes, fence }) => outcomes.map((outcome) => ({ ...outcome, fence })));
      const groups = alike(all, ({ fence, ...outcome }) => writtenFence(outcome, fence));
      const statements = groups.map(({ outcome: { fence, ...outcome }, ...those }) => {
        const written = writtenFence(outcome, fence);
        const q = claimed({ ...those, outcome }, written);
        return { q, u: resultOf(outcome, written), multi: those.ids.length > 1, hint: byId };
      });
      const isExact = await update(statements, all.length);
      return asked.map(() => isExact);
    },
    { sizeMax: 512, inFlightMax: 1, gatherMsMax: 0 },
  );

  return {
    ...createDueCallbacks(connection),
    ...createToldAttempts(connection),
    async record(outcomes, fence) {
      if (!(await recordTogether({ outcomes, fence }))) await recordBeside(outcomes, fence);
    },
    async defer(endpointId, ids, dueAt) {
      const waiting = { _id: { $in: [...ids] }, endpointId, open: true };
      await deliveries.updateMany(waiting, { $set: { dueAt, outOfTurn: true } }, { hint: byId });
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
  };
}

interface RecordedOutcomes {
  outcomes: readonly AttemptOutcome[];
  fence: number;
}
