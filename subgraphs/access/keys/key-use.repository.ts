// When keys were used last, in MongoDB: beside the keys, so that whoever takes keys need not be able to change them.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { ApiKey } from './api-key';

const collection = 'api_key_uses';

interface StoredUse {
  /** The key's id. */
  _id: string;
  environment: Environment;
  lastUsedAt: Date;
}

const schema = storedSchema<StoredUse>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  lastUsedAt: there(Date),
});

export interface KeyUse {
  keyId: string;
  lastUsedAt: Date;
}

export interface KeyUseRepository {
  /** An earlier time than is known changes nothing. */
  write(key: Pick<ApiKey, 'keyId' | 'environment'>, lastUsedAt: Date): Promise<void>;
  /** Keys that were never used are left out. */
  find(environment: Environment, keyIds: readonly string[]): Promise<KeyUse[]>;
  ensureIndexes(): Promise<void>;
}

export function createKeyUseRepository(connection: Connection): KeyUseRepository {
  const uses: Model<StoredUse> = connection.model<StoredUse>('ApiKeyUse', schema);
  return {
    async write({ keyId, environment }, lastUsedAt) {
      const change = { $max: { lastUsedAt } };
      await uses.updateOne({ _id: keyId, environment }, change, { upsert: true, writeConcern: { w: 1 } });
    },
    async find(environment, keyIds) {
      const found = await reading(uses.find({ _id: trusted({ $in: keyIds }), environment }).lean<StoredUse[]>());
      return found.map(({ _id, lastUsedAt }) => ({ keyId: _id, lastUsedAt }));
    },
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}
