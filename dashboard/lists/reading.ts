// Whether somebody is at work in a list just now: rows that come in must not slip under a pointer, a key or an eye.
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { ListReading } from './rows-props';

/** A pointer that has not moved for so long aims at nothing. */
const aimingMs = 1_000;

interface Way {
  scroller: RefObject<HTMLElement | null>;
  /** Of a row, in pixels. */
  height: number;
  isWalking: boolean;
}

/** Answers what the list calls when a pointer moves over it. */
export function useReading(
  reading: { current: ListReading | null } | undefined,
  { scroller, height, isWalking }: Way,
): () => void {
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!reading) return;
    reading.current = {
      isResting: () =>
        !isWalking &&
        (scroller.current?.scrollTop ?? 0) < height &&
        performance.now() - movedAt.current > aimingMs &&
        !scroller.current?.querySelector(':focus-visible'),
      toStart: () => scroller.current?.scrollTo({ top: 0 }),
    };
    return () => {
      reading.current = null;
    };
  }, [reading, scroller, height, isWalking]);
  return useCallback(() => {
    movedAt.current = performance.now();
  }, []);
}
