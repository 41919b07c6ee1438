// The keys of a list: j and k or arrows walk, x chooses, Enter opens.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isModalOpen, isTyping } from '../shell/shortcuts';
import type { RowsProps } from './rows-props';

/** The key of the row that is stood on: rows that come before it leave it where it is. With something open beside the list the next one opens at once. */
export function useWalk<Row>(
  { rows, keyOf, selected, hrefOf, onOpen, selection }: RowsProps<Row>,
  show: (index: number) => void,
): string | null {
  const [walked, setWalked] = useState<string | null>(null);
  const present = useRef({ rows, keyOf, selected, hrefOf, onOpen, walked, show, selection });
  present.current = { rows, keyOf, selected, hrefOf, onOpen, walked, show, selection };
  const isFocusIn = useRef(false);
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isModalOpen() || isInMenu(event.target)) return;
      const now = present.current;
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      const placeOf = (key: string | null) => (key === null ? -1 : now.rows.findIndex((row) => now.keyOf(row) === key));
      const opened = placeOf(now.selected);
      const focused = focusedRow();
      const stood = placeOf(now.walked);
      const from = [opened, stood, focused ?? -1].find((place) => place >= 0) ?? -1;
      if (step !== undefined && now.rows.length > 0) {
        event.preventDefault();
        const to = Math.max(0, Math.min(now.rows.length - 1, from + step));
        const key = now.keyOf(now.rows[to] as Row);
        isFocusIn.current = focused !== null;
        setWalked(key);
        now.show(to);
        if (opened >= 0) now.onOpen(now.hrefOf(key));
      }
      const key = now.walked;
      if (key === null) return;
      if (event.key === 'x') now.selection?.toggle(key, false);
      // The title has the focus where what had it has left the page.
      if (event.key === 'Enter' && (event.target as Element).matches('body, h1')) now.onOpen(now.hrefOf(key));
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  // Whatever opened it: from there the walk goes on.
  useEffect(() => {
    if (selected !== null) setWalked((before) => (before === null ? null : selected));
  }, [selected]);
  // A focus in the list goes with the walk, so that Enter opens what is stood on.
  useEffect(() => {
    if (walked !== null && isFocusIn.current)
      document.querySelector<HTMLElement>('tr[data-walked="true"] a')?.focus({ preventScroll: true });
    isFocusIn.current = false;
  }, [walked]);
  return walked;
}

/** Of the list, by its place; null: the focus is elsewhere. */
function focusedRow(): number | null {
  const row = document.activeElement?.closest('main tr[aria-rowindex]:has(a)');
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : null;
}

/** There arrows go from choice to choice. */
function isInMenu(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role="menu"]') !== null;
}
