// The person's language, locale and zone; every other file asks here. English comes with the program, the others when they are wanted.
import { en, type Words } from './en';

export const screenLanguages = {
  en: 'English',
  da: 'Dansk',
  sv: 'Svenska',
  nb: 'Norsk bokmål',
  de: 'Deutsch',
} as const;
export type ScreenLanguage = keyof typeof screenLanguages;

const loaders: Record<ScreenLanguage, () => Promise<Words>> = {
  en: async () => en,
  da: async () => (await import('./da')).da,
  sv: async () => (await import('./sv')).sv,
  nb: async () => (await import('./nb')).nb,
  de: async () => (await import('./de')).de,
};

/** For who speaks a language and names no region of it. */
const usualLocales: Record<ScreenLanguage, string> = {
  en: 'en-GB',
  da: 'da-DK',
  sv: 'sv-SE',
  nb: 'nb-NO',
  de: 'de-DE',
};

let present: { words: Words; locale: string; timeZone: string } = { words: en, locale: 'en-GB', timeZone: 'UTC' };

export function words(): Words {
  return present.words;
}
export function locale(): string {
  return present.locale;
}
export function timeZone(): string {
  return present.timeZone;
}

export function isScreenLanguage(code: string | undefined): code is ScreenLanguage {
  return code !== undefined && Object.hasOwn(screenLanguages, code);
}

/** The browser's first language that there are words in. */
export function preferredLanguage(): ScreenLanguage {
  const known = navigator.languages.map((tag) => tag.split('-')[0]).map((code) => (code === 'no' ? 'nb' : code));
  return known.find(isScreenLanguage) ?? 'en';
}

export async function loadLanguage(language: ScreenLanguage, zone: string): Promise<void> {
  // The person's own region, where it speaks that language: dates and numbers differ between them.
  const region = navigator.languages.find((tag) => tag.startsWith(`${language}-`));
  present = { words: await loaders[language](), locale: region ?? usualLocales[language], timeZone: zone };
  document.documentElement.lang = language;
}
