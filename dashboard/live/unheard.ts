// Before its first event a subscription has no place in the log to go on from: what happens before it is live, or while it is away, it never tells, and whoever shows it reads anew.
import { useCallback, useEffect, useRef } from 'react';
import { connectionState, watchConnection } from '../graph/client';

/**
 * Calls `read` once what is `asked` is live, and after each break of the connection, as long as nothing was heard of it; answers what is called at an event.
 * That another subscription begins is no break.
 */
export function useReadUnheard(asked: string, read: (isFirst: boolean) => void): () => void {
  const heard = useRef<string | null>(null);
  const hasRead = useRef(false);
  const present = useRef(read);
  present.current = read;
  useEffect(() => {
    // The connection is live when all that is followed over it is: what has just been asked makes it wait first.
    let isBehind = true;
    return watchConnection(() => {
      const state = connectionState();
      if (state === 'reconnecting') isBehind = true;
      if (state !== 'live' || !isBehind || heard.current === asked) return;
      isBehind = false;
      present.current(!hasRead.current);
      hasRead.current = true;
    });
  }, [asked]);
  return useCallback(() => {
    heard.current = asked;
  }, [asked]);
}
