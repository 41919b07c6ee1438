// How far each lane of the log is booked, and how the one checkpoint of before the log had lanes is taken over.
import type { ClientSession, Collection, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import type { Environment } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { inOneTransaction } from '../../shared/store/transaction';
import { type BookSet, bookCollection, bookCollectionName } from './collections.repository';
import type { LogLane } from './read-log';

export interface FeedState {
  /** `stateId`. */
  _id: string;
  /** Everything up to this segment of the lane is booked; of the log of before, everything up to this position. */
  position: number;
}

const stateSchema = storedSchema<FeedState>('journal_state', { _id: storedText, position: there(Number) });

function stateId(environment: Environment, { layout, lane }: LogLane): string {
  return `${environment}:${layout}:${lane}`;
}

/** Beyond every position: the leader of a release before, which had one checkpoint for all, finds nothing to book any more. */
const formerlyBooked = Number.MAX_SAFE_INTEGER;

export const durably = { writeConcern: { w: 'majority', journal: true } } as const;

interface CheckpointMove {
  environment: Environment;
  feed: LogLane;
  from: number;
  to: number;
}

export function createCheckpointRepository(connection: Connection, set: BookSet) {
  const state = bookCollection<FeedState>(connection, 'journal_state', set);

  /** The checkpoint of before counts on under the name of the former log, and the leader of before is told that all is booked. */
  async function takeOver(environment: Environment): Promise<void> {
    await state.updateOne({ _id: environment }, { $setOnInsert: { position: 0 } }, { upsert: true });
    await inOneTransaction(
      connection,
      async (session) => {
        const former = await state.findOneAndUpdate(
          { _id: environment, position: { $lt: formerlyBooked } },
          { $set: { position: formerlyBooked } },
          { session },
        );
        const _id = stateId(environment, { layout: 0, lane: 0 });
        if (former && former.position > 0) await state.insertOne({ _id, position: former.position }, { session });
        return former;
      },
      (former) => former !== null,
    );
  }

  return {
    ...checkpointsIn(state),
    async prepare(environment: Environment): Promise<void> {
      await prepareCollection(connection, stateSchema, bookCollectionName('journal_state', set));
      await takeOver(environment);
    },
  };
}

/** Of any feed of the log, in a collection of its own. */
export function checkpointsIn(state: Collection<FeedState>) {
  return {
    /** Of a lane; 0 before anything is booked. */
    checkpoint: async (environment: Environment, lane: LogLane): Promise<number> =>
      (await reading(state.findOne({ _id: stateId(environment, lane) })))?.position ?? 0,
    /** In the order of the lanes. */
    async checkpoints(environment: Environment, lanes: readonly LogLane[]): Promise<number[]> {
      const ids = lanes.map((lane) => stateId(environment, lane));
      const found = await reading(findAll(state, { _id: { $in: ids } }));
      const byId = new Map(found.map(({ _id, position }) => [_id, position]));
      return ids.map((id) => byId.get(id) ?? 0);
    },
    /** False: the checkpoint is another one now. */
    move(
      { environment, feed, from, to }: CheckpointMove,
      options: { session: ClientSession } | typeof durably,
    ): Promise<boolean> {
      const _id = stateId(environment, feed);
      if (from > 0) {
        const filter: Filter<FeedState> = { _id, position: from };
        return state
          .updateOne(filter, { $set: { position: to } }, options)
          .then(({ matchedCount }) => matchedCount === 1);
      }
      return state.insertOne({ _id, position: to }, options).then(
        () => true,
        (error: { code?: number }) => {
          // Another was first: this transaction is over, and nothing of it is kept.
          if (error.code === 11000) return false;
          throw error;
        },
      );
    },
  };
}
