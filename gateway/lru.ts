// A bounded map that forgets what was not asked for longest.

export interface Lru<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

export function createLru<Value>(sizeMax: number): Lru<Value> {
  const entries = new Map<string, Value>();
  let newest: string | undefined;
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined && key !== newest) {
        entries.delete(key);
        entries.set(key, value);
        newest = key;
      }
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      if (entries.size <= sizeMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    delete(key) {
      entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}
