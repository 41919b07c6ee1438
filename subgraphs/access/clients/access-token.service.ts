// Issuing, revoking and recognising access tokens (tokenization interface, Authentication; RFC 6749 section 4.4, RFC 7009, RFC 6750).
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import type { Caller, ClientScope, CredentialChange, Environment, LiveScopes } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newId, newSecret, sha256 } from '../../shared/ids';
import { createTtlCache } from '../../shared/store/ttl-cache';
import { type InTransaction, WriteConflict } from '../../shared/store/unit-of-work';
import {
  type AccessToken,
  accessTokenLifetimeSeconds,
  accessTokenPrefix,
  bearerToken,
  callerOf,
  isAccessTokenLive,
  looksLikeAccessToken,
} from './access-token';
import type { AccessTokenRepository } from './access-token.repository';
import { type Client, decideTokenScopes } from './client';
import type { ClientRepository } from './client.repository';

/** With the time until open connections are looked at again (gateway/subscriptions/live-credentials.ts) still below the promised second. */
const rememberedMsMax = 500;
const rememberedMax = 10_000;

interface IssuedAccessToken {
  /** Shown once; only its hash is kept. */
  accessToken: string;
  expiresInSeconds: number;
  scopes: ClientScope[];
}

/** No credential, or one that does not work: the two differ in the WWW-Authenticate header only (RFC 6750 section 3.1). */
class CredentialRefused extends DomainError {
  constructor(readonly credential: 'missing' | 'invalid') {
    super(
      'unauthenticated',
      credential === 'missing' ? 'no access token came with the call' : 'the access token does not work',
    );
  }
}

/** The call that asked for a token. */
type LoginOrigin = Pick<RequestContext, 'requestId' | 'address'>;

export interface AccessTokenService {
  /** Refuses with `forbidden` (client without any scope) or `invalidData` (nothing of what was asked for is granted). */
  issue(client: Client, requestedScopes: readonly string[] | null, from?: LoginOrigin): Promise<IssuedAccessToken>;
  /** True when the token worked, belonged to that client, and works no more. */
  revoke(client: Client, token: string): Promise<boolean>;
  /** The caller of a raw token; throws CredentialRefused. */
  authenticateBearer(token: string | undefined): Promise<Caller>;
  /** The caller of an Authorization value (header or connection parameter); throws CredentialRefused. */
  authenticateHeader(authorization: string | undefined): Promise<Caller>;
  /** Those of these tokens (by SHA-256, base64url) that still work, with what they may do now; asks the store, remembers nothing. */
  liveScopes(tokenHashes: readonly string[]): Promise<LiveScopes>;
  /** Tokens revoked and clients changed at `since` or later, on the one clock; `limit` of each at most. Asks the store, by index. */
  changedSince(since: Date, limit: number): Promise<CredentialChange[]>;
  /** Forgets remembered callers of this process, after a change that it made itself. */
  forgetRemembered(): void;
}

export interface AccessTokenDeps {
  environment: Environment;
  clock: Clock;
  inTransaction: InTransaction;
  tokens: AccessTokenRepository;
  audit: RecordChange;
  clients: ClientRepository;
  /** Tells every process that a credential has changed; they look by themselves when no wake-up comes. */
  wakeCredentialChecks(): void;
}

export function createAccessTokenService(deps: AccessTokenDeps): AccessTokenService {
  const { environment, clock, inTransaction, tokens } = deps;
  const remembered = createTtlCache<Caller>({
    keptMsMax: rememberedMsMax,
    sizeMax: rememberedMax,
    load: async (hash) => {
      const [found] = await findLive(deps, [hash]);
      return found ? callerOf(found.token, found.client) : null;
    },
  });

  async function authenticateBearer(token: string | undefined): Promise<Caller> {
    if (!token) throw new CredentialRefused('missing');
    if (!looksLikeAccessToken(environment, token)) throw new CredentialRefused('invalid');
    const caller = await remembered.get(sha256(token));
    if (!caller?.expiresAt || caller.expiresAt <= clock.now()) throw new CredentialRefused('invalid');
    return caller;
  }

  return {
    async issue(client, requestedScopes, from = { requestId: newId() }) {
      const scopes = decideTokenScopes(client, requestedScopes);
      const accessToken = newSecret(accessTokenPrefix(environment));
      const issuedAt = clock.now();
      const expiresAt = new Date(issuedAt.getTime() + accessTokenLifetimeSeconds * 1_000);
      const { clientId, tokenGeneration: generation } = client;
      const hash = sha256(accessToken);
      const token = { hash, environment, clientId, scopes, generation, issuedAt, expiresAt, revokedAt: null };
      const caller = callerOf(token, client);
      const record = deps.audit({ ...from, caller }, issued(client, scopes));
      await inTransaction({ inserts: [tokens.insert(token), record] });
      return { accessToken, expiresInSeconds: accessTokenLifetimeSeconds, scopes };
    },
    async revoke(client, value) {
      if (!looksLikeAccessToken(environment, value)) return false;
      const [found] = await findLive(deps, [sha256(value)]);
      if (found?.client.clientId !== client.clientId) return false;
      const isDone = await inTransaction({ updates: [tokens.revoke(found.token, clock.now())] }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof WriteConflict) return false;
          throw error;
        },
      );
      remembered.forget(found.token.hash);
      deps.wakeCredentialChecks();
      return isDone;
    },
    authenticateBearer,
    authenticateHeader: (authorization) => authenticateBearer(bearerToken(authorization)),
    liveScopes: async (hashes) =>
      new Map((await findLive(deps, hashes)).map(({ token, client }) => [token.hash, callerOf(token, client).scopes])),
    async changedSince(since, limit) {
      const found = [
        tokens.revokedSince(environment, since, limit),
        deps.clients.changedSince(environment, since, limit),
      ];
      return (await Promise.all(found)).flat();
    },
    forgetRemembered: remembered.clear,
  };
}

/** The login of a client, with what it may do by this token. */
function issued({ clientId, accountId }: Client, scopes: readonly string[]): AuditedChange {
  const changes = [{ field: 'scopes', from: null, to: scopes.join(' ') }];
  return { action: 'accessToken.issued', subjectType: 'client', subjectId: clientId, accountId, changes };
}

/** The tokens among these that work now, each with its client. */
async function findLive(
  { environment, clock, tokens, clients }: AccessTokenDeps,
  hashes: readonly string[],
): Promise<{ token: AccessToken; client: Client }[]> {
  if (hashes.length === 0) return [];
  const found = await tokens.find(environment, hashes);
  const clientIds = [...new Set(found.map((token) => token.clientId))];
  const owners = clientIds.length > 0 ? await clients.findForAuthentication(environment, clientIds) : [];
  const byId = new Map(owners.map((client) => [client.clientId, client]));
  const now = clock.now();
  return found.flatMap((token) => {
    const client = byId.get(token.clientId) ?? null;
    return client && isAccessTokenLive(token, client, now) ? [{ token, client }] : [];
  });
}
