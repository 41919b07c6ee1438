// Which rows of a list are chosen: kept for the way round by a new sign-in, and gone with the filters that they were chosen under.
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Selection } from './rows-props';

/** As many as one job takes ids. */
const chosenMost = 4_000;

export function useSelection(place: string, keys: readonly string[]): Selection {
  const store = `chosen ${place}`;
  const [state, setState] = useState(() => ({ store, chosen: kept(store) }));
  const chosen = state.store === store ? state.chosen : kept(store);
  const present = useRef({ keys, chosen, store, last: '' });
  present.current = { ...present.current, keys, chosen, store };

  const choose = useCallback((next: ReadonlySet<string>) => {
    const { store: at } = present.current;
    const bounded = new Set([...next].slice(0, chosenMost));
    if (bounded.size === 0) sessionStorage.removeItem(at);
    else sessionStorage.setItem(at, JSON.stringify([...bounded]));
    setState({ store: at, chosen: bounded });
  }, []);

  const toggle = useCallback(
    (key: string, isRange: boolean) => {
      const { keys: all, chosen: before, last } = present.current;
      const next = new Set(before);
      const isOn = !before.has(key);
      const from = all.indexOf(last);
      const to = all.indexOf(key);
      const range = isRange && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [key];
      for (const each of range) {
        if (isOn) next.add(each);
        else next.delete(each);
      }
      present.current.last = key;
      choose(next);
    },
    [choose],
  );
  const toggleAll = useCallback(() => {
    const { keys: all, chosen: before } = present.current;
    const isAll = all.length > 0 && all.every((key) => before.has(key));
    choose(isAll ? new Set() : new Set([...before, ...all]));
  }, [choose]);
  const clear = useCallback(() => choose(new Set()), [choose]);

  return useMemo(
    () => ({ chosen, toggle, toggleAll, clear, isFull: chosen.size >= chosenMost }),
    [chosen, toggle, toggleAll, clear],
  );
}

function kept(store: string): ReadonlySet<string> {
  const text = sessionStorage.getItem(store);
  return new Set(text ? (JSON.parse(text) as string[]) : []);
}
