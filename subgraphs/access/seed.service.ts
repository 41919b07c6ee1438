// Clients whose id and secret are given, for the sandbox's credentials file and the first operator of an installation. Safe to repeat.
import { systemCaller } from '../shared/callers/caller';
import { decideAgain } from '../shared/store/decide-again';
import {
  type Client,
  decideIdentifiers,
  decideNewClient,
  decideSecretRotation,
  isSecretLive,
  type NewClient,
} from './clients/client';
import { type ClientServiceDeps, clientSecretPurpose } from './clients/client.service';
import { decideKeyRegistration, parseRecipientJwk, type RecipientJwk } from './clients/encryption-key';

interface SeededClient extends Omit<NewClient, 'label'> {
  clientId: string;
  clientSecret: string;
  /** Default: the client id. */
  label?: string;
  /** The public half of the key that opens results. */
  encryptionKey?: RecipientJwk;
}

export type SeedClient = (seed: SeededClient) => Promise<Client>;

/**
 * Makes the client, or sees to it that the given secret, identifiers and key work for the one that exists.
 * Whatever an operator changed since (scopes, status, label, further secrets and keys) is left alone.
 */
export function createSeedClient(deps: ClientServiceDeps): SeedClient {
  const context = { caller: systemCaller(deps.environment, 'seed'), requestId: 'seed' };

  return async (seed) => {
    const hash = await deps.vault.keyedHash(clientSecretPurpose, seed.clientSecret);
    return decideAgain(async () => {
      const [known] = await deps.clients.findForAuthentication(deps.environment, [seed.clientId]);
      const next = known ? refreshed(deps, { seed, hash, known }) : fresh(deps, seed, hash);
      if (next === known) return next;
      const action = known ? 'client.seededAgain' : 'client.seeded';
      const { clientId: subjectId, accountId } = next;
      const record = deps.audit(context, { action, subjectType: 'client', subjectId, accountId, changes: [] });
      await deps.inTransaction(
        known
          ? { updates: [deps.clients.replace(next, known.version)], inserts: [record] }
          : { inserts: [deps.clients.insert(next), record] },
      );
      return next;
    });
  };
}

function fresh({ environment, clock }: ClientServiceDeps, seed: SeededClient, hash: string): Client {
  const { label, scopes } = decideNewClient({ ...seed, label: seed.label ?? seed.clientId });
  const now = clock.now();
  return {
    clientId: seed.clientId,
    environment,
    accountId: seed.accountId,
    family: seed.family,
    label,
    status: 'ACTIVE',
    scopes,
    identifiers: seed.identifiers,
    merchantId: seed.merchantId ?? null,
    secrets: [{ hash, createdAt: now, expiresAt: null }],
    encryptionKeys: withKey([], seed, now),
    tokenGeneration: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

interface Refresh {
  seed: SeededClient;
  hash: string;
  known: Client;
}

/** The known client itself when nothing has to change. */
function refreshed({ clock }: ClientServiceDeps, { seed, hash, known }: Refresh): Client {
  const isOther = known.merchantId !== (seed.merchantId ?? null);
  if (known.family !== seed.family || known.accountId !== seed.accountId || isOther) {
    throw new Error(`client ${seed.clientId} exists with another family, account or merchant`);
  }
  decideIdentifiers(seed.family, seed.identifiers);
  const now = clock.now();
  const hasSecret = known.secrets.some((secret) => secret.hash === hash && isSecretLive(secret, now));
  const isComplete =
    hasSecret &&
    seed.identifiers.every((wanted) =>
      known.identifiers.some(
        (triple) =>
          triple.acquirerId === wanted.acquirerId &&
          triple.providerId === wanted.providerId &&
          triple.pspId === wanted.pspId,
      ),
    ) &&
    (!seed.encryptionKey || known.encryptionKeys.some((key) => key.kid === seed.encryptionKey?.kid));
  if (isComplete) return known;
  return {
    ...known,
    secrets: hasSecret ? known.secrets : decideSecretRotation(known, hash, now),
    identifiers: seed.identifiers,
    encryptionKeys: withKey(known.encryptionKeys, seed, now),
    version: known.version + 1,
    updatedAt: now,
  };
}

function withKey(keys: Client['encryptionKeys'], { encryptionKey }: SeededClient, now: Date): Client['encryptionKeys'] {
  if (!encryptionKey || keys.some((key) => key.kid === encryptionKey.kid)) return keys;
  return decideKeyRegistration(keys, parseRecipientJwk(encryptionKey), now) ?? keys;
}
