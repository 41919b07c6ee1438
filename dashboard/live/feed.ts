// The feed of events: gathered as they come, shown a few times a second, held back while paused, and never more than memory bears.

import { useCallback, useEffect, useRef, useState } from 'react';
import { useEvents } from '../graph/ask';
import { type EventFilter } from '../graph/contract';
import { type FeedItem, itemOf } from './feed-item';
import { LiveEvents } from './queries';

const keptMost = 5_000;
const showEveryMs = 120;
/** Of what came before the feed was opened so many are told first. */
const toldFirst = 100;

/** Everything that the filter lets through; under another filter the feed begins anew. */
export function useFeed(filter: EventFilter, isPaused: boolean) {
  const asked = JSON.stringify(filter);
  const [state, setState] = useState<{ asked: string; items: readonly FeedItem[] }>({ asked, items: [] });
  const [waiting, setWaiting] = useState(0);
  const held = useRef<FeedItem[]>([]);
  const present = useRef({ asked, isPaused });
  if (present.current.asked !== asked) held.current = [];
  present.current = { asked, isPaused };
  const error = useEvents(LiveEvents, [{ filter, after: null, last: toldFirst }], (answer) => {
    held.current.push(itemOf(answer.events));
    // What left the ring would have left the list, too.
    if (held.current.length > keptMost) held.current.shift();
  });
  useEffect(() => {
    const timer = setInterval(() => {
      const now = present.current;
      if (now.isPaused) return setWaiting(held.current.length);
      setWaiting(0);
      if (held.current.length === 0) return;
      const fresh = held.current.reverse();
      held.current = [];
      setState((before) => ({
        asked: now.asked,
        items: [...fresh, ...(before.asked === now.asked ? before.items : [])].slice(0, keptMost),
      }));
    }, showEveryMs);
    return () => clearInterval(timer);
  }, []);
  const clear = useCallback(() => setState({ asked: present.current.asked, items: [] }), []);
  return { items: state.asked === asked ? state.items : [], waiting, error, clear };
}
