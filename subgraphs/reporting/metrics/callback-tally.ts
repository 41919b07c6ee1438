// Attempts to deliver callbacks are in no log: each process that makes them adds up what came of them, and writes the sums every few seconds (decision register, Figures).
import type { Environment } from '../../shared/callers/caller';
import type { CallbackSumRepository } from './callback-sum.repository';
import { type CallbackSum, callbackSumId } from './callback-sums';
import { bucketOf } from './latency';
import { type Grain, grainStart, grains } from './roll-up';

/** One attempt that was recorded. */
export interface CountedAttempt {
  accountId: string;
  merchantId: string | null;
  /** On the one clock. */
  at: Date;
  isDelivered: boolean;
  /** Null: nobody answered. */
  answeredInMs: number | null;
}

export interface CallbackTally {
  add(attempt: CountedAttempt): void;
  /** Writes what was added since, unless it did so a moment ago; while the database is away it is kept for the next time. */
  write(): Promise<void>;
  /** Writes it in any case, or gives it up. */
  writeLast(): Promise<void>;
}

const writeEveryMs = 5_000;

export function createCallbackTally(environment: Environment, store: CallbackSumRepository): CallbackTally {
  let sums = new Map<string, CallbackSum>();
  let writtenAtMs = performance.now();

  function sumOf(grain: Grain, at: Date, owner: Pick<CallbackSum, 'accountId' | 'merchantId'> | null): CallbackSum {
    const level = owner ? 'MERCHANT' : 'PLATFORM';
    const start = grainStart(grain, at);
    const kind = { environment, level, grain } as const;
    const id = callbackSumId(kind, start, owner);
    const known = sums.get(id);
    if (known) return known;
    const whose = owner ?? { accountId: null, merchantId: null };
    const sum: CallbackSum = { id, ...kind, start, ...whose, attempts: 0, delivered: 0, latency: new Map() };
    sums.set(id, sum);
    return sum;
  }

  return {
    add({ accountId, merchantId, at, isDelivered, answeredInMs }) {
      for (const grain of grains) {
        for (const owner of [null, { accountId, merchantId }]) {
          const sum = sumOf(grain, at, owner);
          sum.attempts += 1;
          if (isDelivered) sum.delivered += 1;
          if (answeredInMs === null) continue;
          const bucket = bucketOf(answeredInMs);
          sum.latency.set(bucket, (sum.latency.get(bucket) ?? 0) + 1);
        }
      }
    },
    async write() {
      if (performance.now() - writtenAtMs >= writeEveryMs) await writeAll();
    },
    writeLast: () => writeAll().catch(() => undefined),
  };

  async function writeAll(): Promise<void> {
    writtenAtMs = performance.now();
    if (sums.size === 0) return;
    const written = sums;
    sums = new Map();
    try {
      await store.add([...written.values()]);
    } catch (error) {
      for (const [id, sum] of written) keep(id, sum);
      throw error;
    }
  }

  function keep(id: string, sum: CallbackSum): void {
    const later = sums.get(id);
    if (later) {
      sum.attempts += later.attempts;
      sum.delivered += later.delivered;
      for (const [bucket, count] of later.latency) sum.latency.set(bucket, (sum.latency.get(bucket) ?? 0) + count);
    }
    sums.set(id, sum);
  }
}
