// The keys of a list: j and k or arrows walk, x chooses, Enter opens.
import { useEffect, useRef, useState } from 'react';
import { isTyping } from '../shell/shortcuts';
import type { RowsProps } from './rows-props';

/** The row that the keys stand on. With something open beside the list the next one opens at once. */
export function useWalk<Row>(
  { rows, keyOf, selected, hrefOf, onOpen, selection }: RowsProps<Row>,
  show: (index: number) => void,
): number {
  const [walked, setWalked] = useState(-1);
  const present = useRef({ rows, keyOf, selected, hrefOf, onOpen, walked, show, selection });
  present.current = { rows, keyOf, selected, hrefOf, onOpen, walked, show, selection };
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target)) return;
      const now = present.current;
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      const opened = now.rows.findIndex((row) => now.keyOf(row) === now.selected);
      const from = opened >= 0 ? opened : now.walked;
      if (step !== undefined && now.rows.length > 0) {
        event.preventDefault();
        const to = Math.max(0, Math.min(now.rows.length - 1, from + step));
        setWalked(to);
        now.show(to);
        if (opened >= 0) now.onOpen(now.hrefOf(now.keyOf(now.rows[to] as Row)));
      }
      const row = now.rows[now.walked];
      if (event.key === 'x' && row) now.selection?.toggle(now.keyOf(row), false);
      if (event.key === 'Enter' && row && event.target === document.body) now.onOpen(now.hrefOf(now.keyOf(row)));
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
