// Who could not reach the platform asks once more when it can be reached again: when the live connection is back, or the browser's network.
import { useEffect, useRef } from 'react';
import { connectionState, watchConnection } from './client';
import type { AskError } from './refusal-code';

/** Both may tell of one return, and others read again by themselves at it: who has an answer by then asks no more. */
const restMs = 1_000;

/** Calls `ask` after each return, as long as `error` is that no answer came. */
export function useOnceBack(error: AskError | null | undefined, ask: () => void): void {
  const present = useRef(ask);
  present.current = ask;
  const isAway = Boolean(error?.networkError);
  useEffect(() => {
    if (!isAway) return;
    let rest: ReturnType<typeof setTimeout> | undefined;
    function askSoon(): void {
      clearTimeout(rest);
      rest = setTimeout(() => present.current(), restMs);
    }
    const forget = watchConnection(() => {
      if (connectionState() === 'live') askSoon();
    });
    addEventListener('online', askSoon);
    return () => {
      clearTimeout(rest);
      forget();
      removeEventListener('online', askSoon);
    };
  }, [isAway]);
}
