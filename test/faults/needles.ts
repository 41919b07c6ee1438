// Searches bytes for secrets in every shape in which they might have been left: raw, grouped, hex, base64 at three offsets, URL-encoded, reversed.

export interface Needle {
  name: string;
  value: string;
}

export interface Search {
  /** Names and shapes of what was found in the bytes. */
  findIn(bytes: Buffer): string[];
  shapes: number;
}

/** Each shape of a secret as bytes; shapes shorter than eight bytes would be found by chance and are left out. */
export function shapesOf(value: string): Map<string, Buffer> {
  const raw = Buffer.from(value);
  const shapes = new Map<string, Buffer>([
    ['raw', raw],
    ['reversed', Buffer.from([...value].reverse().join(''))],
    ['hex', Buffer.from(raw.toString('hex'))],
    ['HEX', Buffer.from(raw.toString('hex').toUpperCase())],
    ['url-encoded', Buffer.from(encodeURIComponent(value))],
    ['percent-encoded', Buffer.from([...raw].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))],
  ]);
  if (/^\d{12,19}$/.test(value)) {
    for (const gap of [' ', '-'])
      shapes.set(`grouped by ${gap}`, Buffer.from(value.replace(/(\d{4})(?=\d)/g, `$1${gap}`)));
  }
  for (const offset of [0, 1, 2]) {
    for (const encoding of ['base64', 'base64url'] as const)
      shapes.set(`${encoding} at ${offset}`, Buffer.from(innerBase64(raw, offset, encoding)));
  }
  return new Map([...shapes].filter(([, bytes]) => bytes.length >= 8));
}

/** The characters that depend on the value alone, whatever stands before and after it. */
function innerBase64(raw: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(offset), raw])
    .toString(encoding)
    .replace(/=+$/, '');
  const from = Math.ceil((offset * 8) / 6);
  return text.slice(from, Math.floor(((offset + raw.length) * 8) / 6));
}

/** One pass over the bytes for all needles: candidates by their first three bytes. */
export function createSearch(needles: readonly Needle[]): Search {
  const isPrefix = new Uint8Array(1 << 24);
  const byPrefix = new Map<number, { name: string; bytes: Buffer }[]>();
  let shapes = 0;
  for (const { name, value } of needles) {
    for (const [shape, bytes] of shapesOf(value)) {
      const prefix = bytes.readUIntBE(0, 3);
      isPrefix[prefix] = 1;
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { name: `${name} (${shape})`, bytes }]);
      shapes += 1;
    }
  }
  return {
    shapes,
    findIn(bytes) {
      const found = new Set<string>();
      let prefix = 0;
      for (let index = 0; index < bytes.length; index += 1) {
        prefix = ((prefix << 8) | (bytes[index] ?? 0)) & 0xffffff;
        if (index < 2 || isPrefix[prefix] === 0) continue;
        for (const candidate of byPrefix.get(prefix) ?? []) {
          const end = index - 2 + candidate.bytes.length;
          if (bytes.compare(candidate.bytes, 0, candidate.bytes.length, index - 2, Math.min(end, bytes.length)) === 0)
            found.add(candidate.name);
        }
      }
      return [...found];
    },
  };
}
