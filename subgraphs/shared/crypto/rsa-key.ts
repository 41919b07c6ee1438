// New RSA private keys, as every part of the platform makes them. Node (20.20 shown) freezes for good when a garbage collection falls into
// `export({ format: 'jwk' })` of a key that `generateKeyPair` returned: the export holds the key's lock, and what made the key asks for it
// while it is freed. A key that was read from its own DER has no such maker.
import {
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  type RSAKeyPairOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);
const asDer = (modulusLength: number): RSAKeyPairOptions<'der', 'der'> => ({
  modulusLength,
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
});

/** Off the event loop. `modulusLength` in bits. */
export async function newRsaKey(modulusLength = 2048): Promise<KeyObject> {
  return readBack(await generate('rsa', asDer(modulusLength)));
}

/** For scripts and tests: blocks for some hundred milliseconds. */
export function newRsaKeySync(modulusLength = 2048): KeyObject {
  return readBack(generateKeyPairSync('rsa', asDer(modulusLength)));
}

function readBack({ privateKey }: { privateKey: Buffer }): KeyObject {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  privateKey.fill(0);
  return key;
}
