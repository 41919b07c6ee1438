// A pool of threads that open JWEs (tokenization interface, JWE format): private-key work stays off the event loop, keys stay in the threads.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type AnsweringThread, startAnsweringThread } from '../answering-thread';
import type { Config } from '../config';
import { DomainError } from '../errors';
import { inBatches } from '../store/batcher';
import { type CompactJwe, readKid } from './jwe';
import type { Envelope, KeysMessage, OpenedMessage, OpenMessage } from './jwe-worker';

/** A private key as the pool takes it: PKCS #8 DER, and the modulus (big endian) of its public part. */
interface OpeningKey {
  kid: string;
  pkcs8: Buffer;
  modulus: Buffer;
}

export interface JwePool {
  /** Hands every thread these keys, the current one first; keys that are left out open nothing from now on. */
  replaceKeys(keys: readonly OpeningKey[]): void;
  /** The plaintext, or null for every kind of failure alike; rejects with `unavailable` when too many wait. Wipe it after use. */
  open(jwe: CompactJwe): Promise<Buffer | null>;
  close(): Promise<void>;
}

const waitingPerThreadMax = 1_024;

type KeyThread = AnsweringThread<Omit<OpenMessage, 'id'>, OpenedMessage>;

/** Threads start with the first key. `threads`: how many; `threadsPerProcess` gives a number that suits the machine. */
export function createJwePool(threads: number): JwePool {
  let keys: readonly OpeningKey[] = [];
  let pool: KeyThread[] = [];
  let isClosing = false;
  let waiting = 0;

  function startThread(): KeyThread {
    const { code, isSource } = workerScript();
    const thread: KeyThread = startAnsweringThread(code, { eval: isSource, name: 'jwe' }, () => {
      pool = pool.filter((each) => each !== thread);
    });
    thread.tell(keysMessage(keys));
    return thread;
  }

  function leastBusy(): KeyThread {
    while (pool.length < threads) pool.push(startThread());
    return pool.reduce((least, each) => (each.waiting < least.waiting ? each : least));
  }

  /** What was opened together goes on together: requests that take the same way share its look-ups and commits too. */
  const openTogether = inBatches<Envelope, Buffer | null>(
    async (envelopes) => {
      if (isClosing) throw new DomainError('unavailable', 'The key threads end.', { retryAfterSeconds: 1 });
      const opened = await leastBusy().ask({ type: 'open', envelopes: [...envelopes] });
      if (!opened) throw new DomainError('unavailable', 'A key thread ended.', { retryAfterSeconds: 1 });
      return opened.plaintexts.map((plaintext) => plaintext && Buffer.from(plaintext.buffer));
    },
    { inFlightMax: threads, sizeMax: 32, gatherMsMax: 25 },
  );

  return {
    replaceKeys(next) {
      keys = next;
      for (const thread of pool) thread.tell(keysMessage(keys));
    },
    async open(jwe) {
      if (isClosing || waiting >= waitingPerThreadMax * threads)
        throw new DomainError('unavailable', 'Too many envelopes wait for a key thread.', { retryAfterSeconds: 1 });
      waiting += 1;
      try {
        return await openTogether({ kid: readKid(jwe.protectedHeader), ...jwe });
      } finally {
        waiting -= 1;
      }
    },
    async close() {
      isClosing = true;
      await Promise.all(pool.map((thread) => thread.end()));
    },
  };
}

/** Cores divided by the processes that share them (0: one per core, four at most), at least one. */
export function threadsPerProcess({ CRYPTO_THREADS, PROCESSES }: Pick<Config, 'CRYPTO_THREADS' | 'PROCESSES'>): number {
  const cores = availableParallelism();
  return CRYPTO_THREADS || Math.max(1, Math.floor(cores / (PROCESSES || Math.min(cores, 4))));
}

function keysMessage(keys: readonly OpeningKey[]): KeysMessage {
  return {
    type: 'keys',
    keys: keys.map(({ kid, pkcs8, modulus }) => ({
      kid,
      pkcs8: new Uint8Array(pkcs8),
      modulus: new Uint8Array(modulus),
    })),
  };
}

/** The bundled script beside the process's own; when we run from source there is none, and the compiler of the tests makes one. */
function workerScript(): { code: string; isSource: boolean } {
  const bundled = join(__dirname, 'jwe-worker.js');
  if (existsSync(bundled)) return { code: bundled, isSource: false };
  const compiler = createRequire(__filename)('@swc/core') as typeof import('@swc/core');
  const { code } = compiler.transformFileSync(join(__dirname, 'jwe-worker.ts'), {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  return { code, isSource: true };
}
