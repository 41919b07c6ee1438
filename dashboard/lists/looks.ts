// Rows of which the log says nothing: the beginning of the list is read again when something happens that may have changed it, and every few seconds while it is seen.
import { useCallback, useEffect, useRef } from 'react';
import type { Pages } from '../graph/pages';
import type { LiveRows } from './live-rows';

/** Many things at once are one look. */
const pauseMs = 1_000;
const everyMs = 5_000;

interface Looked<Row> {
  pages: Pages<Row>;
  keyOf(row: Row): string;
  rows: Pick<LiveRows<Row>, 'take' | 'miss'>;
  /** New rows have their places between the others. */
  isSorted: boolean;
  isOn: boolean;
}

/** Answers what is called when something happened. */
export function useLooks<Row>({ pages, keyOf, rows, isSorted, isOn }: Looked<Row>): () => void {
  const present = useRef({ pages, keyOf, rows, isSorted });
  present.current = { pages, keyOf, rows, isSorted };
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isMore = useRef(false);
  const look = useCallback(async () => {
    const head = await present.current.pages.look();
    // As the list stands now, not as it stood when it was asked.
    const now = present.current;
    if (!head) return;
    const { changed, isOther } = compared(now.pages.rows, head, now.keyOf);
    if (isOther || (now.isSorted && isMoved(now.pages.rows, head, now.keyOf))) return now.rows.miss();
    for (const row of changed.reverse()) now.rows.take(row, true);
  }, []);
  /** A pause before each look, however long the last one took: the graph is never asked without end. */
  const soon = useCallback(() => {
    isMore.current = true;
    timer.current ??= setTimeout(async () => {
      isMore.current = false;
      await look();
      timer.current = null;
      if (isMore.current) soon();
    }, pauseMs);
  }, [look]);
  useEffect(() => {
    if (!isOn) return;
    const beat = setInterval(() => {
      if (document.visibilityState === 'visible') soon();
    }, everyMs);
    return () => {
      clearInterval(beat);
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    };
  }, [isOn, soon]);
  return soon;
}

/** What of the beginning is new or changed, in its order; `isOther`: rows that stood there have gone, or none of them is known any more. */
function compared<Row>(
  rows: readonly Row[],
  head: readonly Row[],
  keyOf: (row: Row) => string,
): { changed: Row[]; isOther: boolean } {
  const standing = new Map(rows.map((row) => [keyOf(row), row]));
  const inHead = new Set(head.map(keyOf));
  const lastKnown = rows.map((row) => inHead.has(keyOf(row))).lastIndexOf(true);
  const isOther = rows.length > 0 && (lastKnown < 0 || rows.slice(0, lastKnown).some((row) => !inHead.has(keyOf(row))));
  const changed = head.filter((row) => {
    const before = standing.get(keyOf(row));
    return !before || JSON.stringify(before) !== JSON.stringify(row);
  });
  return { changed, isOther };
}

function isMoved<Row>(rows: readonly Row[], head: readonly Row[], keyOf: (row: Row) => string): boolean {
  return head.some((row, at) => {
    const there = rows[at];
    return there === undefined || keyOf(there) !== keyOf(row);
  });
}
