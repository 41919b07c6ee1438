// An OAuth client and what may happen to it: families and their scopes, secrets in rotation, status (tokenization interface, Authentication;
// decision register 2.1 and 2.6). Pure: no clock, no store, no random.
import type { ClientScope, Environment, TokenizationIdentifiers } from '../../shared/callers/caller';
import { actingRights, graphScopes, isStaffScope, may, mayAct } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';
import { line } from '../../shared/field-reader';
import type { EncryptionKey } from './encryption-key';

export const clientFamilies = ['tokenization', 'graph', 'payments'] as const;
export type ClientFamily = (typeof clientFamilies)[number];

/** A client of one family never holds a scope of another (decision register 2.6). */
const scopesOfFamily: Record<ClientFamily, readonly ClientScope[]> = {
  tokenization: ['mts:token', 'mts:transaction', 'mts:lifecycle'],
  graph: graphScopes,
  payments: ['payments:write', 'payments:read'],
};

export const clientStatuses = ['ACTIVE', 'DISABLED'] as const;
export type ClientStatus = (typeof clientStatuses)[number];

export interface ClientSecret {
  /** Keyed hash of the secret; the secret itself is kept nowhere. */
  hash: string;
  createdAt: Date;
  /** Null for the newest; set when a rotation begins. On the one clock. */
  expiresAt: Date | null;
}

export interface Client {
  clientId: string;
  environment: Environment;
  /** Null: staff, sees every account. Only graph clients may be staff. */
  accountId: string | null;
  family: ClientFamily;
  label: string;
  status: ClientStatus;
  scopes: ClientScope[];
  identifiers: TokenizationIdentifiers[];
  /** The merchant that a payments client acts for; null for the other families. */
  merchantId: string | null;
  /** Newest first, two at most. */
  secrets: ClientSecret[];
  /** Newest first. */
  encryptionKeys: EncryptionKey[];
  /** Access tokens of an earlier generation are dead: one write revokes them all. */
  tokenGeneration: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type ScopeHolder = Pick<Client, 'family' | 'accountId'>;

/** What a new client is made from; checked by `decideNewClient`. */
export interface NewClient {
  family: ClientFamily;
  accountId: string | null;
  label: string;
  /** Null grants everything of the family that is meant for accounts: of the graph, reading. */
  scopes: string[] | null;
  identifiers: TokenizationIdentifiers[];
  /** Needed for the family payments, and for no other. */
  merchantId?: string | null;
}

/** The old secret goes on working that long after a rotation, on the one clock. */
const secretOverlapMs = 24 * 3_600_000;

const identifierPattern = /^[A-Za-z0-9-]{1,36}$/;
const identifiersMax = 50;
const readLabel = line(100);

/** Checks what a new client is made from and returns its scopes and label in their final form. Refuses with `invalidInput` or `invalidData`. */
export function decideNewClient(input: NewClient): { label: string; scopes: ClientScope[] } {
  const label = readLabel(input.label, 'label');
  if (input.accountId === null && input.family !== 'graph') {
    throw new DomainError('invalidData', `a ${input.family} client belongs to an account`, { field: 'accountId' });
  }
  decideIdentifiers(input.family, input.identifiers);
  decideMerchant(input.family, input.merchantId ?? null);
  const all = input.family === 'graph' ? (['graph:read'] as const) : scopesOfFamily[input.family];
  const scopes = input.scopes === null ? [...all] : decideScopes(input, input.scopes);
  return { label, scopes };
}

/** The identifier triples of a tokenization client, at least one, each of 1 to 36 letters, digits or hyphens; no other family has any. */
export function decideIdentifiers(family: ClientFamily, identifiers: readonly TokenizationIdentifiers[]): void {
  const field = 'identifiers';
  if (family !== 'tokenization') {
    if (identifiers.length === 0) return;
    throw new DomainError('invalidData', `a ${family} client has no acquirer, provider and PSP identifiers`, { field });
  }
  if (identifiers.length < 1 || identifiers.length > identifiersMax) {
    throw new DomainError('invalidData', `${identifiers.length} triples; expected 1 to ${identifiersMax}`, { field });
  }
  for (const { acquirerId, providerId, pspId } of identifiers) {
    if ([acquirerId, providerId, pspId].every((id) => identifierPattern.test(id))) continue;
    throw new DomainError('invalidInput', 'an identifier is not 1 to 36 letters, digits or hyphens', { field });
  }
}

/** A payments client acts for one merchant; no other family has one. */
function decideMerchant(family: ClientFamily, merchantId: string | null): void {
  if ((family === 'payments') === (merchantId !== null)) return;
  const cure = family === 'payments' ? 'names the merchant that it acts for' : 'has no merchant';
  throw new DomainError('invalidData', `a ${family} client ${cure}`, { field: 'merchantId' });
}

/** The scopes of a family that the owner's clients may hold: those of staff are nobody else's. */
export function grantable({ family, accountId }: ScopeHolder): readonly ClientScope[] {
  const own = scopesOfFamily[family];
  return accountId === null ? own : own.filter((scope) => !isStaffScope(scope));
}

/** The scopes that this client may be granted, in their fixed order; an empty list means: may obtain no access token. */
export function decideScopes(holder: ScopeHolder, wanted: readonly string[]): ClientScope[] {
  const own = grantable(holder);
  const known: ReadonlySet<string> = new Set(own);
  const place = wanted.findIndex((scope) => !known.has(scope));
  if (place >= 0) {
    const whose = `a ${holder.family} client of ${holder.accountId === null ? 'staff' : 'an account'}`;
    const message = `scopes[${place}] is not for ${whose}, which may hold ${own.join(', ')}`;
    throw new DomainError('invalidData', message, { field: 'scopes' });
  }
  return own.filter((scope) => wanted.includes(scope));
}

/** Refuses with `forbidden` scopes that give a client of staff a right to act which it does not have: two persons decide about those. */
export function assertOnePersonMay(
  client: Pick<Client, 'accountId' | 'family' | 'scopes'>,
  wanted: readonly string[],
): void {
  if (client.accountId !== null || client.family !== 'graph') return;
  const had = { accountId: null, scopes: client.scopes };
  const given = actingRights.filter((right) => may({ ...had, scopes: wanted }, right) && !may(had, right));
  if (given.length === 0) return;
  const message = `${given[0]} is a right of staff: give it by proposeClientScopes, which a second person confirms`;
  throw new DomainError('forbidden', message, { field: 'scopes' });
}

/** Whoever knows the secret of a second person is two persons: one of staff that may act changes its own secret only. Refuses with `forbidden`. */
export function assertOwnSecret({ clientId, accountId, scopes }: Client, credentialId: string): void {
  if (accountId !== null || clientId === credentialId || !mayAct({ accountId, scopes })) return;
  throw new DomainError('forbidden', 'a client of staff that may act rotates its own secret');
}

/** Puts a new secret first; the one before it works on for the overlap, an older one ends at once: never more than two. */
export function decideSecretRotation(client: Client, hash: string, now: Date): ClientSecret[] {
  const overlapEnd = new Date(now.getTime() + secretOverlapMs);
  const previous = client.secrets.filter((secret) => isSecretLive(secret, now)).slice(0, 1);
  const ending = previous.map((secret) => ({
    ...secret,
    expiresAt: secret.expiresAt && secret.expiresAt < overlapEnd ? secret.expiresAt : overlapEnd,
  }));
  return [{ hash, createdAt: now, expiresAt: null }, ...ending];
}

export function isSecretLive(secret: ClientSecret, now: Date): boolean {
  return secret.expiresAt === null || secret.expiresAt > now;
}

/**
 * The scopes of an access token: what was asked for, as far as it was granted (RFC 6749 section 3.3); null asks for everything.
 * Refuses with `forbidden` when the client may have nothing at all, with `invalidData` when nothing is left.
 */
export function decideTokenScopes(client: Client, requested: readonly string[] | null): ClientScope[] {
  if (client.scopes.length === 0) throw new DomainError('forbidden', 'the client is granted no scope');
  if (requested === null) return [...client.scopes];
  const issued = client.scopes.filter((scope) => requested.includes(scope));
  if (issued.length > 0) return issued;
  throw new DomainError('invalidData', 'none of the requested scopes is granted to the client', { field: 'scope' });
}
