// Ed25519 keys of calls between our own processes: a sender holds its own private half, a receiver every sender's public one.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type InternalSender, internalSenderNames, isInternalSender } from './internal-senders';

/** The role that signs and its private key. */
export interface SenderKey {
  sender: InternalSender;
  privateKey: KeyObject;
}

/** Each sender's public keys: two while one follows the other. */
export type PublicKeys = ReadonlyMap<InternalSender, readonly KeyObject[]>;

/** A new private key: PKCS #8, base64. */
export function newInternalKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

/** The public half of such a key: SPKI, base64. */
export function publicHalf(privateKey: string): string {
  const key = createPublicKey(readPrivateKey(privateKey));
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** What this process signs with: the one sending role among `roles`, with its key. */
export function senderKey(roles: readonly string[], privateKey: string): SenderKey {
  const [sender, ...others] = roles.filter(isInternalSender);
  if (!sender || others.length > 0)
    throw new Error(
      `ROLES names ${[sender, ...others].filter(Boolean).join(' and ') || 'no role'} of ${internalSenderNames.join(', ')}; a process that calls subgraphs elsewhere has exactly one`,
    );
  return { sender, privateKey: readPrivateKey(privateKey) };
}

/** INTERNAL_PUBLIC_KEYS, read. */
export function publicKeys(spelled: Readonly<Record<string, readonly string[]>>): PublicKeys {
  const read = new Map<InternalSender, KeyObject[]>();
  for (const [sender, keys] of Object.entries(spelled)) {
    if (!isInternalSender(sender)) throw new Error(`INTERNAL_PUBLIC_KEYS names ${sender}, which calls no subgraph`);
    read.set(sender, keys.map(readPublicKey));
  }
  if (read.size === 0) throw new Error('INTERNAL_PUBLIC_KEYS is empty: nobody could be answered');
  return read;
}

function readPrivateKey(base64: string): KeyObject {
  return readKey('INTERNAL_PRIVATE_KEY', 'PKCS #8', () =>
    createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' }),
  );
}

function readPublicKey(base64: string): KeyObject {
  return readKey('INTERNAL_PUBLIC_KEYS', 'SPKI', () =>
    createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' }),
  );
}

function readKey(variable: string, form: string, read: () => KeyObject): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // What the library says of a broken key may repeat it.
  }
  throw new Error(`${variable} has something else than an Ed25519 key (${form}, base64)`);
}
