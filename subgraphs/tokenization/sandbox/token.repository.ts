// The sandbox token service's own book: tokens sealed, cards as keyed hashes, never a number in the clear.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedInsert } from '../../shared/store/grouped-insert';
import { prepareCollection } from '../../shared/store/prepare-collection';
import {
  absentOr,
  maybeText,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { CardShape } from './token-number';

const statuses = ['ACTIVE', 'SUSPENDED', 'DISCARDED'] as const;

/** One token of one merchant's card. */
export interface SandboxToken {
  tokenReference: string;
  environment: Environment;
  acquirerId: string;
  merchantId: string;
  cardHash: string;
  tokenHash: string;
  token: Sealed;
  status: (typeof statuses)[number];
  /** Present while the token is not discarded. */
  live?: true;
  tokenExpiry: string;
  par: string | null;
  /** First six digits and length of the card, enough to invent its replacement. */
  cardShape: CardShape;
  /** The provisionings that use it; without any it is discarded. */
  usedBy: string[];
  createdAt: Date;
}

type StoredSandboxToken = Omit<SandboxToken, 'tokenReference'> & { _id: string };
type SandboxTokenChange = Partial<Pick<SandboxToken, 'status' | 'par' | 'tokenExpiry' | 'cardHash' | 'cardShape'>>;

const collection = 'sandbox_token_service_tokens';
const schema = storedSchema<StoredSandboxToken>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  acquirerId: storedText,
  merchantId: storedText,
  cardHash: storedText,
  tokenHash: storedText,
  token: there(sealedPart),
  status: there(String, { enum: statuses }),
  live: absentOr(Boolean),
  tokenExpiry: storedText,
  par: maybeText,
  cardShape: there(storedPart<CardShape>({ firstSix: storedText, lastFour: absentOr(String), length: there(Number) })),
  usedBy: there([String]),
  createdAt: there(Date),
});
schema.index(
  { environment: 1, acquirerId: 1, merchantId: 1, cardHash: 1 },
  { unique: true, partialFilterExpression: { live: true } },
);
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ usedBy: 1 });

export type SandboxTokenRepository = ReturnType<typeof createSandboxTokenRepository>;

export function createSandboxTokenRepository(connection: Connection, environment: Environment) {
  const records: Model<StoredSandboxToken> = connection.model<StoredSandboxToken>('SandboxToken', schema);
  const insertOnce = createGroupedInsert(collectionOf(connection, collection));
  const durable = { writeConcern: { w: 'majority', j: true } } as const;

  return {
    /** False: the merchant's card has a live token, or the number is not new. */
    insert: ({ tokenReference, ...rest }: SandboxToken): Promise<boolean> =>
      insertOnce<StoredSandboxToken>({ _id: tokenReference, live: true, ...rest }),
    /** The live token of that merchant's card, used by one more provisioning, which also ends a suspension. */
    async join(
      card: Pick<SandboxToken, 'acquirerId' | 'merchantId' | 'cardHash'>,
      requestId: string,
    ): Promise<SandboxToken | null> {
      const { acquirerId, merchantId, cardHash } = card;
      const joined = await records
        .findOneAndUpdate(
          { environment, acquirerId, merchantId, cardHash, live: true },
          { $addToSet: { usedBy: requestId }, $set: { status: 'ACTIVE' } },
        )
        .setOptions({ ...durable, returnDocument: 'after' })
        .lean<StoredSandboxToken>();
      return joined ? tokenOf(joined) : null;
    },
    async find(tokenReference: string): Promise<SandboxToken | null> {
      const found = await records.findOne({ _id: tokenReference, environment }).lean<StoredSandboxToken>();
      return found ? tokenOf(found) : null;
    },
    /** The token with that number, unless it is discarded. */
    async findByNumber(tokenHash: string): Promise<SandboxToken | null> {
      const found = await records.findOne({ tokenHash, environment }).lean<StoredSandboxToken>();
      return found && found.status !== 'DISCARDED' ? tokenOf(found) : null;
    },
    async findByRequest(requestId: string): Promise<SandboxToken | null> {
      const found = await records.findOne({ usedBy: requestId, environment }).lean<StoredSandboxToken>();
      return found ? tokenOf(found) : null;
    },
    /** Takes a provisioning off its token, and discards the token when that was the last one: one write each, repeatable. */
    async leave(requestId: string): Promise<void> {
      const left = await records
        .findOneAndUpdate({ usedBy: requestId, environment }, { $pull: { usedBy: requestId } })
        .setOptions({ ...durable, returnDocument: 'after' })
        .lean<StoredSandboxToken>();
      if (left?.usedBy.length !== 0) return;
      await records
        .updateOne(
          { _id: left._id, usedBy: trusted({ $size: 0 }) },
          { $set: { status: 'DISCARDED' }, $unset: { live: 1 } },
        )
        .setOptions(durable);
    },
    async change(tokenReference: string, change: SandboxTokenChange): Promise<void> {
      const update = change.status === 'DISCARDED' ? { $set: change, $unset: { live: 1 } } : { $set: change };
      await records.updateOne({ _id: tokenReference, environment }, update).setOptions(durable);
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function tokenOf({ _id, ...rest }: StoredSandboxToken): SandboxToken {
  return { tokenReference: _id, ...rest };
}
