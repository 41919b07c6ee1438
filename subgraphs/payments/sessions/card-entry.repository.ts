// Card parts between keyboard and acquirer: each sealed by itself, kept for minutes, wiped by the write that ends their use (hosted checkout, field set).
import type { Filter } from 'mongodb';
import { type Connection, type Model, trusted } from 'mongoose';
import { slotOfId } from '../../shared/ids';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedReader } from '../../shared/store/grouped-reader';
import { ofSlotOfIds } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import {
  absentOr,
  maybeText,
  orNull,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type CardEntry, cardEntryMsMax } from './card-entry';
import type { CheckoutSession } from './checkout-session';

export type StoredCardEntry = Omit<CardEntry, 'sessionId'> & {
  _id: string;
  /** Of its session, as the id tells it; absent in those of a session of a release before. */
  slot?: number;
  /** Real time, when the database drops the whole document by itself; the clock of the platform is never behind. */
  purgeAt: Date;
};

export const cardEntriesCollection = 'card_entries';

const schema = storedSchema<StoredCardEntry>(cardEntriesCollection, {
  _id: storedText,
  slot: absentOr(Number),
  parts: there(
    storedPart<Required<StoredCardEntry['parts']>>({
      CARD_NUMBER: absentOr(sealedPart),
      EXPIRATION_DATE: absentOr(sealedPart),
      SECURITY_CODE: absentOr(sealedPart),
      CARDHOLDER_NAME: absentOr(sealedPart),
      CARDHOLDER_EMAIL: absentOr(sealedPart),
    }),
  ),
  circuit: maybeText,
  securityCodeLength: orNull(Number),
  expiresAt: there(Date),
  purgeAt: there(Date),
  version: there(Number),
});
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ expiresAt: 1 });

export type CardEntryRepository = ReturnType<typeof createCardEntryRepository>;

export function createCardEntryRepository(connection: Connection) {
  const records: Model<StoredCardEntry> = connection.model<StoredCardEntry>('CardEntry', schema);
  const stored = collectionOf<StoredCardEntry>(connection, cardEntriesCollection);
  const readOne = createGroupedReader<StoredCardEntry>(stored);
  const purgeAt = () => new Date(Date.now() + cardEntryMsMax);

  return {
    /** Null when there is none, or none any more at `now`. */
    async find({ sessionId }: Pick<CheckoutSession, 'sessionId'>, now: Date): Promise<CardEntry | null> {
      const found = await readOne(sessionId, {});
      return found && heldAt(found, now);
    },
    /** Whatever is held, for the write that wipes it. */
    async findHeld({ sessionId }: Pick<CardEntry, 'sessionId'>): Promise<CardEntry | null> {
      const found = await readOne(sessionId, {});
      if (!found) return null;
      return entryOf(found);
    },
    /** The same for many sessions; those without are missing. */
    async findManyHeld(sessionIds: readonly string[]): Promise<CardEntry[]> {
      const filter = { _id: trusted({ $in: sessionIds }), ...ofSlotOfIds(sessionIds) };
      return (await reading(findAll(stored, filter as Filter<StoredCardEntry>))).map(entryOf);
    },
    insertOf({ sessionId, ...rest }: CardEntry): InsertWrite {
      const slot = withoutAbsent({ slot: slotOfId(sessionId) });
      return { collection: cardEntriesCollection, document: { _id: sessionId, ...slot, ...rest, purgeAt: purgeAt() } };
    },
    updateOf(
      { sessionId, version }: CardEntry,
      change: Partial<Omit<CardEntry, 'sessionId' | 'version'>>,
    ): UpdateWrite {
      return {
        collection: cardEntriesCollection,
        filter: { _id: sessionId, version, ...ofSlotOfIds([sessionId]) },
        update: { $set: { ...change, purgeAt: purgeAt(), version: version + 1 } },
      };
    },
    /** Wipes what the session's parts hold; the empty document goes by itself. */
    wipeOf({ sessionId, version }: CardEntry): UpdateWrite {
      return {
        collection: cardEntriesCollection,
        filter: { _id: sessionId, version, ...ofSlotOfIds([sessionId]) },
        update: { $set: { parts: {}, circuit: null, securityCodeLength: null, version: version + 1 } },
      };
    },
    /** Sessions whose parts have outlived their time at `now`. */
    async listExpired(now: Date, limit: number): Promise<CardEntry[]> {
      const found = await reading(
        records
          .find({ expiresAt: trusted({ $lte: now }), parts: trusted({ $ne: {} }) })
          .limit(limit)
          .lean<StoredCardEntry[]>(),
      );
      return found.map(entryOf);
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function entryOf({ _id, slot: _slot, purgeAt: _purge, ...entry }: StoredCardEntry): CardEntry {
  return { sessionId: _id, ...entry };
}

/** As it is at `now`: parts that have outlived their time count as absent. */
export function heldAt(stored: StoredCardEntry, now: Date): CardEntry {
  const held = entryOf(stored);
  return held.expiresAt <= now ? { ...held, parts: {}, circuit: null, securityCodeLength: null } : held;
}
