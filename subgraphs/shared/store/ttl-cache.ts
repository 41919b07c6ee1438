// A bounded memory of answers that may be at most a moment old: what makes a revocation effective in every process within 1 s.

export interface TtlCache<Value> {
  /** The remembered answer, or that of `load`; a failed or null answer is not remembered. */
  get(key: string): Promise<Value | null>;
  forget(key: string): void;
  clear(): void;
}

export interface TtlCacheOptions<Value> {
  load(key: string): Promise<Value | null>;
  /** Counted from the moment the question was asked, not from the answer; real time. */
  keptMsMax: number;
  sizeMax: number;
}

export function createTtlCache<Value>({ load, keptMsMax, sizeMax }: TtlCacheOptions<Value>): TtlCache<Value> {
  const entries = new Map<string, { askedAtMs: number; answer: Promise<Value | null> }>();

  function ask(key: string, askedAtMs: number): Promise<Value | null> {
    const entry = { askedAtMs, answer: load(key) };
    const drop = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entries.delete(key);
    entries.set(key, entry);
    // Insertion order is order of asking: the first one is the oldest.
    if (entries.size > sizeMax) entries.delete(entries.keys().next().value as string);
    entry.answer.then((value) => value === null && drop(), drop);
    return entry.answer;
  }

  return {
    get(key) {
      const nowMs = performance.now();
      const entry = entries.get(key);
      return entry && nowMs - entry.askedAtMs < keptMsMax ? entry.answer : ask(key, nowMs);
    },
    forget: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
