// Wrong values by kind of field, for the bad-input tables of the payment interface; what a kind lists is refused with 400 wherever the kind stands.

/** `text`: free text. `words`: one of a closed list. `reference`: an identifier with an alphabet of its own. */
export type FieldKind =
  | 'text'
  | 'words'
  | 'reference'
  | 'minorString'
  | 'int32'
  | 'decimal'
  | 'flag'
  | 'currency'
  | 'browserUrl'
  | 'notificationUrl'
  | 'date'
  | 'dateTime'
  | 'language'
  | 'days'
  | 'object'
  | 'array';

const operators = [{ $ne: null }, { $gt: '' }, { $where: 'sleep(1000)' }, { _bsontype: 'ObjectId' }];
const noStrings: unknown[] = [0, true, [], ['a'], {}, ...operators];
const noNumbers: unknown[] = ['1', '', true, [], {}, ...operators];
const farTooLong = 'a'.repeat(20_000);

/** Values that no field of the kind may carry; null is not among them, because it equals absent. */
export const badValues: Readonly<Record<FieldKind, readonly unknown[]>> = {
  text: [...noStrings, farTooLong],
  words: [...noStrings, '', 'NO_SUCH_WORD', '__proto__', 'constructor', farTooLong],
  reference: [...noStrings, '', 'a b', 'é', '<x>', farTooLong],
  minorString: [...noStrings, '', '-1', '+1', '1.5', '1,5', '1e3', ' 5', '0x10', 'five', '1234567890123'],
  int32: [...noNumbers, 1.5, 2_147_483_648, -2_147_483_649, 1e300],
  decimal: noNumbers,
  flag: ['true', 0, 1, [], {}],
  currency: [...noStrings, '', 'EURO', 'eur', 'QQQ', '978'],
  browserUrl: [
    ...noStrings,
    '',
    'nonsense',
    'javascript:alert(1)',
    'ftp://x.example/',
    `https://x.example/${'a'.repeat(2_100)}`,
  ],
  notificationUrl: [
    ...noStrings,
    '',
    'nonsense',
    'ftp://x.example/',
    'http://x.example/',
    'https://user:word@x.example/',
    'https://x.example/#part',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    `https://x.example/${'a'.repeat(2_100)}`,
  ],
  date: [...noStrings, '', 'tomorrow', '2026-02-30', '2026-13-01', '01/02/2026'],
  dateTime: [...noStrings, '', 'yesterday', '2026-02-30T00:00:00Z', '2026-01-01T25:00:00Z'],
  language: [...noStrings, '', 'english', 'ZZZ', 'e'],
  days: [true, [], {}, ...operators, '', 'weekly', '-1', '0', '1.5', 0, -1, 1.5, 3_651, '9999', '12345', farTooLong],
  object: ['x', 1, true, []],
  array: ['x', 1, true, {}, { $ne: null }],
};

export interface Field {
  /** Dotted; a number is a place in a list. */
  path: string;
  kind: FieldKind;
  /** Values of this field alone that are wrong as well. */
  also?: readonly unknown[];
}

/** A copy of the body with that value in the place; holders that are missing are made. */
export function withValue(body: unknown, path: string, value: unknown): object {
  const [head = '', ...rest] = path.split('.');
  const inner = (holder: unknown, key: string) => (holder as Record<string, unknown> | undefined)?.[key];
  const made = rest.length === 0 ? value : withValue(inner(body, head), rest.join('.'), value);
  if (/^\d+$/.test(head)) {
    const list = Array.isArray(body) ? [...body] : [];
    list[Number(head)] = made;
    return list;
  }
  return { ...(body as object | undefined), [head]: made };
}

/** A copy without the field. */
export function without(body: unknown, path: string): object {
  const [head = '', ...rest] = path.split('.');
  const { [head]: held, ...others } = body as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [head]: without(held, rest.join('.')) };
}

/** The name that a refusal has to say: the last name of the path. */
export function nameOf({ path }: Pick<Field, 'path'>): string {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part));
  return names.at(-1) ?? path;
}

/** How refusals tell what would be right, right after the name of the field. */
const cures = [
  /^ is required\b/,
  /^ must be ((<|>)= )?[-\w]/,
  /^ must match (format|pattern) "./,
  /^ must (have at most|NOT have more than|NOT have fewer than) \d/,
  /^ is not (an?|one of|at most|\d+ (to|or)) \w/,
  /^ is no currency of ISO 4217/,
  /^ differs from that of the \w/,
  /^ 0 fits processing \w/,
  /^ has more than \d+ characters/,
  /^ (cannot be called|is refused): (must be https|target not allowed|too long|not an? |not printable|carries |\w+ not in canonical form)/,
];

/** What is wrong with the text of a refusal, or null: it names the field and then says what would be right. */
export function textFault(text: unknown, name: string): string | null {
  const said = String(text);
  // The rest of what comes after the field's path, its place in a list included: `productCodes.0 must be …`, `items[0].name is …`.
  const places = [...said.matchAll(new RegExp(`\\b${name}((\\.|\\[)\\d+\\]?)*(?![\\w.[])`, 'g'))];
  if (places.length === 0) return `"${said}" does not name ${name}`;
  const isTold = places.some(({ 0: found, index }) =>
    cures.some((cure) => cure.test(said.slice(index + found.length))),
  );
  return isTold ? null : `"${said}" does not say what would be right`;
}
