// The words of the signing page in the five languages of the portal, beside those that every page has (onboarding interface, adminUser.language).
import { decideLanguage, type Language, languageOf, rememberedLanguage } from '../language';
import type { PageRequest } from '../page-route';
import { fillBlanks, type Texts, textsOf } from '../strings';
import da from './strings/da.json';
import de from './strings/de.json';
import en from './strings/en.json';
import nb from './strings/nb.json';
import sv from './strings/sv.json';

export const signingLanguages = ['en', 'da', 'sv', 'nb', 'de'] as const satisfies readonly Language[];
export type SigningLanguage = (typeof signingLanguages)[number];
export type SigningKey = keyof typeof en;

export const signingStrings: Readonly<Record<SigningLanguage, Readonly<Record<SigningKey, string>>>> = {
  en,
  da,
  sv,
  nb,
  de,
};

/** A page's texts with the words of the signing page. */
export interface SigningTexts extends Texts {
  language: SigningLanguage;
  s(key: SigningKey, values?: Record<string, string | number>): string;
  /** A part of a whole, in ten thousandths. */
  rate(tenThousandths: string): string;
  day(instant: Date): string;
  /** The country of an ISO 3166-1 alpha-3 code, or the code itself. */
  country(code: string): string;
}

/** What the merchant asks for, asked for before, what the application wants (EN_US ... DE_DE), what the browser wants; English at last. */
export function signingTexts(request: PageRequest | null, applicationLanguage?: string | null): SigningTexts {
  const wishes = [request?.query.get('lang'), request && rememberedLanguage(request), applicationLanguage].map(
    languageOf,
  );
  const wish = [...wishes, decideLanguage({ browser: request?.header('accept-language') })].find(isSpoken);
  return textsIn(wish ?? 'en');
}

/** The language of a choice in the page's address, when the page speaks it. */
export function chosenLanguage(request: PageRequest): SigningLanguage | null {
  const chosen = languageOf(request.query.get('lang'));
  return isSpoken(chosen) ? chosen : null;
}

function isSpoken(language: Language | null): language is SigningLanguage {
  return language !== null && (signingLanguages as readonly string[]).includes(language);
}

/** Those of the countries that merchants apply from. */
const alpha2: Readonly<Record<string, string>> = { DNK: 'DK', SWE: 'SE', NOR: 'NO', GRL: 'GL' };

function textsIn(language: SigningLanguage): SigningTexts {
  const texts = textsOf(language);
  return {
    ...texts,
    language,
    s: (key, values = {}) => fillBlanks(signingStrings[language][key], values),
    rate: (tenThousandths) =>
      new Intl.NumberFormat(texts.locale, { style: 'percent', maximumFractionDigits: 2 }).format(
        Number(tenThousandths) / 10_000,
      ),
    day: (instant) => new Intl.DateTimeFormat(texts.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(instant),
    country: (code) => {
      const region = alpha2[code];
      return (region && new Intl.DisplayNames([language], { type: 'region' }).of(region)) || code;
    },
  };
}
