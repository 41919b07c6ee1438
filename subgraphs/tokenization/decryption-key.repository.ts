// Our decryption keys at rest: the public half in the clear, the private half sealed by the vault and destroyed at retirement.
import { type Connection, type Model, Schema } from 'mongoose';
import { type Environment, environments } from '../shared/caller';
import type { InsertWrite, UpdateWrite } from '../shared/outbox';
import type { Sealed } from '../shared/vault';
import { type DecryptionKey, type DecryptionKeyState, decryptionKeyStates } from './decryption-key';

/** `privateKey`: PKCS #8 DER, base64, sealed; absent once retired. */
export interface HeldDecryptionKey extends DecryptionKey {
  environment: Environment;
  privateKey?: Sealed;
}

type Stored = Omit<HeldDecryptionKey, 'kid'> & { _id: string; changedAt: Date };

const decryptionKeysCollection = 'decryption_keys';

const text = { type: String, required: true } as const;
const sealed = new Schema<Sealed>({ keyVersion: Number, iv: text, ciphertext: text, tag: text }, { _id: false });
const schema = new Schema<Stored>(
  {
    _id: text,
    environment: { ...text, enum: environments },
    state: { ...text, enum: decryptionKeyStates },
    ...{ n: text, e: text, privateKey: sealed, createdAt: Date, changedAt: Date },
  },
  { collection: decryptionKeysCollection, versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ environment: 1 }, { unique: true, partialFilterExpression: { state: 'active' } });

export type DecryptionKeyRepository = ReturnType<typeof createDecryptionKeyRepository>;

export function createDecryptionKeyRepository(connection: Connection, environment: Environment) {
  const records: Model<Stored> = connection.model<Stored>('DecryptionKey', schema);
  return {
    async list(): Promise<HeldDecryptionKey[]> {
      const found = await records.find({ environment }).lean<Stored[]>();
      return found.map(({ _id, changedAt, ...rest }) => ({ kid: _id, ...rest }));
    },
    insertOf({ kid, ...rest }: HeldDecryptionKey): InsertWrite {
      return { collection: decryptionKeysCollection, document: { _id: kid, ...rest, changedAt: rest.createdAt } };
    },
    changeOf(
      { kid, from, to }: { kid: string; from: DecryptionKeyState; to: DecryptionKeyState },
      changedAt: Date,
    ): UpdateWrite {
      return {
        collection: decryptionKeysCollection,
        filter: { _id: kid as never, environment, state: from },
        update: { $set: { state: to, changedAt }, ...(to === 'retired' ? { $unset: { privateKey: 1 } } : {}) },
      };
    },
    ensureIndexes: (): Promise<void> => records.createIndexes(),
  };
}
