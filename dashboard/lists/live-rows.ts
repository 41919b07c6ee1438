// Rows that come by themselves into a list that somebody reads: known ones change where they stand, new ones come in while the reader rests at the beginning, and wait, counted, otherwise; old ones that were not read yet are no news.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../graph/pages';
import type { ListReading } from './rows-props';

const showEveryMs = 250;
const freshMs = 2_400;
/** More than that are not kept: the list is read anew instead. */
const waitingMost = 500;
/** So many that came by themselves are kept: then the list is read anew, from its beginning. */
const grownMost = 1_000;

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
  reading: { current: ListReading | null };
}

interface LiveList<Row> {
  /** What the list is asked for: what waits for another one is nobody's any more. */
  asked: string;
  pages: Pages<Row>;
  keyOf(row: Row): string;
  /** New rows would move what the person is at, such as one that is open. */
  isHeld: boolean;
}

export function useLiveRows<Row>({ asked, pages, keyOf, isHeld }: LiveList<Row>): LiveRows<Row> {
  const reading = useRef<ListReading | null>(null);
  const queue = useRef(new Map<string, { row: Row; isWanted: boolean }>());
  const isMissed = useRef(false);
  const [isPaused, setPaused] = useState(false);
  const [waiting, setWaiting] = useState<number | null>(0);
  const { fresh, mark } = useFresh();
  const grown = useRef(0);
  const isKnown = useKnown(pages.rows, keyOf);
  const present = useRef({ pages, isKnown, isHeld, isPaused });
  present.current = { pages, isKnown, isHeld, isPaused };

  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with each other list
  useEffect(() => {
    queue.current.clear();
    isMissed.current = false;
    grown.current = 0;
    setWaiting(0);
  }, [asked]);
  const flush = useCallback(
    (isAsked: boolean) => {
      const now = present.current;
      // A list that is being read would be written over.
      if (now.pages.isLoading) return;
      const isOpen = isAsked || (!now.isHeld && reading.current?.isResting() !== false);
      if (isMissed.current && isOpen && !now.isPaused) {
        isMissed.current = false;
        grown.current = 0;
        queue.current.clear();
        setWaiting(0);
        return now.pages.again();
      }
      const shown = new Map<string, Row>();
      if (!now.isPaused)
        for (const [key, { row, isWanted }] of queue.current) {
          const isNew = !now.isKnown(key);
          const isBelow = isNew && now.pages.isBelow(row);
          if (isBelow) queue.current.delete(key);
          if (isBelow && isWanted) now.pages.recount();
          if (isBelow || (isNew && !(isWanted && isOpen))) continue;
          if (isNew) grown.current += 1;
          queue.current.delete(key);
          shown.set(key, row);
        }
      if (shown.size > 0) {
        now.pages.put([...shown.values()]);
        mark([...shown.keys()]);
      }
      if (grown.current > grownMost) isMissed.current = true;
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
      const { pages: standing, isKnown: stands } = present.current;
      // While more is read it may be about to stand there.
      const isBelow = !stands(key) && !standing.isLoading && standing.isBelow(row);
      // It may be of long ago and counted, or have come there just now.
      if (isBelow && isWanted) standing.recount();
      // What neither stands there nor belongs there is nobody's news.
      if (isBelow || (!isWanted && !stands(key))) return void queue.current.delete(key);
      if (queue.current.has(key) || queue.current.size < waitingMost) queue.current.set(key, { row, isWanted });
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

/** Counted out only when it is asked, once for each list. */
function useKnown<Row>(rows: readonly Row[], keyOf: (row: Row) => string): (key: string) => boolean {
  return useMemo(() => {
    let keys: ReadonlySet<string> | null = null;
    return (key) => {
      keys ??= new Set(rows.map(keyOf));
      return keys.has(key);
    };
  }, [rows, keyOf]);
}

function useFresh() {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const mark = useCallback((keys: readonly string[]) => {
    setFresh((before) => new Set([...before, ...keys]));
    setTimeout(() => setFresh((before) => new Set([...before].filter((each) => !keys.includes(each)))), freshMs);
  }, []);
  return { fresh, mark };
}
