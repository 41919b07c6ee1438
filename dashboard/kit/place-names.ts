// Countries and languages by their names in the person's language; a code that has no name is told as it is.
import { locale } from '../strings/language';

function nameOf(type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** `DNK` and `DK` are both used: the first of the two has no name in browsers. */
const shortCodes: Partial<Record<string, string>> = {
  DNK: 'DK',
  SWE: 'SE',
  NOR: 'NO',
  DEU: 'DE',
  FIN: 'FI',
  GBR: 'GB',
  ISL: 'IS',
  NLD: 'NL',
  POL: 'PL',
  FRA: 'FR',
  ESP: 'ES',
  ITA: 'IT',
  AUT: 'AT',
  BEL: 'BE',
  CHE: 'CH',
  EST: 'EE',
  LVA: 'LV',
  LTU: 'LT',
  IRL: 'IE',
  PRT: 'PT',
  LUX: 'LU',
  FRO: 'FO',
  GRL: 'GL',
};

export function countryName(code: string): string {
  return nameOf('region', shortCodes[code] ?? code);
}

/** `da_DK` or `da-DK`: the language alone. */
export function languageName(code: string): string {
  const [language = code] = code.replace('_', '-').split('-');
  return nameOf('language', language.toLowerCase());
}
