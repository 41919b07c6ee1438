// Lanes as a proof sees them from outside: how many there are, who holds them, and whether one is left without a holder.
import type { Db } from 'mongodb';
import { createLaneRepository } from '../../subgraphs/notifications/events/lane.repository';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { eventually } from '../support/stores';
import type { World } from '../support/world';

/** What has lanes; the first part of the names of its leases. */
export type LaneKind = 'outbox' | 'janitor-payments' | 'settlement';

interface HeldLease {
  _id: string;
  owner: string;
}

/** What `prepare` does with another number of LANES, while everything runs. */
export async function resize(world: World, lanes: number): Promise<void> {
  const { port } = world.process('mongod');
  const { connection, close } = await openMongo(`mongodb://127.0.0.1:${port}/payments?replicaSet=rs0`, 'resize');
  await createLaneRepository(connection).prepare(lanes).finally(close);
}

/** Waits until each lane in use has a leader that lives, for each kind of work. */
export async function allLed(database: Db, kinds: readonly LaneKind[]): Promise<void> {
  await eventually(
    async () => {
      const lanes = await database.collection<{ _id: string }>('event_lanes').find({ next: null }).toArray();
      const names = kinds.flatMap((kind) => lanes.map(({ _id }) => `${kind}:${_id}`));
      const held = { _id: { $in: names as never[] }, $expr: { $gt: ['$until', '$$NOW'] } };
      return (await database.collection('leases').countDocuments(held)) === names.length;
    },
    { timeoutMs: 120_000 },
  );
}

/** A process that holds a lane of that kind now, as the lease names it; the one that was taken or renewed last. */
export async function holderOf(world: World, database: Db, kind: LaneKind): Promise<{ role: string; pid: number }> {
  const leases = database.collection<HeldLease>('leases');
  return eventually(
    async () => {
      const held = await leases.findOne(
        { _id: { $regex: `^${kind}:\\d+:` }, owner: { $ne: '' } },
        { sort: { until: -1 } },
      );
      const pid = Number(held?.owner.split(' ')[1]);
      return world.processes().find((entry) => entry.pid === pid);
    },
    { timeoutMs: 120_000 },
  );
}
