// Reads again what a screen shows whenever something of a kind happens: for screens that are whole at each reading.
import { useEffect, useRef } from 'react';
import { useEvents } from '../graph/ask';
import { useMay } from '../shell/viewer';
import { type FeedKind, typesOf } from './feed-kinds';
import { Happened } from './queries';
import { useReadUnheard } from './unheard';

/** Many things at once are one reading. */
const pauseMs = 500;

export function useReadOn(kind: FeedKind, again: () => void): void {
  const mayListen = useMay('events:read');
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const read = useRef(again);
  read.current = again;
  const hear = useReadUnheard(kind, () => read.current());
  useEvents(Happened, mayListen ? [{ filter: { types: typesOf(kind) }, after: null }] : [], () => {
    hear();
    timer.current ??= setTimeout(() => {
      timer.current = null;
      read.current();
    }, pauseMs);
  });
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
}
