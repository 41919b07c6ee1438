// What the pages say, in each language: one JSON file per language with the same keys, English being the model.
import { formatMoney } from '../subgraphs/shared/money';
import type { Language } from './language';
import da from './strings/da.json';
import de from './strings/de.json';
import en from './strings/en.json';
import es from './strings/es.json';
import et from './strings/et.json';
import fi from './strings/fi.json';
import fr from './strings/fr.json';
import it from './strings/it.json';
import lt from './strings/lt.json';
import lv from './strings/lv.json';
import nb from './strings/nb.json';
import nl from './strings/nl.json';
import pl from './strings/pl.json';
import pt from './strings/pt.json';
import ru from './strings/ru.json';
import sv from './strings/sv.json';

export type Key = keyof typeof en;
export type Strings = Readonly<Record<Key, string>>;

export const strings: Readonly<Record<Language, Strings>> = {
  en,
  da,
  nl,
  et,
  fi,
  fr,
  de,
  it,
  lv,
  lt,
  nb,
  pl,
  pt,
  ru,
  es,
  sv,
};

/** +01:00 all year, as every time of the payment interface; the zone's own sign is the other way round. */
const fixedZone = 'Etc/GMT-1';

/** Where a bare language tag means another continent's habits: `pt` would write money and dates as Brazil does, `en` as the United States do. */
const locales: Partial<Record<Language, string>> = { en: 'en-GB', pt: 'pt-PT' };

/** What a page says in one language: texts, money and dates. */
export interface Texts {
  language: Language;
  /** How this language writes numbers and dates (BCP 47). */
  locale: string;
  /** The text of a key with `{names}` filled in. */
  t(key: Key, values?: Record<string, string | number>): string;
  /** Minor units as the language writes money; the bare text when it is no amount. */
  money(minor: string, currency: string): string;
  /** Date and time of day, for receipts. */
  time(instant: Date): string;
}

/** A text with its `{names}` filled in; a name without a value stays as it is. */
export function fillBlanks(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

export function textsOf(language: Language): Texts {
  const byKey = strings[language];
  const locale = locales[language] ?? language;
  return {
    language,
    locale,
    t: (key, values = {}) => fillBlanks(byKey[key], values),
    money: (minor, currency) => (/^\d{1,18}$/.test(minor) ? formatMoney(BigInt(minor), currency, locale) : minor),
    time: (instant) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: fixedZone }).format(instant),
  };
}
