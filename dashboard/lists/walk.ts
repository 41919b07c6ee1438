// The keys of a list: j and k or arrows walk, x chooses, Enter opens.
import { useEffect, useRef, useState } from 'react';
import { isTyping } from '../shell/shortcuts';
import type { RowsProps } from './rows-props';

/** The key of the row that is stood on: rows that come before it leave it where it is. With something open beside the list the next one opens at once. */
export function useWalk<Row>(
  { rows, keyOf, selected, hrefOf, onOpen, selection }: RowsProps<Row>,
  show: (index: number) => void,
): string | null {
  const [walked, setWalked] = useState<string | null>(null);
  const present = useRef({ rows, keyOf, selected, hrefOf, onOpen, walked, show, selection });
  present.current = { rows, keyOf, selected, hrefOf, onOpen, walked, show, selection };
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
      const now = present.current;
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      const placeOf = (key: string | null) => (key === null ? -1 : now.rows.findIndex((row) => now.keyOf(row) === key));
      const opened = placeOf(now.selected);
      const from = opened >= 0 ? opened : placeOf(now.walked);
      if (step !== undefined && now.rows.length > 0) {
        event.preventDefault();
        const to = Math.max(0, Math.min(now.rows.length - 1, from + step));
        const key = now.keyOf(now.rows[to] as Row);
        setWalked(key);
        now.show(to);
        if (opened >= 0) now.onOpen(now.hrefOf(key));
      }
      const key = now.walked;
      if (key === null) return;
      if (event.key === 'x') now.selection?.toggle(key, false);
      if (event.key === 'Enter' && event.target === document.body) now.onOpen(now.hrefOf(key));
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return walked;
}

/** Arrows belong to whatever else has the focus: a menu, a dialog, text that scrolls. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('[role="menu"], [role="dialog"] [tabindex], [aria-modal]') !== null
  );
}
