// The sixteen languages of the pages: the codes they are asked for by, and which of them a page speaks (payment interface, language; 2.5 of the decision register).

/** Language tags as `lang` and Intl take them. */
export const shownLanguages = [
  'en',
  'da',
  'nl',
  'et',
  'fi',
  'fr',
  'de',
  'it',
  'lv',
  'lt',
  'nb',
  'pl',
  'pt',
  'ru',
  'es',
  'sv',
] as const;
export type Language = (typeof shownLanguages)[number];

/** How each language is called by its speakers. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  da: 'Dansk',
  nl: 'Nederlands',
  et: 'Eesti',
  fi: 'Suomi',
  fr: 'Français',
  de: 'Deutsch',
  it: 'Italiano',
  lv: 'Latviešu',
  lt: 'Lietuvių',
  nb: 'Norsk',
  pl: 'Polski',
  pt: 'Português',
  ru: 'Русский',
  es: 'Español',
  sv: 'Svenska',
};

/** Family A's country-like words, and ISO 639-2 in both spellings, beside the tags themselves. */
const otherCodes: Readonly<Record<string, Language>> = {
  dk: 'da',
  se: 'sv',
  no: 'nb',
  nn: 'nb',
  eng: 'en',
  dan: 'da',
  nld: 'nl',
  dut: 'nl',
  est: 'et',
  fin: 'fi',
  fra: 'fr',
  fre: 'fr',
  deu: 'de',
  ger: 'de',
  ita: 'it',
  lav: 'lv',
  lit: 'lt',
  nor: 'nb',
  nob: 'nb',
  nno: 'nb',
  pol: 'pl',
  por: 'pt',
  rus: 'ru',
  spa: 'es',
  swe: 'sv',
};

/** The page language that a code means, in any of its spellings and cases; null for a language without pages. */
export function languageOf(code: string | null | undefined): Language | null {
  const base = (code ?? '').trim().toLowerCase().split(/[-_]/)[0] ?? '';
  if ((shownLanguages as readonly string[]).includes(base)) return base as Language;
  return Object.hasOwn(otherCodes, base) ? (otherCodes[base] as Language) : null;
}

export interface LanguageWishes {
  /** What the payer chose on this page. */
  asked?: string | null;
  /** What the payer chose before. */
  remembered?: string | null;
  /** What the merchant asked for. */
  session?: string | null;
  /** Accept-Language. */
  browser?: string;
  /** Of the merchant's country. */
  country?: string | null;
}

/** The payer's own choice, then the merchant's, then the browser's, then that of the merchant's country, then English. A session language without pages is English. */
export function decideLanguage({ asked, remembered, session, browser, country }: LanguageWishes): Language {
  const chosen = languageOf(asked) ?? languageOf(remembered);
  if (chosen) return chosen;
  if (session) return languageOf(session) ?? 'en';
  return preferred(browser ?? '') ?? languageOf(country) ?? 'en';
}

function preferred(acceptLanguage: string): Language | null {
  const ranges = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', quality = ''] = range.split(';q=');
      return { tag, quality: quality === '' ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of ranges) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return null;
}

const cookieName = 'pages_language';

/** Keeps the payer's choice for a day, over the trip to the bank and back. */
export function languageCookie(language: Language): string {
  return `${cookieName}=${language}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`;
}

export function rememberedLanguage(request: { cookie(name: string): string }): string {
  return request.cookie(cookieName);
}
