// Facts that may be a moment old: read at most every quarter of a second per key, so that a burst of requests costs one look-up.

const recentMsMax = 250;
const keysMax = 10_000;

/**
 * Remembers what `load` answers for at most `recentMsMax`, real time, and shares a look-up in flight. Errors and what is not `isKept`
 * are not remembered: what was just granted works at once.
 */
export function recent<Value>(
  load: (key: string) => Promise<Value>,
  isKept: (value: Value) => boolean,
): (key: string) => Promise<Value> {
  const known = new Map<string, { value: Promise<Value>; untilMs: number }>();
  return (key) => {
    const entry = known.get(key);
    if (entry && Date.now() < entry.untilMs) return entry.value;
    if (known.size >= keysMax) known.clear();
    const value = load(key).then(
      (found) => {
        if (!isKept(found)) known.delete(key);
        return found;
      },
      (error: unknown) => {
        known.delete(key);
        throw error;
      },
    );
    known.set(key, { value, untilMs: Date.now() + recentMsMax });
    return value;
  };
}
