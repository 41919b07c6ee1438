// Amounts as people read them: exact, with the digits of the currency, in the language that is asked for.

import { MoneyResolver } from '../../subgraphs/shared/graph/money.resolver';
import { moneyOf } from '../../subgraphs/shared/graph/money.type';
import { formatMoney } from '../../subgraphs/shared/money';

const plain = (text: string) => text.replace(/\s/g, ' ').replace('−', '-');

test.each<[bigint, string, string, string]>([
  [123_456n, 'EUR', 'de', '1.234,56 €'],
  [123_456n, 'EUR', 'en', '€1,234.56'],
  [5n, 'EUR', 'en', '€0.05'],
  [0n, 'EUR', 'en', '€0.00'],
  [-5n, 'EUR', 'en', '-€0.05'],
  [-123_456n, 'DKK', 'da', '-1.234,56 kr.'],
  [1_234n, 'JPY', 'en', '¥1,234'],
  [1_234_567n, 'KWD', 'en', 'KWD 1,234.567'],
  [999_999_999_999_999_999n, 'EUR', 'en', '€9,999,999,999,999,999.99'],
])('%i %s in %s is %s', (minor, currency, locale, expected) => {
  for (const _time of [1, 2]) expect(plain(formatMoney(minor, currency, locale))).toBe(expected);
  expect(plain(new MoneyResolver().formatted(moneyOf(minor, currency), locale))).toBe(expected);
});

test.each(['', 'not a language', 'x'.repeat(40)])('refuses %j', (locale) => {
  expect(() => new MoneyResolver().formatted(moneyOf(1n, 'EUR'), locale)).toThrow('locale is no language tag');
});
