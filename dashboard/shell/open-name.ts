// What is open beside a list, by its name, for the title of the tab.
import { useEffect, useSyncExternalStore } from 'react';

let present: string | null = null;
const listeners = new Set<() => void>();

function tell(name: string | null): void {
  present = name;
  for (const listener of listeners) listener();
}

/** For as long as it is open; null: not known yet. */
export function useNameOpen(name: string | null): void {
  useEffect(() => {
    tell(name);
    return () => tell(null);
  }, [name]);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useOpenName(): string | null {
  return useSyncExternalStore(watch, () => present);
}
