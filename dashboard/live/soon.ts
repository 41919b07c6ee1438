// Something that is read again whenever something happens, however often that is: at once, no more than once a second, and once more after the last.
import { useCallback, useEffect, useRef } from 'react';

const pauseMs = 1_000;
/** Of what nothing tells. */
const everyMs = 5_000;

/** Answers what is called when something happened; `isLooked`: it is read every few seconds besides, while somebody sees it. */
export function useSoon(read: () => void, isLooked = false): () => void {
  const present = useRef(read);
  present.current = read;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isMore = useRef(false);
  const soon = useCallback(() => {
    // Also after one alone: what follows from it, such as a callback, comes a moment later and need not be told.
    isMore.current = true;
    if (timer.current !== null) return;
    function rest(): void {
      present.current();
      timer.current = setTimeout(() => {
        timer.current = null;
        if (!isMore.current) return;
        isMore.current = false;
        rest();
      }, pauseMs);
    }
    rest();
  }, []);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  useEffect(() => {
    if (!isLooked) return;
    const beat = setInterval(() => {
      if (document.visibilityState === 'visible' && timer.current === null) present.current();
    }, everyMs);
    return () => clearInterval(beat);
  }, [isLooked]);
  return soon;
}
