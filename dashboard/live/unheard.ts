// Before its first event a subscription has no place in the log to go on from: what happens before it is live, or while it is away, it never tells, and whoever shows it reads anew.
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { connectionState, watchConnection } from '../graph/client';

/** Calls `read` each time that the connection is live and nothing was heard yet of what is `asked`; answers what is called at an event. */
export function useReadUnheard(asked: string, read: (isFirst: boolean) => void): () => void {
  const state = useSyncExternalStore(watchConnection, connectionState);
  const heard = useRef<string | null>(null);
  const hasRead = useRef(false);
  const present = useRef(read);
  present.current = read;
  useEffect(() => {
    if (state !== 'live' || heard.current === asked) return;
    present.current(!hasRead.current);
    hasRead.current = true;
  }, [state, asked]);
  return useCallback(() => {
    heard.current = asked;
  }, [asked]);
}
