// What we are about to ask of the token service, written before the call, so that no outcome is ever lost (tokenization interface, create token).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { newOrderedId } from '../../shared/ids';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedInsert } from '../../shared/store/grouped-insert';
import { inSlots } from '../../shared/store/in-slots';
import { ofSlotOfIds } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { type SlotRange, slotOf } from '../../shared/store/slot';
import { absentOr, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, RemovalWrite, UpdateWrite } from '../../shared/store/unit-of-work';

/**
 * PENDING: the call may be under way. ABANDONED: no account will come of it, the token service is to be told.
 * REFUSED and RELEASED: nothing is left at the token service. COMPLETED: releases before left it so where the account stands; now it is gone then.
 */
const intentStates = ['PENDING', 'ABANDONED', 'COMPLETED', 'REFUSED', 'RELEASED'] as const;
export type IntentState = (typeof intentStates)[number];

export interface ProvisioningIntent {
  intentId: string;
  environment: Environment;
  accountId: string;
  merchantId: string;
  /** The request id that the token service knows. */
  provisioningId: string;
  state: IntentState;
  /** When the janitor looks at it; real time, because it measures a call in flight. */
  dueAt?: Date;
}

/** Longer than any call to the token service can take. */
const outcomeUnknownAfterMs = 30_000;
const settledKeptSeconds = 86_400;
const collection = 'provisioning_intents';

type StoredProvisioningIntent = Omit<ProvisioningIntent, 'intentId'> & {
  _id: string;
  slot?: number;
  settledAt?: Date;
};
type IntentOrigin = Pick<ProvisioningIntent, 'environment' | 'accountId' | 'merchantId'>;

const schema = storedSchema<StoredProvisioningIntent>(collection, {
  _id: storedText,
  // Those of releases before have none until `npm run database:slots`.
  slot: absentOr(Number),
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  provisioningId: storedText,
  state: there(String, { enum: intentStates }),
  dueAt: absentOr(Date),
  settledAt: absentOr(Date),
});
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ settledAt: 1 }, { sparse: true, expireAfterSeconds: settledKeptSeconds });

export type ProvisioningIntentRepository = ReturnType<typeof createProvisioningIntentRepository>;

export function createProvisioningIntentRepository(connection: Connection) {
  const records: Model<StoredProvisioningIntent> = connection.model<StoredProvisioningIntent>(
    'ProvisioningIntent',
    schema,
  );
  const insertOnce = createGroupedInsert(collectionOf(connection, collection));
  const change = (intentId: string, from: IntentState, update: UpdateWrite['update']): UpdateWrite => ({
    collection,
    filter: intentIn(intentId, from),
    update,
  });

  return {
    /** Durable before it resolves. Its id is the provisioning's request id. */
    async insertPending(provisioningId: string, order: IntentOrigin): Promise<void> {
      const origin = originOf(order);
      const dueAt = inMs(outcomeUnknownAfterMs);
      const intent = { _id: provisioningId, ...origin, provisioningId, state: 'PENDING', dueAt } as const;
      if (!(await insertOnce<StoredProvisioningIntent>(intent))) throw new Error('a provisioning id was used twice');
    },
    /** To be released as soon as the janitor comes by. */
    releaseOf(provisioningId: string, account: IntentOrigin): InsertWrite {
      const origin = originOf(account);
      const _id = newOrderedId(origin.slot);
      return { collection, document: { _id, ...origin, provisioningId, state: 'ABANDONED', dueAt: inMs(0) } };
    },
    /** With what keeps the token. Matches only while the call is ours to conclude: an intent that the janitor took makes the whole unit fail. */
    completedOf: (intentId: string): RemovalWrite => ({ collection, filter: intentIn(intentId, 'PENDING') }),
    refusedOf: (intentId: string): UpdateWrite => change(intentId, 'PENDING', settled('REFUSED')),
    abandonedOf: (intentId: string): UpdateWrite =>
      change(intentId, 'PENDING', { $set: { state: 'ABANDONED', dueAt: inMs(0) } }),
    /** Takes one intent of those slots that is due: it is ABANDONED from now on, and looked at again later if this look fails. */
    async takeDue(slots: SlotRange): Promise<ProvisioningIntent | null> {
      const taken = await records
        .findOneAndUpdate(
          { ...inSlots(slots), dueAt: trusted({ $lte: inMs(0) }) },
          { $set: { state: 'ABANDONED', dueAt: inMs(outcomeUnknownAfterMs) } },
        )
        .setOptions({
          sanitizeFilter: false,
          sort: { dueAt: 1 },
          returnDocument: 'after',
          writeConcern: { w: 'majority', j: true },
        })
        .lean<StoredProvisioningIntent>();
      if (!taken) return null;
      const { _id, slot: _slot, ...rest } = taken;
      return { intentId: _id, ...rest };
    },
    /** Intents whose outcome is open: under way, lost, or waiting for the janitor. */
    countOpen: (): Promise<number> => records.countDocuments({ dueAt: trusted({ $exists: true }) }),
    async markReleased(intentId: string): Promise<void> {
      const { filter, update } = change(intentId, 'ABANDONED', settled('RELEASED'));
      await records.updateOne(filter, update);
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function originOf({ environment, accountId, merchantId }: IntentOrigin) {
  return { slot: slotOf({ merchantId, accountId }), environment, accountId, merchantId };
}

function intentIn(intentId: string, state: IntentState) {
  return { _id: intentId, state, ...ofSlotOfIds([intentId]) };
}

function settled(state: IntentState): { $set: { state: IntentState; settledAt: Date }; $unset: { dueAt: 1 } } {
  return { $set: { state, settledAt: inMs(0) }, $unset: { dueAt: 1 } };
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms);
}
