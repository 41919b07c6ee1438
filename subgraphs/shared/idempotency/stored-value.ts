// A result as text and back, value for value: JSON with marks for what JSON does not know (decision register 2.4-B: the repetition gets the same result).

const marks = { bigint: '$bigint', date: '$date', plain: '$plain' } as const;

/** Plain values, arrays, objects, dates and bigints; a member that is undefined is left out. Throws on anything else: it would come back changed. */
export function printValue(value: unknown): string {
  return JSON.stringify(marked(value));
}

/** What `printValue` printed. */
export function parseValue(text: string): unknown {
  return unmarked(JSON.parse(text));
}

function marked(value: unknown): unknown {
  if (typeof value === 'bigint') return { [marks.bigint]: String(value) };
  if (value instanceof Date) return { [marks.date]: value.toISOString() };
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : marked(item)));
  if (typeof value === 'object' && value !== null) return markedMembers(value);
  const isPrintable = value === undefined || value === null || ['string', 'boolean'].includes(typeof value);
  if (isPrintable || Number.isFinite(value)) return value;
  throw new Error(`a result holds a ${typeof value} that cannot be kept`);
}

function markedMembers(value: object): object {
  const isPlain = !(value instanceof Map || value instanceof Set || ArrayBuffer.isView(value));
  if (!isPlain) throw new Error(`a result holds a ${value.constructor.name} that cannot be kept`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const printed = Object.fromEntries(members.map(([name, member]) => [name, marked(member)]));
  // An object that looks like a mark is itself marked.
  return markOf(printed) ? { [marks.plain]: printed } : printed;
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const mark = markOf(value);
  if (!mark) return unmarkedMembers(value);
  const content = (value as Record<string, unknown>)[mark];
  if (mark === marks.bigint) return BigInt(content as string);
  return mark === marks.date ? new Date(content as string) : unmarkedMembers(content as object);
}

function unmarkedMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

function markOf(value: object): string | null {
  const names = Object.keys(value);
  const [name = ''] = names;
  return names.length === 1 && (Object.values(marks) as string[]).includes(name) ? name : null;
}
