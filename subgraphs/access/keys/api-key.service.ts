// Issuing, revoking and recognising API keys, and noting when they are used (decision register 2.2-B and 2.3-A).
import { randomBytes } from 'node:crypto';
import type { RecordChange } from '../../shared/callers/audit';
import { type Environment, systemCaller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { equalsConstantTime } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { createTtlCache } from '../../shared/store/ttl-cache';
import type { InTransaction } from '../../shared/store/unit-of-work';
import type { Complete } from '../clients/client-change.service';
import {
  type ApiKey,
  type ApiKeyKind,
  apiKeyIdPrefix,
  decideApiKey,
  type KeyHalves,
  type NewApiKey,
  splitApiKey,
} from './api-key';
import type { ApiKeyRepository } from './api-key.repository';
import type { KeyUseRepository } from './key-use.repository';

export interface IssuedApiKey {
  key: ApiKey;
  /** Shown once. Whole keys are sent as `<keyId>.<secret>`; a consumer sends its two halves apart. */
  secret: string;
}

export interface ApiKeyService {
  /** Refuses a third active key of the same holder, kind and mode with `invalidData`. */
  issue(context: RequestContext, input: NewApiKey, complete?: Complete<IssuedApiKey>): Promise<IssuedApiKey>;
  /** The key works in no process after 1 s. Revoking it again changes nothing; a foreign one is `notFound`. */
  revoke(
    context: RequestContext,
    keyId: string,
    beside?: { reason?: string | null; complete?: Complete<ApiKey> },
  ): Promise<ApiKey>;
  /** Sees to it that exactly this key works, unless it was revoked; a former one of the same label ends. For the sandbox's credentials file. */
  seed(seed: SeededApiKey): Promise<void>;
  /** The active key of that kind, as it is sent whole; throws `keyRevoked` for a revoked one, `unauthenticated` for anything else. */
  authenticate(kind: ApiKeyKind, presented: string): Promise<ApiKey>;
  /** The same of a key whose halves are sent apart. */
  authenticateHalves(kind: ApiKeyKind, halves: KeyHalves): Promise<ApiKey>;
}

/** A key whose halves are given. */
interface SeededApiKey extends NewApiKey {
  /** What follows the prefix of the key id: 24 hexadecimal digits. */
  keyIdTail: string;
  secret: string;
}

const nothingToComplete = () => [];

export interface ApiKeyServiceDeps {
  environment: Environment;
  clock: Clock;
  vault: Pick<Vault, 'keyedHash'>;
  inTransaction: InTransaction;
  keys: ApiKeyRepository;
  audit: RecordChange;
  noteUse: NoteKeyUse;
}

const purpose = 'api-key';
const rememberedMsMax = 800;
const rememberedMax = 10_000;

export function createApiKeyService(deps: ApiKeyServiceDeps): ApiKeyService {
  const { environment, vault, keys, noteUse } = deps;
  const remembered = createTtlCache<ApiKey>({
    keptMsMax: rememberedMsMax,
    sizeMax: rememberedMax,
    load: (keyId) => keys.findForAuthentication(environment, keyId),
  });
  return {
    issue: (context, input, complete = nothingToComplete) => issue(deps, { context, input, complete }),
    async revoke(context, keyId, { reason = null, complete = nothingToComplete } = {}) {
      const key = await revoke(deps, { context, keyId, reason, complete });
      remembered.forget(keyId);
      return key;
    },
    seed: (seed) => seedKey(deps, seed),
    async authenticate(kind, presented) {
      const halves = splitApiKey(presented);
      if (!halves) throw new DomainError('unauthenticated');
      return recognise(kind, halves);
    },
    authenticateHalves: recognise,
  };

  async function recognise(kind: ApiKeyKind, { keyId, secret }: KeyHalves): Promise<ApiKey> {
    if (!keyId.startsWith(`${kind}_${environment}_`)) throw new DomainError('unauthenticated');
    const [key, hash] = await Promise.all([remembered.get(keyId), vault.keyedHash(purpose, secret)]);
    const isSame = equalsConstantTime(key?.hash ?? '-'.repeat(hash.length), hash);
    if (!key || !isSame || key.kind !== kind) throw new DomainError('unauthenticated');
    // Only who holds the secret learns that there was such a key.
    if (key.status === 'REVOKED') throw new DomainError('keyRevoked');
    noteUse(key);
    return key;
  }
}

interface Issue {
  context: RequestContext;
  input: NewApiKey;
  complete: Complete<IssuedApiKey>;
}

async function issue(deps: ApiKeyServiceDeps, { context, input, complete }: Issue): Promise<IssuedApiKey> {
  const { environment, clock, vault, keys, audit, inTransaction } = deps;
  const { kind, mode, accountId, holderId } = input;
  const { caller } = context;
  if (caller.accountId !== null && caller.accountId !== accountId) throw new DomainError('notFound');
  const keyId = apiKeyIdPrefix(environment, kind, mode) + randomBytes(12).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const hash = await vault.keyedHash(purpose, secret);
  return decideAgain(async () => {
    const { label, place } = decideApiKey(input, await keys.findActive(environment, input));
    const key = newKey({ ...input, keyId, environment, label, hash, place }, clock.now());
    const changes = [{ field: 'holderId', from: null, to: holderId }];
    const record = audit(context, { ...subjectOf(key), action: 'apiKey.issued', changes });
    await inTransaction({ inserts: [keys.insert(key), record], updates: complete({ key, secret }) });
    return { key, secret };
  });
}

interface Revocation {
  context: RequestContext;
  keyId: string;
  /** Null: nobody said why. */
  reason: string | null;
  complete: Complete<ApiKey>;
}

function revoke(
  { clock, keys, audit, inTransaction }: ApiKeyServiceDeps,
  { context, keyId, reason, complete }: Revocation,
): Promise<ApiKey> {
  return decideAgain(async () => {
    const key = await keys.find(context.caller, keyId);
    if (!key) throw new DomainError('notFound');
    if (key.status === 'REVOKED') return key;
    const changes = [{ field: 'status', from: 'ACTIVE', to: 'REVOKED' }, ...reasonChange(reason)];
    const record = audit(context, { ...subjectOf(key), action: 'apiKey.revoked', changes });
    const revokedAt = clock.now();
    const revoked: ApiKey = { ...key, status: 'REVOKED', revokedAt };
    await inTransaction({ updates: [keys.revoke(key, revokedAt), ...complete(revoked)], inserts: [record] });
    return revoked;
  });
}

async function seedKey(deps: ApiKeyServiceDeps, seed: SeededApiKey): Promise<void> {
  const { environment, clock, vault, keys, audit, inTransaction } = deps;
  const { kind, mode, keyIdTail, secret } = seed;
  const context = { caller: systemCaller(environment, 'seed'), requestId: 'seed' };
  const keyId = apiKeyIdPrefix(environment, kind, mode) + keyIdTail;
  if (await keys.findForAuthentication(environment, keyId)) return;
  const hash = await vault.keyedHash(purpose, secret);
  const active = await keys.findActive(environment, seed);
  const former = active.filter(({ label }) => label === seed.label);
  const { label, place } = decideApiKey(
    seed,
    active.filter((key) => !former.includes(key)),
  );
  const now = clock.now();
  const key = newKey({ ...seed, keyId, environment, label, hash, place }, now);
  const record = audit(context, { ...subjectOf(key), action: 'apiKey.seeded', changes: [] });
  const ended = former.map((one) => keys.revoke(one, now));
  if (ended.length > 0) await inTransaction({ updates: ended });
  await inTransaction({ inserts: [keys.insert(key), record] });
}

/** Of what it is made of no more than a key is: never its secret. */
function newKey(made: Omit<ApiKey, 'status' | 'createdAt' | 'revokedAt'>, createdAt: Date): ApiKey {
  const { keyId, environment, accountId, kind, mode, holderId, merchantId, label, hash, place } = made;
  const facts = { keyId, environment, accountId, kind, mode, holderId, merchantId, label, hash, place };
  return { ...facts, status: 'ACTIVE', createdAt, revokedAt: null };
}

function subjectOf({ keyId, accountId, merchantId }: ApiKey) {
  return { subjectType: 'apiKey', subjectId: keyId, accountId, merchantId };
}

type UsedKey = Pick<ApiKey, 'keyId' | 'environment'>;
/** Never waits and never throws. */
export type NoteKeyUse = (key: UsedKey) => void;

const hourMs = 3_600_000;
const notedMax = 10_000;

/** To the hour: one small write for each key and hour of this process, beside the request and never awaited by it. */
export function createKeyUses(clock: Clock, uses: Pick<KeyUseRepository, 'write'>): NoteKeyUse {
  /** The hour that was written last, by key. */
  const noted = new Map<string, number>();
  return ({ keyId, environment }) => {
    const hour = Math.floor(clock.now().getTime() / hourMs) * hourMs;
    if (noted.get(keyId) === hour) return;
    if (noted.size >= notedMax) noted.clear();
    noted.set(keyId, hour);
    // What the database could not take is tried again by the next use.
    uses.write({ keyId, environment }, new Date(hour)).catch(() => noted.delete(keyId));
  };
}
