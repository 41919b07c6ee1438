// An access token as it is kept: only its SHA-256, its owner and its end (tokenization interface, Authentication; decision register 2.1). Pure.
import { type Caller, type ClientScope, type Environment } from '../../shared/callers/caller';
import { withoutAbsent } from '../../shared/present-members';
import type { Client } from './client';

/** Seconds that an access token lives, on the one clock. */
export const accessTokenLifetimeSeconds = 3_600;

export interface AccessToken {
  /** SHA-256 of the token, base64url. */
  hash: string;
  environment: Environment;
  clientId: string;
  scopes: ClientScope[];
  /** The client's generation when the token was issued. */
  generation: number;
  issuedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

/** What tells people (and secret scanners) what they found, and keeps the environments apart before anything is looked up. */
export function accessTokenPrefix(environment: Environment): string {
  return `at_${environment}`;
}

/** False for whatever we cannot have issued in this environment. */
export function looksLikeAccessToken(environment: Environment, value: string): boolean {
  return value.startsWith(`${accessTokenPrefix(environment)}_`) && /^[A-Za-z0-9_-]{20,100}$/.test(value);
}

/** A token works while it is neither revoked nor expired, its client is active, and no revocation of all tokens came after it. */
export function isAccessTokenLive(token: AccessToken, client: Client | null, now: Date): boolean {
  return (
    token.revokedAt === null &&
    token.expiresAt > now &&
    client !== null &&
    client.status === 'ACTIVE' &&
    client.environment === token.environment &&
    client.tokenGeneration === token.generation
  );
}

/** Who calls with this token: scopes narrow at once when the client's grant is narrowed. */
export function callerOf(token: AccessToken, client: Client): Caller {
  return Object.freeze({
    kind: 'client',
    credentialId: client.clientId,
    environment: client.environment,
    accountId: client.accountId,
    scopes: token.scopes.filter((scope) => client.scopes.includes(scope)),
    ...withoutAbsent({ merchantId: client.merchantId }),
    identifiers: client.identifiers,
    accessTokenHash: token.hash,
    expiresAt: token.expiresAt,
  });
}

/** The bearer token of an Authorization value (RFC 6750 section 2.1); undefined when the value is absent or of another scheme. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
