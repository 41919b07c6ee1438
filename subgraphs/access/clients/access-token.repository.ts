// Access tokens in MongoDB, by hash; the store forgets them when they have expired.
import { type Connection, type Model, trusted } from 'mongoose';
import { type CredentialChange, clientScopes, type Environment, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import type { AccessToken } from './access-token';

const collection = 'access_tokens';

type StoredAccessToken = Omit<AccessToken, 'hash'> & { _id: string };

const schema = storedSchema<StoredAccessToken>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  clientId: storedText,
  scopes: there([{ type: String, enum: clientScopes }]),
  generation: there(Number),
  issuedAt: there(Date),
  expiresAt: there(Date),
  revokedAt: orNull(Date),
});
// Real time is never ahead of the one clock, so the store never forgets a token that still works.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ environment: 1, revokedAt: 1 }, { partialFilterExpression: { revokedAt: { $type: 'date' } } });

export interface AccessTokenRepository {
  /** Revoked and expired ones too, as long as they are kept. */
  find(environment: Environment, hashes: readonly string[]): Promise<AccessToken[]>;
  /** Revoked at `since` or later, the first ones first. */
  revokedSince(environment: Environment, since: Date, limit: number): Promise<CredentialChange[]>;
  insert(token: AccessToken): InsertWrite;
  /** Matches only while the token is not revoked. */
  revoke(token: AccessToken, at: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createAccessTokenRepository(connection: Connection): AccessTokenRepository {
  const tokens: Model<StoredAccessToken> = connection.model<StoredAccessToken>('AccessToken', schema);
  return {
    async find(environment, hashes) {
      const found = await reading(
        tokens.find({ environment, _id: trusted({ $in: [...hashes] }) }).lean<StoredAccessToken[]>(),
      );
      return found.map(({ _id, ...rest }) => ({ hash: _id, ...rest }));
    },
    async revokedSince(environment, since, limit) {
      const found = await reading(
        tokens
          .find({ environment, revokedAt: trusted({ $type: 'date', $gte: since }) }, { revokedAt: 1 })
          .sort({ revokedAt: 1 })
          .limit(limit)
          .lean<{ _id: string; revokedAt: Date }[]>(),
      );
      return found.map(({ _id, revokedAt }) => ({ kind: 'token' as const, id: _id, at: revokedAt }));
    },
    insert: ({ hash, ...rest }) => ({ collection, document: { _id: hash, ...rest } }),
    revoke: ({ hash, environment }, at) => ({
      collection,
      filter: { _id: hash, environment, revokedAt: null } as unknown as UpdateWrite['filter'],
      update: { $set: { revokedAt: at } },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}
