// Amounts of the graph (minor units as text) in the person's locale, with as many decimals as the currency has.
import { locale } from '../strings/language';

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const key = `${locale()} ${currency}`;
  const digits = decimalsOf(currency);
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits];
  const known =
    formats.get(key) ??
    new Intl.NumberFormat(locale(), {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits,
      maximumFractionDigits,
    });
  formats.set(key, known);
  return known;
}

/** As ISO 4217 has them, which the platform counts by, where they are not 2: browsers tell what people use, dinars without paras. */
const otherDecimals = [
  [
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XAG XAU XBA XBB XBC XBD XDR XOF XPD XPF XPT XSU XUA',
    0,
  ],
  ['BHD IQD JOD KWD LYD OMR TND', 3],
  ['CLF UYW', 4],
] as const;

const decimalsByCode = new Map(
  otherDecimals.flatMap(([codes, digits]) => codes.split(' ').map((code) => [code, digits])),
);

export function decimalsOf(currency: string): number {
  return decimalsByCode.get(currency) ?? 2;
}

/** "1234" EUR is 12.34 euros; exact for amounts of any size. */
export function printMoney(minor: string | null | undefined, currency: string): string {
  if (minor === null || minor === undefined || minor === '') return '–';
  // Intl takes decimals as text without passing through a double.
  return formatOf(currency).format(decimalOf(minor, decimalsOf(currency)) as unknown as number);
}

/** The same of an amount as changes have it, "1234 EUR"; null for any other text. */
export function printChangedMoney(text: string): string | null {
  const [, minor, currency] = /^(-?\d+) ([A-Z]{3})$/.exec(text) ?? [];
  return minor && currency ? printMoney(minor, currency) : null;
}

export function decimalOf(minor: string, decimals: number): string {
  const sign = minor.startsWith('-') ? '-' : '';
  const digits = minor.replace('-', '').padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount as a person would type it: in whole units, with the decimal mark of the locale. */
export function typedMoney(minor: string, currency: string): string {
  return decimalOf(minor, decimalsOf(currency)).replace('.', markOf('decimal'));
}

/** Of the person's locale; nothing where it has none. */
function markOf(mark: 'decimal' | 'group'): string {
  const parts = new Intl.NumberFormat(locale()).formatToParts(12_345.6);
  return parts.find(({ type }) => type === mark)?.value ?? '';
}

/** "1.234,50" without the marks between thousands; as it is where they stand anywhere else. */
function ungrouped(typed: string): string {
  const [whole = '', ...rest] = typed.split(markOf('decimal'));
  const [first = '', ...groups] = whole.split(markOf('group'));
  const isGrouped = groups.length > 0 && /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  return isGrouped ? [first + groups.join(''), ...rest].join('.') : typed;
}

/** What a person typed, in minor units; null when it is no amount of this currency. */
export function parseMoney(text: string, currency: string): string | null {
  const decimals = decimalsOf(currency);
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(ungrouped(text.trim().replace(/[\s ']/g, '')));
  const [, whole = '', part = ''] = match ?? [];
  if (!match || part.length > decimals) return null;
  const minor = `${whole}${part.padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '');
  return minor;
}
