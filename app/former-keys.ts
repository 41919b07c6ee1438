// Data keys of releases before 0.4, which had one family: moved to the families at the first start, by the process that prepares the data.
import type { Collection, Db, Document } from 'mongodb';
import type { Connection } from 'mongoose';
import { boundTo, dataKeyCollection, type WrappedKey } from '../subgraphs/shared/crypto/data-keys';
import { type Ciphertext, decrypt, localKeyEncryption } from '../subgraphs/shared/crypto/key-encryption';
import { hashPurposes, type KeyFamily, keyFamilies, type SealedField } from '../subgraphs/shared/crypto/sealed-fields';
import type { Keyring, Sealed, Vault } from '../subgraphs/shared/crypto/vault';
import { driverDatabase } from '../subgraphs/shared/store/collection-of';
import { findAll } from '../subgraphs/shared/store/reading';

const formerCollection = 'data_keys';

interface FormerKey {
  _id: string;
  owner: string;
  version: number;
  wrappedBy: string;
  wrapped: Ciphertext;
}

/** Where values of the family `secrets` lie. What pays stays under the account's moved key, which opens it as before. */
const movedFields: readonly { collection: string; path: readonly string[]; field: SealedField }[] = [
  { collection: 'callback_endpoints', path: ['secrets', 'sealed'], field: 'callbackEndpoint.secret' },
  { collection: 'callback_endpoints', path: ['authorization'], field: 'callback.authorization' },
  { collection: 'deliveries', path: ['securityToken'], field: 'notification.securityToken' },
  { collection: 'deliveries', path: ['authorization'], field: 'callback.authorization' },
  { collection: 'events', path: ['data', 'securityTokenSealed'], field: 'notification.securityToken' },
  { collection: 'events', path: ['data', 'webhooks', 'authorizationSealed'], field: 'callback.authorization' },
  { collection: 'payments', path: ['notification', 'securityToken'], field: 'notification.securityToken' },
  { collection: 'checkout_sessions', path: ['securityToken'], field: 'notification.securityToken' },
  { collection: 'onboarding_applications', path: ['adminUserSealed'], field: 'application.adminUser' },
  { collection: 'onboarding_applications', path: ['webhooks', 'authorizationSealed'], field: 'callback.authorization' },
  { collection: 'mails', path: ['link'], field: 'mail.link' },
];

/** `former`: VAULT_KEY as that release had it, or empty. Returns how many keys were moved; may be stopped at any time and run again. */
export async function moveFormerKeys(
  connection: Connection,
  { former, keyring, vault }: { former: string; keyring: Keyring; vault: Vault },
): Promise<number> {
  const database = driverDatabase(connection);
  const collection = database.collection<FormerKey>(formerCollection);
  const records = await findAll(collection, {});
  if (records.length === 0) return 0;
  if (!former)
    throw new Error('the database has data keys of a release before 0.4: set VAULT_KEY to the key that it had');
  const key = localKeyEncryption(former, 'VAULT_KEY');
  const opened = new Map<string, Buffer>();
  for (const record of records) {
    const bytes = await key.unwrap(record.wrapped, '');
    opened.set(record._id, bytes);
    for (const family of familiesOf(record.owner)) await keep(database, keyring, { record, family, bytes });
  }
  for (const place of movedFields) await moveField(database, vault, opened, place);
  await collection.deleteMany({});
  return records.length;
}

/** Results are gone after a day: until then each family opens its own. */
function familiesOf(owner: string): readonly KeyFamily[] {
  const purpose = owner.startsWith('hash:') ? owner.slice('hash:'.length) : '';
  if (purpose) return Object.entries(hashPurposes).flatMap(([name, family]) => (name === purpose ? [family] : []));
  return owner === 'idempotency' ? keyFamilies : ['cards'];
}

async function keep(
  database: Db,
  keyring: Keyring,
  { record, family, bytes }: { record: FormerKey; family: KeyFamily; bytes: Buffer },
): Promise<void> {
  const current = keyring[family]?.current;
  if (!current) throw new Error(`VAULT_KEY_${family.toUpperCase()} is missing: former data keys cannot be moved`);
  const { _id, owner, version } = record;
  const shape = { _id, owner, version, format: 1 as const, createdAt: new Date() };
  const wrapped = await current.wrap(bytes, boundTo(family, shape));
  const kept: Collection<WrappedKey> = database.collection(dataKeyCollection(family));
  await kept.updateOne({ _id }, { $setOnInsert: { ...shape, wrappedBy: current.id, wrapped } }, { upsert: true });
}

async function moveField(
  database: Db,
  vault: Vault,
  opened: ReadonlyMap<string, Buffer>,
  { collection, path, field }: (typeof movedFields)[number],
): Promise<void> {
  const records = database.collection(collection);
  const name = path.join('.');
  for await (const record of records.find({ [`${name}.ciphertext`]: { $exists: true } })) {
    const { accountId } = record as unknown as { accountId: string };
    const reseal = async (sealed: Sealed): Promise<Sealed> => {
      const bytes = opened.get(`${accountId}:${sealed.keyVersion}`);
      const text = bytes && openFormer(bytes, sealed, accountId);
      // What does not open is of this release already.
      return text === undefined ? sealed : vault.seal({ owner: accountId, field }, text);
    };
    const [top = ''] = path;
    const before: unknown = record[top];
    await records.updateOne({ _id: record._id, [top]: before } as Document, {
      $set: { [top]: await replaced(before, path.slice(1), reseal) },
    });
  }
}

/** The value with what lies at the path replaced, in each element of an array on the way. */
async function replaced(
  value: unknown,
  path: readonly string[],
  reseal: (sealed: Sealed) => Promise<Sealed>,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => replaced(each, path, reseal)));
  if (typeof value !== 'object' || value === null) return value;
  const [name, ...rest] = path;
  if (name === undefined) return reseal(value as Sealed);
  return { ...value, [name]: await replaced((value as Record<string, unknown>)[name], rest, reseal) };
}

function openFormer(key: Buffer, sealed: Sealed, accountId: string): string | undefined {
  try {
    return decrypt(key, sealed, accountId).toString('utf8');
  } catch {
    return undefined;
  }
}
