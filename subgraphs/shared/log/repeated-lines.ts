// One repeated failure is one log line with a count: the first of its kind is written at once, those that follow within a while are counted.

/** How long lines of one kind are counted before they are told. */
const countedForMs = 10_000;
/** Kinds that are watched at the same time; one more is written as it comes. */
const kindsMax = 500;

export interface RepeatGate {
  /** Calls `write` now, or counts it and calls it once with how often it came. */
  pass(kind: string, write: (count: number | null) => void): void;
}

interface WatchedLine {
  count: number;
  write: (count: number | null) => void;
}

export function createRepeatGate(after: (ms: number, run: () => void) => void = later): RepeatGate {
  const watched = new Map<string, WatchedLine>();
  const watch = (kind: string) => {
    after(countedForMs, () => {
      const { count, write } = watched.get(kind) as WatchedLine;
      if (count === 0) return void watched.delete(kind);
      watched.set(kind, { count: 0, write });
      write(count);
      watch(kind);
    });
  };
  return {
    pass(kind, write) {
      const known = watched.get(kind);
      if (known) {
        watched.set(kind, { count: known.count + 1, write });
        return;
      }
      write(null);
      if (watched.size >= kindsMax) return;
      watched.set(kind, { count: 0, write });
      watch(kind);
    },
  };
}

function later(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}

/** Differ from one failure to the next of the same kind. */
const passing = new Set(['requestId', 'error', 'durationMs', 'count', 'attempt', 'ageMs', 'waitMs', 'position']);

/** What makes two failures the same: their words, what they are about, and the words of their error whatever numbers stand in them. */
export function kindOf(level: number, fields: object, message: unknown): string {
  const { error } = fields as { error?: unknown };
  const told = error instanceof Error ? `${error.name} ${error.message.slice(0, 200)}` : '';
  const about = Object.entries(fields).filter(([name]) => !passing.has(name));
  return JSON.stringify([level, message, told.replace(/\d+/g, '#'), about]);
}
