// The key that the sandbox's identity provider signs with: made of a secret of the installation, so that every process has the same.
import { createECDH } from 'node:crypto';
import type { JWK } from 'oidc-provider';

export interface IdentityKeys {
  /** 32 bytes. */
  signing: Buffer;
  /** Signs the provider's own cookies. */
  cookies: string;
}

/** An ES256 key; 32 random bytes are one but for odds of 1 in 2^32. */
export function identitySigningKey(secret: Buffer): JWK {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const text = (bytes: Buffer) => bytes.toString('base64url');
  return {
    kty: 'EC',
    crv: 'P-256',
    use: 'sig',
    alg: 'ES256',
    kid: text(point.subarray(1, 10)),
    x: text(point.subarray(1, 33)),
    y: text(point.subarray(33, 65)),
    d: text(secret),
  } as JWK;
}
