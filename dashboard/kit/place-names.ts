// Countries and languages by their names in the person's language; a code that has no name is told as it is.
import { locale } from '../strings/language';

/** Of two letters. */
export function countryName(code: string): string {
  return nameOf('region', code);
}

/** `da_DK` or `da-DK`: the language alone. */
export function languageName(code: string): string {
  const [language = code] = code.replace('_', '-').split('-');
  return nameOf('language', language.toLowerCase());
}

function nameOf(type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
