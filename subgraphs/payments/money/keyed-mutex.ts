// One at a time per key within a process: whoever comes second waits for the first instead of colliding with it in the database.
import { inTime } from '../../shared/deadline';

/** What those who wait for one key leave to each other. */
export type ExclusiveNotes = Map<string, unknown>;

/** Runs `run` when it is this key's turn; rejects with `late()` when the turn does not come in time. Nothing is remembered after the last. */
export type RunExclusive = <Result>(key: string, run: (notes: ExclusiveNotes) => Promise<Result>) => Promise<Result>;

export function createKeyedMutex(waitMsMax: number, late: () => Error): RunExclusive {
  const lasts = new Map<string, { end: Promise<void>; notes: ExclusiveNotes }>();

  return async (key, run) => {
    const before = lasts.get(key);
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const notes: ExclusiveNotes = before?.notes ?? new Map();
    const last = { end: before ? before.end.then(() => mine) : mine, notes };
    lasts.set(key, last);
    try {
      if (before) await inTime(before.end, waitMsMax, late);
      return await run(notes);
    } finally {
      end();
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };
}
