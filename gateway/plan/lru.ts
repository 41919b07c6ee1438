// A bounded map that forgets what was not asked for longest; what its entries weigh is up to whoever makes it.

export interface Lru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/** Keeps entries of at most `weightMax` together; each weighs 1 unless told otherwise. */
export function createLru<Value>(
  weightMax: number,
  weigh: (value: Value, key: string) => number = () => 1,
): Lru<Value> {
  const entries = new Map<string, { value: Value; weight: number }>();
  let weight = 0;
  let newest: string | undefined;

  function remove(key: string): void {
    weight -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined && key !== newest) {
        entries.delete(key);
        entries.set(key, entry);
        newest = key;
      }
      return entry?.value;
    },
    set(key, value) {
      remove(key);
      const entry = { value, weight: weigh(value, key) };
      entries.set(key, entry);
      weight += entry.weight;
      newest = key;
      for (const oldest of entries.keys()) {
        if (weight <= weightMax) return;
        remove(oldest);
      }
    },
    delete: remove,
    get size() {
      return entries.size;
    },
  };
}
