// What happens while the overview is looked at: one subscription for all of its parts, each of which reads itself again when something touches it.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react';
import { useEvents } from '../graph/ask';
import { type ShownFeedKind, typesOf } from '../live/feed-kinds';
import { Happened } from '../live/queries';
import { useReadUnheard } from '../live/unheard';
import { useMay } from '../shell/viewer';

type Listener = (type: string | null) => void;

const NewsContext = createContext<Set<Listener>>(new Set());

/** Many things at once are one reading, and a busy platform is one every so often. */
const pauseMs = 1_500;
/** What the log does not tell, such as callbacks that are delivered at once, and hours that pass. */
const lookEveryMs = 60_000;

const told = ['payments', 'onboarding', 'ledger', 'payouts', 'callbacks', 'endpoints'] as const;

export function OverviewNews({ children }: { children: ReactNode }) {
  const listeners = useRef(new Set<Listener>());
  const mayListen = useMay('events:read');
  const mayAudit = useMay('audit:read');
  const kinds: ShownFeedKind[] = mayAudit ? [...told, 'audit'] : [...told];
  const asked = { filter: { types: kinds.flatMap(typesOf) }, after: null };
  const tell = useCallback((type: string | null) => {
    for (const listener of listeners.current) listener(type);
  }, []);
  const hear = useReadUnheard(JSON.stringify(asked), () => tell(null));
  useEvents(Happened, mayListen ? [asked] : [], ({ events }) => {
    hear();
    tell(events.type === 'GAP' ? null : events.type);
  });
  return <NewsContext value={listeners.current}>{children}</NewsContext>;
}

/** Calls it when something of these kinds happened, after a break of the connection, and now and then as long as somebody looks. */
export function useNews(kinds: readonly ShownFeedKind[], again: () => void): void {
  const listeners = useContext(NewsContext);
  const latest = useRef(again);
  latest.current = again;
  const key = kinds.join();
  const types = useMemo(() => new Set((key.split(',') as ShownFeedKind[]).flatMap(typesOf)), [key]);
  useEffect(() => {
    let pause: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      pause ??= setTimeout(() => {
        pause = undefined;
        latest.current();
      }, pauseMs);
    };
    const listener: Listener = (type) => (type === null || types.has(type)) && soon();
    listeners.add(listener);
    const looking = setInterval(() => document.visibilityState === 'visible' && latest.current(), lookEveryMs);
    return () => {
      listeners.delete(listener);
      clearTimeout(pause);
      clearInterval(looking);
    };
  }, [listeners, types]);
}
