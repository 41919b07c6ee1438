// Broken envelopes of every kind, from a seed: what an attacker, a bad library or a bad day would send (tokenization interface, JWE format).
import { randomBytes } from 'node:crypto';
import { type RecipientKey, sealTo } from '../../subgraphs/shared/crypto/jwe';
import type { Random } from '../faults/random';

export interface MutationSources {
  /** The key that is really ours. */
  key: RecipientKey;
  /** A key that is not. */
  stranger: RecipientKey;
  payload: Record<string, unknown>;
}

export interface Mutation {
  kind: string;
  value: string;
}

type Segments = [string, string, string, string, string];
type Make = (segments: Segments, sources: MutationSources, random: Random) => string;

/** Equal seeds give equal choices (the envelopes themselves are sealed afresh). */
export function mutations(sources: MutationSources, count: number, random: Random): Mutation[] {
  const kinds = Object.entries(makes);
  return Array.from({ length: count }, (_, index) => {
    const [kind, make] = kinds[index % kinds.length] as [string, Make];
    const segments = sealTo(sources.key, sources.payload).split('.') as Segments;
    return { kind, value: make(segments, sources, random) };
  });
}

/** The rule of the answer: five canonical non-empty Base64URL segments are a matter of cryptography, all else of format. */
export function isCompact(value: string): boolean {
  const segments = value.split('.');
  const isCanonical = (text: string) => text !== '' && Buffer.from(text, 'base64url').toString('base64url') === text;
  return segments.length === 5 && segments.every(isCanonical);
}

const encode = (value: string | Uint8Array) => Buffer.from(value).toString('base64url');
const headerOf = ([header]: Segments): Record<string, unknown> =>
  JSON.parse(Buffer.from(header, 'base64url').toString());
const withHeader =
  (header: unknown): Make =>
  (segments) =>
    [
      encode(JSON.stringify(typeof header === 'function' ? header(headerOf(segments)) : header)),
      ...segments.slice(1),
    ].join('.');
const replaced = (segments: Segments, index: number, text: string) =>
  segments.map((each, at) => (at === index ? text : each)).join('.');
const flipped =
  (index: number): Make =>
  (segments, _sources, random) => {
    const bytes = Buffer.from(segments[index] as string, 'base64url');
    const at = random.between(0, bytes.length - 1);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.between(0, 7)), at);
    return replaced(segments, index, encode(bytes));
  };
const cut =
  (index: number, bytes: number): Make =>
  (segments) =>
    replaced(segments, index, encode(Buffer.from(segments[index] as string, 'base64url').subarray(0, -bytes)));

const makes: Record<string, Make> = {
  'header flipped': flipped(0),
  'encrypted key flipped': flipped(1),
  'iv flipped': flipped(2),
  'ciphertext flipped': flipped(3),
  'tag flipped': flipped(4),
  'encrypted key short': cut(1, 1),
  'iv short': cut(2, 1),
  'tag of 15 bytes': cut(4, 1),
  'tag of 4 bytes': cut(4, 12),
  'encrypted key of one byte': (segments) => replaced(segments, 1, 'AA'),
  'encrypted key above the modulus': (segments) => replaced(segments, 1, encode(Buffer.alloc(256, 0xff))),
  'encrypted key zero': (segments) => replaced(segments, 1, encode(Buffer.alloc(256))),
  'encrypted key random': (segments) =>
    replaced(segments, 1, encode(Buffer.concat([Buffer.alloc(1), randomBytes(255)]))),
  'iv of 16 bytes': (segments) => replaced(segments, 2, encode(randomBytes(16))),
  'tag of 17 bytes': (segments) => replaced(segments, 4, encode(randomBytes(17))),
  'alg RSA-OAEP': withHeader((header: object) => ({ ...header, alg: 'RSA-OAEP' })),
  'alg RSA1_5': withHeader((header: object) => ({ ...header, alg: 'RSA1_5' })),
  'alg dir': withHeader((header: object) => ({ ...header, alg: 'dir' })),
  'alg none': withHeader((header: object) => ({ ...header, alg: 'none' })),
  'alg PBES2 with p2c': withHeader((header: object) => ({
    ...header,
    alg: 'PBES2-HS256+A128KW',
    p2c: 2 ** 31,
    p2s: 'AAAA',
  })),
  'alg absent': withHeader(({ alg, ...header }: Record<string, unknown>) => header),
  'enc A128GCM': withHeader((header: object) => ({ ...header, enc: 'A128GCM' })),
  'enc A256CBC-HS512': withHeader((header: object) => ({ ...header, enc: 'A256CBC-HS512' })),
  'enc a list': withHeader((header: object) => ({ ...header, enc: ['A256GCM'] })),
  'kid absent': withHeader(({ kid, ...header }: Record<string, unknown>) => header),
  'kid unknown': withHeader((header: object) => ({ ...header, kid: 'nobody' })),
  'kid empty': withHeader((header: object) => ({ ...header, kid: '' })),
  'kid long': withHeader((header: object) => ({ ...header, kid: 'k'.repeat(2_000) })),
  'kid a number': withHeader((header: object) => ({ ...header, kid: 1 })),
  'kid __proto__': withHeader((header: object) => ({ ...header, kid: '__proto__' })),
  'zip DEF': withHeader((header: object) => ({ ...header, zip: 'DEF' })),
  crit: withHeader((header: object) => ({ ...header, crit: ['exp'], exp: 1 })),
  p2c: withHeader((header: object) => ({ ...header, p2c: 1_000_000 })),
  'header a list': withHeader([]),
  'header null': withHeader(null),
  'header a string': withHeader('alg'),
  'header in other order': withHeader(({ alg, enc, kid }: Record<string, unknown>) => ({ kid, enc, alg })),
  'header not JSON': (segments) => replaced(segments, 0, encode('{')),
  'header not UTF-8': (segments) => replaced(segments, 0, encode(Buffer.from([0xff, 0xfe]))),
  'header with a name twice': (segments, { key }) =>
    replaced(
      segments,
      0,
      encode(`{"alg":"none","alg":"RSA-OAEP-256","enc":"A256GCM","kid":${JSON.stringify(key.kid)}}`),
    ),
  'header of another envelope': (segments, { stranger, payload }) =>
    replaced(segments, 0, sealTo(stranger, payload).split('.')[0] as string),
  'encrypted key of another envelope': (segments, { key, payload }) =>
    replaced(segments, 1, sealTo(key, payload).split('.')[1] as string),
  'wrong key under our kid': (_segments, { key, stranger, payload }) => sealTo({ ...stranger, kid: key.kid }, payload),
  'plaintext a string': (_segments, { key }) => sealedValue(key, 'card'),
  'plaintext a list': (_segments, { key }) => sealedValue(key, []),
  'plaintext null': (_segments, { key }) => sealedValue(key, null),
  'four segments': (segments) => segments.slice(0, 4).join('.'),
  'six segments': (segments) => [...segments, 'AA'].join('.'),
  'a dot at the end': (segments) => `${segments.join('.')}.`,
  'empty header': (segments) => replaced(segments, 0, ''),
  'empty encrypted key': (segments) => replaced(segments, 1, ''),
  'empty iv': (segments) => replaced(segments, 2, ''),
  'empty ciphertext': (segments) => replaced(segments, 3, ''),
  'empty tag': (segments) => replaced(segments, 4, ''),
  padding: (segments) => `${segments.join('.')}==`,
  'a plus sign': (segments) => replaced(segments, 3, `${segments[3].slice(1)}+`),
  'a slash': (segments) => replaced(segments, 3, `/${segments[3].slice(1)}`),
  'a space': (segments) => segments.join('. '),
  'a line end': (segments) => `${segments.join('.')}\n`,
  'bits beyond the last byte': (segments) => replaced(segments, 4, `${segments[4].slice(0, -1)}B`),
  'a character too many': (segments) => replaced(segments, 2, `${segments[2]}A`),
  'not ASCII': (segments) => replaced(segments, 3, `é${segments[3].slice(1)}`),
  NUL: (segments) => replaced(segments, 3, `\0${segments[3].slice(1)}`),
  nothing: () => '',
  dots: () => '....',
  'a JSON serialization': (segments) => JSON.stringify({ protected: segments[0], ciphertext: segments[3] }),
};

export const mutationKinds = Object.keys(makes);

/** An honest envelope around a plaintext that is JSON, and not an object. */
function sealedValue(key: RecipientKey, value: string | unknown[] | null): string {
  return sealTo(key, value as unknown as Record<string, unknown>);
}
