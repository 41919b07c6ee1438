// The credential of a request by the scheme of its route, and the challenge that goes with a 401 or 403 (RFC 6750, RFC 7617; three interfaces, Authentication).
import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../../subgraphs/shared/callers/caller';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';

/**
 * `apiKey`: the key of a terminal in X-API-KEY (hosted checkout). `consumer`: key and secret as Bearer Base64(key:secret), Basic too (merchant administration).
 * `secretKey`: a secret key as the whole Authorization value (onboarding interface and C).
 */
export type CredentialScheme = 'bearer' | 'apiKey' | 'consumer' | 'secretKey' | 'sandboxKey' | 'none';

/** RFC 6750 section 2.1: the characters of a bearer token, within the length that any of ours can have. */
const bearerHeader = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*) *$/i;

/** What stands after either word of the merchant administration; whether it is a pair is seen when it is read. */
const consumerHeader = /^(?:Bearer|Basic) +(\S{1,1024}) *$/i;

/** The credential as sent; null when there is none or it does not have the form that the scheme asks for. */
export function readCredential(scheme: CredentialScheme, headers: IncomingHttpHeaders): string | null {
  if (scheme === 'bearer') return bearerHeader.exec(headers.authorization ?? '')?.[1] ?? null;
  if (scheme === 'none') return null;
  if (scheme === 'consumer') return consumerHeader.exec(headers.authorization ?? '')?.[1] ?? null;
  const key = headers[keyHeaders[scheme]];
  return typeof key === 'string' && key.length > 0 && key.length <= 512 ? key : null;
}

export const keyHeaders = { apiKey: 'x-api-key', secretKey: 'authorization', sandboxKey: 'x-sandbox-key' } as const;

/** Key and secret of Base64(key:secret); null when it is nothing of the kind. */
export function readConsumerPair(encoded: string): { key: string; secret: string } | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const [, key, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return key && secret ? { key, secret } : null;
}

/** The administration interface tells a missing key from a wrong one. */
export function tellsMissing(scheme: CredentialScheme): boolean {
  return scheme === 'consumer' || scheme === 'secretKey';
}

/** The WWW-Authenticate value for a refusal of this scheme; null when the refusal has none. */
export function challengeOf(
  scheme: CredentialScheme,
  code: DomainErrorCode,
  headers: IncomingHttpHeaders,
  scopes: readonly Scope[],
): string | null {
  if (scheme === 'consumer') return consumerChallenges[code] ?? null;
  if (scheme === 'secretKey') return consumerChallenges[code] ? 'SecretKey' : null;
  if (code === 'forbidden' || code === 'freshSignInNeeded')
    return scheme === 'bearer' ? `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"` : null;
  if (!credentialRefusals.has(code)) return null;
  if (scheme === 'sandboxKey') return 'SandboxKey';
  if (scheme === 'apiKey') return 'ApiKey';
  // Without a bearer credential there is nothing to call invalid (RFC 6750 section 3.1).
  const isBearer = /^Bearer(\s|$)/i.test(headers.authorization ?? '');
  return isBearer ? 'Bearer error="invalid_token"' : 'Bearer';
}

const credentialRefusals: ReadonlySet<DomainErrorCode> = new Set([
  'unauthenticated',
  'credentialMissing',
  'keyRevoked',
] as const);

/** Both spellings that administration takes; in the administration interface everything about the credential is 401. */
const consumerChallenges: Partial<Record<DomainErrorCode, string>> = {
  credentialMissing: 'Basic realm="administration", Bearer',
  unauthenticated: 'Basic realm="administration", Bearer error="invalid_token"',
  keyRevoked: 'Basic realm="administration", Bearer error="invalid_token"',
  forbidden: 'Basic realm="administration", Bearer error="insufficient_scope"',
  freshSignInNeeded: 'Basic realm="administration", Bearer error="insufficient_scope"',
};
