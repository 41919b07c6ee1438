// The thread that holds our private keys and opens JWEs off the event loop (tokenization interface, JWE format). Bundled by itself: node modules only.
import {
  constants,
  createDecipheriv,
  createPrivateKey,
  type KeyObject,
  privateDecrypt,
  randomBytes,
} from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Replaces every key of the thread; the first one also pays for envelopes that name no usable key. */
export interface KeysMessage {
  type: 'keys';
  keys: { kid: string; pkcs8: Uint8Array; modulus: Uint8Array }[];
}

/** One envelope, its segments as they were sent; `kid` null means that its header is not acceptable: it costs the same and fails. */
export interface Envelope {
  kid: string | null;
  protectedHeader: string;
  encryptedKey: string;
  iv: string;
  ciphertext: string;
  tag: string;
}

export interface OpenMessage {
  type: 'open';
  id: number;
  envelopes: Envelope[];
}

/** In the order of the envelopes: the plaintext, or null for every kind of failure alike. */
export interface OpenedMessage {
  id: number;
  plaintexts: (Uint8Array | null)[];
}

interface ThreadKey {
  key: KeyObject;
  modulus: Buffer;
}

const ivBytes = 12;
const tagBytes = 16;
const contentKeyBytes = 32;

let keys = new Map<string, ThreadKey>();
let payingKey: ThreadKey | undefined;

// Stack traces would make failures slower than successes, and differently slow.
Error.stackTraceLimit = 0;

parentPort?.on('message', (message: KeysMessage | OpenMessage) => {
  if (message.type === 'keys') replaceKeys(message);
  else answer(message);
});

function answer({ id, envelopes }: OpenMessage): void {
  const plaintexts = envelopes.map(open);
  const transferred = plaintexts.flatMap((plaintext) => (plaintext ? [plaintext.buffer as ArrayBuffer] : []));
  parentPort?.postMessage({ id, plaintexts } satisfies OpenedMessage, transferred);
}

function replaceKeys(message: KeysMessage): void {
  keys = new Map(
    message.keys.map(({ kid, pkcs8, modulus }) => {
      const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
      pkcs8.fill(0);
      return [kid, { key, modulus: Buffer.from(modulus) }];
    }),
  );
  payingKey = keys.values().next().value;
}

/** Whatever is wrong, one RSA operation and one GCM run are paid, so that time does not tell which (no oracle). */
function open(message: Envelope): Uint8Array | null {
  const named = message.kid === null ? undefined : keys.get(message.kid);
  const contentKey = unwrap(named ?? payingKey, Buffer.from(message.encryptedKey, 'base64url'), named !== undefined);
  const iv = Buffer.from(message.iv, 'base64url');
  const tag = Buffer.from(message.tag, 'base64url');
  const isShaped = iv.length === ivBytes && tag.length === tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', contentKey, isShaped ? iv : Buffer.alloc(ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(message.protectedHeader, 'ascii')).setAuthTag(isShaped ? tag : Buffer.alloc(tagBytes));
  try {
    const start = decipher.update(message.ciphertext, 'base64url');
    const end = decipher.final();
    return isShaped ? new Uint8Array(Buffer.concat([start, end])) : null;
  } catch {
    return null;
  }
}

/** The content key, or a random one when the encrypted key cannot be used: the failure then shows at the tag, like any other. */
function unwrap(threadKey: ThreadKey | undefined, encryptedKey: Buffer, isUsable: boolean): Buffer {
  const random = randomBytes(contentKeyBytes);
  if (!threadKey) return random;
  const { key, modulus } = threadKey;
  // A number of another length, or not below the modulus, would be refused before the exponentiation: pay with one that is not.
  const isNumber = encryptedKey.length === modulus.length && Buffer.compare(encryptedKey, modulus) < 0;
  const number = isNumber ? encryptedKey : Buffer.concat([Buffer.alloc(1), randomBytes(modulus.length - 1)]);
  try {
    const contentKey = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, number);
    return isUsable && contentKey.length === contentKeyBytes ? contentKey : random;
  } catch {
    return random;
  }
}
