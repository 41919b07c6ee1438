// In which form a text travels: the shortest that its reader takes (RFC 9110 section 12.5.3).

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

const encodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof encodings)[number];

/** `once`: half the time for a tenth more to send. `kept`: made one time and sent often. */
const efforts = { once: { gzip: 3, br: 2 }, kept: { gzip: 9, br: 9 } } as const;
type Use = keyof typeof efforts;

/** What the types of the library leave out: which goes first of those that a client takes equally. */
interface Negotiating {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

/**
 * What its reader likes best, brotli before gzip before as it is (null) where it takes them equally; a short text goes as it is unless that is refused.
 * Who takes nothing that there is gets it as it is.
 */
export function contentEncodingOf(accepted: string | undefined, isShort = false): ContentEncoding | null {
  if (!accepted) return null;
  const forms = [...encodings, 'identity'];
  const asked: Negotiating = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const taken = asked.encodings(forms, { preferred: forms });
  if (isShort && taken.includes('identity')) return null;
  return encodings.find((encoding) => encoding === taken[0]) ?? null;
}

export function encoded(bytes: string | Buffer, encoding: ContentEncoding, use: Use): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: efforts[use].gzip });
  return promisify(brotliCompress)(bytes, brotliOptions(use));
}

/** For a text that is made while it is sent. */
export function encodingStream(encoding: ContentEncoding): Transform {
  return encoding === 'gzip' ? createGzip({ level: efforts.once.gzip }) : createBrotliCompress(brotliOptions('once'));
}

function brotliOptions(use: Use) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: efforts[use].br } };
}
