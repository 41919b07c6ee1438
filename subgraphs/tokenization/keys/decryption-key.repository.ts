// Our decryption keys at rest: the public half in the clear, the private half sealed by the vault and destroyed at retirement.
import type { Connection, Model } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { absentOr, sealedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { type DecryptionKey, type DecryptionKeyState, decryptionKeyStates } from './decryption-key';

/** `privateKey`: PKCS #8 DER, base64, sealed; absent once retired. */
export interface HeldDecryptionKey extends DecryptionKey {
  environment: Environment;
  privateKey?: Sealed;
}

type StoredDecryptionKey = Omit<HeldDecryptionKey, 'kid'> & { _id: string; changedAt: Date };

const decryptionKeysCollection = 'decryption_keys';

const schema = storedSchema<StoredDecryptionKey>(decryptionKeysCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  state: there(String, { enum: decryptionKeyStates }),
  n: storedText,
  e: storedText,
  privateKey: absentOr(sealedPart),
  createdAt: there(Date),
  changedAt: there(Date),
});
schema.index({ environment: 1 }, { unique: true, partialFilterExpression: { state: 'active' } });

export type DecryptionKeyRepository = ReturnType<typeof createDecryptionKeyRepository>;

export function createDecryptionKeyRepository(connection: Connection, environment: Environment) {
  const records: Model<StoredDecryptionKey> = connection.model<StoredDecryptionKey>('DecryptionKey', schema);
  return {
    async list(): Promise<HeldDecryptionKey[]> {
      const found = await records.find({ environment }).lean<StoredDecryptionKey[]>();
      return found.map(({ _id, changedAt, ...rest }) => ({ kid: _id, ...rest }));
    },
    insertOf({ kid, ...rest }: HeldDecryptionKey): InsertWrite {
      return { collection: decryptionKeysCollection, document: { _id: kid, ...rest, changedAt: rest.createdAt } };
    },
    changeOf(
      { kid, from, to }: { kid: string; from: DecryptionKeyState; to: DecryptionKeyState },
      changedAt: Date,
    ): UpdateWrite {
      const changed = { state: to, changedAt };
      return {
        collection: decryptionKeysCollection,
        filter: { _id: kid as never, environment, state: from },
        update: to === 'retired' ? { $set: changed, $unset: { privateKey: 1 } } : { $set: changed },
      };
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}
