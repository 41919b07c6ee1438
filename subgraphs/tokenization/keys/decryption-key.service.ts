// Opens what callers sealed, publishes our keys and rolls them over (tokenization interface, JWE format; MTS-1617). One error for every failure.
import { createPublicKey } from 'node:crypto';
import type { Environment } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import type { Clock } from '../../shared/clock';
import { type CompactJwe, parseJsonObject } from '../../shared/crypto/jwe';
import type { JwePool } from '../../shared/crypto/jwe-pool';
import { newRsaKey } from '../../shared/crypto/rsa-key';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { sha256 } from '../../shared/ids';
import { DuplicateKey, type InsertWrite, type InTransaction } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import { type DecryptionKey, decideRollOver, liveKeys } from './decryption-key';
import type { DecryptionKeyRepository, HeldDecryptionKey } from './decryption-key.repository';

export interface DecryptionKeyDeps {
  environment: Environment;
  keys: DecryptionKeyRepository;
  pool: JwePool;
  inTransaction: InTransaction;
  vault: Vault;
  clock: Clock;
  audit: RecordKeyChange;
}

/** The audit record of a key's change, as a write. */
export type RecordKeyChange = (
  context: Pick<RequestContext, 'caller' | 'requestId'>,
  change: {
    action: AuditAction;
    subjectType: string;
    subjectId: string;
    accountId: null;
    changes: { field: string; from: string | null; to: string | null }[];
  },
) => InsertWrite;

export interface DecryptionKeyService {
  /** The JSON object inside; refuses with `cryptographyFailed`, one message and comparable time for whatever is wrong. */
  open(jwe: CompactJwe): Promise<Record<string, unknown>>;
  /** Keys that callers may seal to, the current one first. A new key is shown when every process opens with it. */
  published(): Promise<DecryptionKey[]>;
  /**
   * A new current key; the former one still opens until it is retired, one that was retiring is retired now.
   * Resolves when every process opens with the new key.
   */
  roll(context: Pick<RequestContext, 'caller' | 'requestId'>, reason?: string | null): Promise<DecryptionKey[]>;
  /** Ends a retiring key, in every process once it resolves; refuses with `notFound`, or `conflict` for the current one. */
  retire(
    context: Pick<RequestContext, 'caller' | 'requestId'>,
    kid: string,
    reason?: string | null,
  ): Promise<DecryptionKey[]>;
}

/** Every process notices a change within this time; an envelope that cannot be opened makes it look at once, but not more often than the second. */
const keysOldMsMax = 900;
const lookAgainMsMin = 200;
/** What a read of the keys may take on top, when a roll-over waits for all processes. */
const noticeMs = 100;
/** Failures are answered at whole multiples of this from their call: what one kind costs more than another is lost in it, however busy the machine is. */
const failureStepMs = 8;

const modulusBits = 2_048;
const privateKeyPlace = { owner: 'decryption-keys', field: 'decryptionKey.private' } as const;

export function createDecryptionKeyService(deps: DecryptionKeyDeps): DecryptionKeyService {
  const { keys, pool, inTransaction, vault, clock, audit } = deps;
  let live: HeldDecryptionKey[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  /** When this process first saw each live key; by `keysOldMsMax` later every other has seen it. */
  let seenAtMs = new Map<string, number>();
  /** How often the threads were given other keys. */
  let keyChanges = 0;

  /** Reads the keys and hands them to the threads. Only then does it count as read: until the threads have them, whoever comes waits. */
  async function read(): Promise<void> {
    const askedAtMs = performance.now();
    let found = liveKeys(await keys.list());
    if (found[0]?.state !== 'active') found = liveKeys(await makeFirst(deps));
    if (found.map((key) => key.kid).join() !== live.map((key) => key.kid).join()) {
      pool.replaceKeys(await Promise.all(found.map((key) => openingKey(vault, key))));
      keyChanges += 1;
    }
    live = found;
    readAtMs = askedAtMs;
    seenAtMs = new Map(found.map(({ kid }) => [kid, seenAtMs.get(kid) ?? performance.now()]));
  }

  function readOnce(olderThanMs: number): Promise<void> {
    if (performance.now() - readAtMs < olderThanMs) return Promise.resolve();
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readNow(): Promise<DecryptionKey[]> {
    await readOnce(0);
    return live.map(publicHalf);
  }

  /** The JSON object inside, or null for every kind of failure alike. */
  async function payloadOf(jwe: CompactJwe): Promise<Record<string, unknown> | null> {
    await readOnce(keysOldMsMax);
    const changesBefore = keyChanges;
    let plaintext = await pool.open(jwe);
    if (!plaintext) await readOnce(lookAgainMsMin);
    if (!plaintext && keyChanges > changesBefore) plaintext = await pool.open(jwe);
    const payload = plaintext && parseJsonObject(plaintext);
    plaintext?.fill(0);
    return payload;
  }

  /** The keys after a change, once every process has noticed it. */
  async function readEverywhere(): Promise<DecryptionKey[]> {
    const known = await readNow();
    await new Promise((resolve) => setTimeout(resolve, keysOldMsMax + noticeMs));
    return known;
  }

  return {
    async open(jwe) {
      const steps = startSteps(failureStepMs);
      try {
        const payload = await payloadOf(jwe);
        if (payload) return payload;
        await steps.next();
      } finally {
        steps.stop();
      }
      throw new DomainError('cryptographyFailed', 'The JWE could not be opened.', {
        field: 'accountInfo.encryptedData',
      });
    },
    async published() {
      await readOnce(keysOldMsMax);
      const isKnownToAll = ({ kid, createdAt }: HeldDecryptionKey) =>
        clock.now().getTime() - createdAt.getTime() > keysOldMsMax ||
        performance.now() - (seenAtMs.get(kid) ?? 0) > keysOldMsMax;
      const knownToAll = live.filter(isKnownToAll);
      return (knownToAll.length > 0 ? knownToAll : live).map(publicHalf);
    },
    async roll(context, reason = null) {
      const fresh = await newKey(deps);
      const changes = decideRollOver(await keys.list());
      const replaced = changes.find(({ to }) => to === 'retiring')?.kid ?? null;
      await inTransaction({
        updates: changes.map((each) => keys.changeOf(each, clock.now())),
        inserts: [
          keys.insertOf(fresh),
          audit(context, {
            ...auditOf('decryptionKey.rolled', fresh.kid),
            changes: [{ field: 'current', from: replaced, to: fresh.kid }, ...reasonChange(reason)],
          }),
        ],
      });
      return readEverywhere();
    },
    async retire(context, kid, reason = null) {
      const known = (await keys.list()).find((key) => key.kid === kid);
      if (!known) throw new DomainError('notFound', 'There is no such key.');
      if (known.state === 'active')
        throw new DomainError('conflict', 'The current key cannot be retired; roll it over first.');
      if (known.state === 'retiring') {
        await inTransaction({
          updates: [keys.changeOf({ kid, from: 'retiring', to: 'retired' }, clock.now())],
          inserts: [
            audit(context, {
              ...auditOf('decryptionKey.retired', kid),
              changes: [{ field: 'state', from: 'retiring', to: 'retired' }, ...reasonChange(reason)],
            }),
          ],
        });
      }
      return readEverywhere();
    },
  };
}

function auditOf(action: AuditAction, kid: string) {
  return { action, subjectType: 'decryptionKey', subjectId: kid, accountId: null };
}

/** The first key of an installation; when another process is first, its key counts. */
async function makeFirst(deps: DecryptionKeyDeps): Promise<HeldDecryptionKey[]> {
  try {
    await deps.inTransaction({ inserts: [deps.keys.insertOf(await newKey(deps))] });
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
  }
  return deps.keys.list();
}

async function newKey({ environment, vault, clock }: DecryptionKeyDeps): Promise<HeldDecryptionKey> {
  const privateKey = await newRsaKey(modulusBits);
  const { n, e } = createPublicKey(privateKey).export({ format: 'jwk' }) as { n: string; e: string };
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealed = await vault.seal(privateKeyPlace, pkcs8.toString('base64'));
  pkcs8.fill(0);
  return {
    kid: sha256(n).slice(0, 22),
    environment,
    state: 'active',
    n,
    e,
    privateKey: sealed,
    createdAt: clock.now(),
  };
}

async function openingKey(vault: Vault, { kid, n, privateKey }: HeldDecryptionKey) {
  if (!privateKey) throw new Error(`decryption key ${kid} is live and has no private part`);
  return {
    kid,
    pkcs8: Buffer.from(await vault.open(privateKeyPlace, privateKey), 'base64'),
    modulus: Buffer.from(n, 'base64url'),
  };
}

function publicHalf({ kid, state, n, e, createdAt }: HeldDecryptionKey): DecryptionKey {
  return { kid, state, n, e, createdAt };
}

/** Steps of time that run from the start, so that when one comes does not depend on what was done meanwhile. */
function startSteps(everyMs: number): { next(): Promise<void>; stop(): void } {
  let reached: (() => void) | null = null;
  const timer = setInterval(() => reached?.(), everyMs);
  return {
    next: () =>
      new Promise((resolve) => {
        reached = resolve;
      }),
    stop: () => clearInterval(timer),
  };
}
