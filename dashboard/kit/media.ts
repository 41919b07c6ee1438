// What the screen is like now: width of a phone or more.
import { useSyncExternalStore } from 'react';

const phone = matchMedia('(max-width: 720px)');

function watch(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(watch, () => phone.matches);
}
