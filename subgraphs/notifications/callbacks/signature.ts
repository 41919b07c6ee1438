// Signatures of callbacks as Standard Webhooks describes them: `webhook-id`, `webhook-timestamp`, `webhook-signature` over the very bytes sent.
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A secret of 32 random bytes, `whsec_` + base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The key bytes of `whsec_...`; throws a plain Error for anything else: secrets are made here or at seeding. */
export function signingKey(secret: string): Buffer {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  if (!secret.startsWith(prefix) || key.length !== 32)
    throw new Error('a signing secret is whsec_ and 32 bytes, base64');
  return key;
}

export interface Signed {
  /** The event's id: the same on every attempt. */
  id: string;
  /** Real time of the attempt, whole seconds. */
  timestampSeconds: number;
  body: string;
}

/** The value of `webhook-signature`: one `v1,<base64>` per live key, separated by spaces. */
export function webhookSignature({ id, timestampSeconds, body }: Signed, keys: readonly Buffer[]): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
