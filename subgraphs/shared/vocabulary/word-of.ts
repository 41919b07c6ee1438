/** The value when it is one of these words, else null: what another release wrote may be none. */
export function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return words.find((word) => word === value) ?? null;
}

const openWordMax = 40;

/** A word of an open list, which can name a counter: no dots, dollars or spaces, and not without end. */
export function openWord(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.slice(0, openWordMax).replaceAll(/[^\w-]/g, '_');
}
