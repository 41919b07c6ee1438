// Distinct cards, each sealed to the service's key before the measurement: one body per line of a file.
import { constants, createCipheriv, createPublicKey, type JsonWebKey, publicEncrypt, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Recipient {
  jwk: JsonWebKey & { kid?: string };
  merchantId: string;
}

export interface BodiesFile {
  path: string;
  remove(): void;
}

/** Writes `count` create-token bodies; no two cards are alike in one process. */
export function writeBodies(recipient: Recipient, count: number): BodiesFile {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cards-'));
  const path = join(folder, 'bodies.jsonl');
  const key = createPublicKey({
    key: { kty: 'RSA', n: recipient.jwk.n, e: recipient.jwk.e } as JsonWebKey,
    format: 'jwk',
  });
  const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: recipient.jwk.kid })).toString(
    'base64url',
  );
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const lines = Array.from({ length: count }, () => {
    const contentKey = randomBytes(32);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header, 'ascii'));
    const plaintext = JSON.stringify({
      account: nextCard(),
      accountExpiry: '122030',
      cvv: '123',
      name: 'Ada Lovelace',
    });
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const encryptedKey = publicEncrypt({ key, padding, oaepHash: 'sha256' }, contentKey);
    const parts = [encryptedKey, iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return JSON.stringify({
      merchantInfo: { merchantId: recipient.merchantId },
      accountInfo: { encryptedData: [header, ...parts].join('.') },
    });
  });
  writeFileSync(path, lines.join('\n'));
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// A run starts somewhere else each time, so that a database kept over runs sees new cards.
let cardNumber = Math.floor(Math.random() * 900_000) * 1_000;

/** A Luhn-valid VISA number of the range 4539. */
function nextCard(): string {
  cardNumber = (cardNumber + 1) % 10 ** 11;
  const digits = `4539${cardNumber.toString().padStart(11, '0')}`;
  const sum = [...digits].reduceRight((total, digit, index) => {
    const doubled = (digits.length - index) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
