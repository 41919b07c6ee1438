// What the pages say: the same keys and blanks in every language, nothing unsaid and nothing said for nobody; and which language a payer gets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideLanguage, languageNames, languageOf, shownLanguages } from '../../pages/language';
import { type Key, strings, textsOf } from '../../pages/strings';

const keys = Object.keys(strings.en) as Key[];
const blanksOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe('strings', () => {
  it.each(shownLanguages)('of %s have the keys and blanks of English, and say something', (language) => {
    expect(Object.keys(strings[language])).toEqual(keys);
    for (const key of keys) {
      expect({ key, blanks: blanksOf(strings[language][key]) }).toEqual({ key, blanks: blanksOf(strings.en[key]) });
      expect(strings[language][key].trim()).not.toBe('');
    }
  });

  it.each(shownLanguages.filter((language) => language !== 'en'))('of %s are translated', (language) => {
    const same = keys.filter((key) => strings[language][key] === strings.en[key] && strings.en[key].length > 12);
    expect(same).toEqual([]);
  });

  it('are all used', () => {
    const sources = ['pages', 'sandbox']
      .flatMap((room) => readdirSync(join(__dirname, '../..', room), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    expect(keys.filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
  });

  it('leave a blank as it is when nobody fills it', () => {
    const texts = textsOf('en');
    expect(texts.t('pay', { amount: '€1.00' })).toBe('Pay €1.00');
    expect(texts.t('idleText')).toContain('{minutes}');
  });

  it.each<[(typeof shownLanguages)[number], string]>([
    ['en', '€1,234.50'],
    ['pt', '1234,50\u00a0€'],
    ['de', '1.234,50\u00a0€'],
    ['sv', '1\u00a0234,50\u00a0€'],
  ])('write money as %s does', (language, expected) => {
    expect(textsOf(language).money('123450', 'EUR')).toBe(expected);
  });

  it('write times at +01:00', () => {
    expect(textsOf('en').time(new Date('2026-07-01T23:30:00Z'))).toBe('2 July 2026 at 00:30');
  });
});

describe('the language of a code', () => {
  it.each<[string | null, string | null]>([
    ['EN', 'en'],
    ['DK', 'da'],
    ['SE', 'sv'],
    ['NO', 'nb'],
    ['ET', 'et'],
    ['ger', 'de'],
    ['deu', 'de'],
    ['fre', 'fr'],
    ['fra', 'fr'],
    ['dut', 'nl'],
    ['ITA', 'it'],
    ['pt-BR', 'pt'],
    ['sv_SE', 'sv'],
    ['constructor', null],
    ['jpn', null],
    ['', null],
    [null, null],
  ])('%j is %j', (code, expected) => {
    expect(languageOf(code)).toBe(expected);
  });

  it('covers the sixteen words of the payment service', () => {
    const words = ['EN', 'DK', 'NL', 'ET', 'FI', 'FR', 'DE', 'IT', 'LV', 'LT', 'NO', 'PL', 'PT', 'RU', 'ES', 'SE'];
    expect(words.map(languageOf)).toEqual([...shownLanguages]);
    expect(Object.keys(languageNames)).toEqual([...shownLanguages]);
  });
});

describe('the language of a page', () => {
  it.each<[string, Parameters<typeof decideLanguage>[0], string]>([
    ['what the payer asks for now', { asked: 'fi', remembered: 'sv', session: 'deu', browser: 'fr' }, 'fi'],
    ['what the payer asked for before', { remembered: 'sv', session: 'deu', browser: 'fr' }, 'sv'],
    ['what the merchant wants', { asked: 'xx', session: 'deu', browser: 'fr' }, 'de'],
    ['English where the merchant wants a language without pages', { session: 'jpn', browser: 'fr' }, 'en'],
    ["the browser's best", { browser: 'ja, fr;q=0.5, it;q=0.8' }, 'it'],
    ['not what the browser refuses', { browser: 'fr;q=0, pl;q=0.1' }, 'pl'],
    ["the browser's before that of the merchant's country", { browser: 'fr', country: 'ita' }, 'fr'],
    ["that of the merchant's country", { browser: 'ja', country: 'ita' }, 'it'],
    ['English at last', { browser: 'ja', country: 'jpn' }, 'en'],
  ])('is %s', (_case, wishes, expected) => {
    expect(decideLanguage(wishes)).toBe(expected);
  });
});
