// One at a time per key within a process: whoever comes second waits for the first instead of colliding with it in the database.
import { inTime } from '../../shared/patience';

/** What those who wait for one key leave to each other. */
export type TurnNotes = Map<string, unknown>;

/** Runs `run` when it is this key's turn; rejects with `late()` when the turn does not come in time. Nothing is remembered after the last. */
export type TakeTurn = <Result>(key: string, run: (notes: TurnNotes) => Promise<Result>) => Promise<Result>;

export function createTurns(waitMsMax: number, late: () => Error): TakeTurn {
  const lasts = new Map<string, { end: Promise<void>; notes: TurnNotes }>();

  return async (key, run) => {
    const before = lasts.get(key);
    let end: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const notes: TurnNotes = before?.notes ?? new Map();
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
