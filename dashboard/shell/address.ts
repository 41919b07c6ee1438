// The present address as a screen uses it: filters and open acts stand in its search part, as plain text.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

/** As the router reads and writes the search part: text, nothing guessed. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function printSearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}

export function useAddress() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const router = useRouter();
  const open = useCallback((href: string) => router.history.push(href), [router]);
  /** Changes some words of the search part and keeps the rest; an empty word goes away. */
  const change = (next: Search, { isNewPlace = false } = {}) =>
    void navigate({ to: '.', search: cleaned({ ...search, ...next }) as never, replace: !isNewPlace });
  /** An address with the filters that stand now, but without an open act. */
  const hrefOf = (path: string) => path + printSearch({ ...search, act: undefined, of: undefined });
  return { search, open, change, hrefOf };
}

function cleaned(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}
