// Who is calling, derived from a verified credential only (never from a body or an unverified header).

import { graphScopes } from './rights';

export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/** OAuth scopes; those of `Scope` beside them are never granted to a client. */
export const clientScopes = [
  'mts:token',
  'mts:transaction',
  'mts:lifecycle',
  'payments:write',
  'payments:read',
  ...graphScopes,
] as const;
export type ClientScope = (typeof clientScopes)[number];
/**
 * `checkout`: the holder of a terminal's API key; `administration`: of a consumer key and its secret; `onboarding`: of a partner's secret key;
 * `reporting`: of a partner's or a merchant's secret key; `pages`: our own pages, acting for a payer or a signatory.
 */
export type Scope =
  | ClientScope
  | 'checkout'
  | 'administration'
  | 'onboarding'
  | 'reporting'
  | 'pages'
  | 'sandbox:control'
  | 'system';

/** The acquirer, provider and PSP identifiers that onboarding gave to a tokenization client (tokenization interface, Identifiers). */
export interface TokenizationIdentifiers {
  acquirerId: string;
  providerId: string;
  pspId: string;
}

export interface Caller {
  /** `client`: an OAuth client; `person`: somebody who signed in; `apiKey`: the key of a terminal, a consumer, a partner or a merchant; `page`: one of our payment pages; `sandboxKey`: the holder of the sandbox key; `system`: one of our own workers; `anonymous`: nobody. */
  kind: 'client' | 'person' | 'apiKey' | 'page' | 'sandboxKey' | 'system' | 'anonymous';
  /** Stable id of the credential, fit for rate limits, audit and idempotency scopes. */
  credentialId: string;
  environment: Environment;
  /** The account (tenant) that the credential belongs to; null means staff or the platform itself: sees every account. */
  accountId: string | null;
  scopes: readonly Scope[];
  /** The merchant that a payments client or an API key acts for. */
  merchantId?: string;
  /** The terminal that an API key belongs to. */
  terminalId?: string;
  /** The identifier triples this client may send in its headers. */
  identifiers: readonly TokenizationIdentifiers[];
  /** SHA-256 of the access token, base64url, or the id of a person's session; lets a long connection notice its end. */
  accessTokenHash?: string;
  /** What people call a person. */
  name?: string;
  /** When a person last proved to be that person, on the one clock: acts of money ask for a moment ago (callers/allow.ts). */
  authTime?: Date;
  /** When the credential stops working, on the one clock. */
  expiresAt?: Date;
}

/** What each access token or session (by `Caller.accessTokenHash`) may do; one that no longer works is missing. */
export type LiveScopes = ReadonlyMap<string, readonly Scope[]>;

/** Something changed about an access token (by SHA-256, base64url) or about a client. */
export interface CredentialChange {
  kind: 'token' | 'client';
  id: string;
  at: Date;
}

export function hasScope(caller: Caller, ...anyOf: Scope[]): boolean {
  return anyOf.some((scope) => caller.scopes.includes(scope));
}

/** A caller that sees every account of its environment. */
export function isStaff(caller: Pick<Caller, 'kind' | 'accountId'>): boolean {
  return caller.accountId === null && caller.kind !== 'anonymous';
}

export function anonymousCaller(environment: Environment): Caller {
  return { kind: 'anonymous', credentialId: 'anonymous', environment, accountId: '', scopes: [], identifiers: [] };
}

/** A payment page: the session id in its address is the payer's only credential, so it sees every account and holds the one scope `pages`. */
export function pageCaller(environment: Environment): Caller {
  return {
    kind: 'page',
    credentialId: 'page',
    environment,
    accountId: null,
    scopes: ['pages'],
    identifiers: [],
  };
}

/** Our own workers: they see everything of their environment and hold no client scope. */
export function systemCaller(environment: Environment, name: string): Caller {
  return {
    kind: 'system',
    credentialId: `system:${name}`,
    environment,
    accountId: null,
    scopes: ['system'],
    identifiers: [],
  };
}

/** The filter that whatever is asked for a caller starts from: environment, and the account unless the caller is staff. */
export function tenantFilter(caller: Caller): { environment: Environment; accountId?: string } {
  return caller.accountId === null
    ? { environment: caller.environment }
    : { environment: caller.environment, accountId: caller.accountId };
}
