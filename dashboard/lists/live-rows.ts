// Rows that come by themselves into a list that somebody reads: known ones change where they stand, new ones go first while the reader rests at the beginning, and wait, counted, otherwise.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../graph/pages';
import type { Reading } from './rows-props';

const showEveryMs = 250;
const freshMs = 2_400;
/** More than that are not kept: the list is read anew instead. */
const waitingMost = 500;

export interface LiveRows<Row> {
  /** A row as it is now; `isWanted`: whether the list would have it if it were read now. */
  take(row: Row, isWanted: boolean): void;
  /** Something was missed: the list has to be read anew. */
  miss(): void;
  /** How many wait; null: more than are kept. */
  waiting: number | null;
  isPaused: boolean;
  setPaused(isPaused: boolean): void;
  /** Shows what waits, from the beginning of the list. */
  show(): void;
  /** Those that have just come, marked for a moment. */
  fresh: ReadonlySet<string>;
  reading: { current: Reading | null };
}

/** `isHeld`: new rows would move what the person is at, such as one that is open. */
export function useLiveRows<Row>(pages: Pages<Row>, keyOf: (row: Row) => string, isHeld: boolean): LiveRows<Row> {
  const reading = useRef<Reading | null>(null);
  const queue = useRef(new Map<string, { row: Row; isWanted: boolean }>());
  const isMissed = useRef(false);
  const [isPaused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState<number | null>(0);
  const { fresh, mark } = useFresh();
  const known = useMemo(() => new Set(pages.rows.map(keyOf)), [pages.rows, keyOf]);
  const present = useRef({ pages, known, isHeld, isPaused });
  present.current = { pages, known, isHeld, isPaused };

  const flush = useCallback(
    (isAsked: boolean) => {
      const now = present.current;
      // A list that is being read would be written over.
      if (now.pages.isLoading) return;
      const isOpen = isAsked || (!now.isHeld && reading.current?.isResting() !== false);
      if (isMissed.current && isOpen && !now.isPaused) {
        isMissed.current = false;
        queue.current.clear();
        setWaiting(0);
        return now.pages.again();
      }
      const shown = new Map<string, Row>();
      if (!now.isPaused)
        for (const [key, { row, isWanted }] of queue.current) {
          if (!now.known.has(key) && !(isWanted && isOpen)) continue;
          queue.current.delete(key);
          shown.set(key, row);
        }
      if (shown.size > 0) {
        now.pages.put([...shown.values()]);
        mark([...shown.keys()]);
      }
      setWaiting(isMissed.current ? null : queue.current.size);
    },
    [mark],
  );
  useEffect(() => {
    const timer = setInterval(() => flush(false), showEveryMs);
    return () => clearInterval(timer);
  }, [flush]);

  const miss = useCallback(() => {
    isMissed.current = true;
  }, []);
  const take = useCallback(
    (row: Row, isWanted: boolean) => {
      const key = keyOf(row);
      // What neither stands there nor belongs there is nobody's news.
      if (!isWanted && !present.current.known.has(key)) return void queue.current.delete(key);
      if (queue.current.size < waitingMost) queue.current.set(key, { row, isWanted });
      else isMissed.current = true;
    },
    [keyOf],
  );
  const show = useCallback(() => {
    present.current.isPaused = false;
    setPaused(false);
    reading.current?.toStart();
    flush(true);
  }, [flush]);
  const pause = useCallback((next: boolean) => (next ? setPaused(true) : show()), [show]);
  return { take, miss, waiting, isPaused, setPaused: pause, show, fresh, reading };
}

function useFresh() {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const mark = useCallback((keys: readonly string[]) => {
    setFresh((before) => new Set([...before, ...keys]));
    setTimeout(() => setFresh((before) => new Set([...before].filter((each) => !keys.includes(each)))), freshMs);
  }, []);
  return { fresh, mark };
}
