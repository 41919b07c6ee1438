/** The value when it is one of these words, else null: what another release wrote may be none. */
export function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return words.find((word) => word === value) ?? null;
}
