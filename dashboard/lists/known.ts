// What of an address a list knows: words that it does not know are left out of what is asked, and told, instead of being refused by the graph.

/** As the screen has it, by names. */
type Words = Readonly<Record<string, string | undefined>>;

/** The words of a filter, or how they are told. */
type FilterWords = readonly string[] | ((word: string) => boolean);

export type KnownFilters = Readonly<Record<string, FilterWords>>;

export interface KnownSearch {
  /** The address without what is not known. */
  search: Words;
  /** What was left out, by its name in the address. */
  dropped: Words;
}

const currencyNames = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });

/** Of a currency that there is, or was. */
export function isCurrencyWord(word: string): boolean {
  return /^[A-Z]{3}$/.test(word) && currencyNames.of(word) !== undefined;
}

/** Several words of one filter stand in the address with commas between them. */
export function filterWords<Word extends string>(value: string | undefined): Word[] {
  return value ? (value.split(',') as Word[]) : [];
}

/** `known` has the filters with words of their own; the rest of the address is taken as it is. */
export function knownSearchOf(search: Words, known: KnownFilters): KnownSearch {
  const kept: Record<string, string | undefined> = { ...search };
  const dropped: Record<string, string> = {};
  for (const [name, wanted] of Object.entries(known)) {
    const given = filterWords(search[name]);
    const is = (word: string) => (typeof wanted === 'function' ? wanted(word) : wanted.includes(word));
    const strange = given.filter((word) => !is(word));
    if (strange.length === 0) continue;
    dropped[name] = strange.join(', ');
    kept[name] = given.filter(is).join(',') || undefined;
  }
  return { search: kept, dropped };
}
