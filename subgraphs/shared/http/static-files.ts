// Files as they are served: a type by their ending, an entity tag over their bytes, read and compressed at first use and kept, nothing from outside their folder.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { type ContentEncoding, contentEncodingOf, encoded } from './content-encoding';
import { entityTag, namesTag } from './entity-tag';

export interface StaticFile {
  bytes: Buffer;
  type: string;
  etag: string;
}

/** For files whose address carries their hash. */
export const keptForGood = 'public, max-age=31536000, immutable';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

/** `name` says the type by its ending. */
export function staticFile(name: string, bytes: Buffer): StaticFile {
  return { bytes, type: contentTypes[extname(name)] ?? 'application/octet-stream', etag: entityTag(bytes) };
}

/** A look-up by paths relative to the folder; null for what is not there. */
export function staticFolder(folder: string): (path: string) => Promise<StaticFile | null> {
  const root = normalize(folder) + sep;
  const kept = new Map<string, StaticFile>();
  return async (path) => {
    const place = normalize(join(folder, path));
    if (!place.startsWith(root)) return null;
    const known = kept.get(place);
    if (known) return known;
    const bytes = await readFile(place).catch(() => null);
    if (!bytes) return null;
    const file = staticFile(place, bytes);
    kept.set(place, file);
    return file;
  };
}

/** Below this a packet carries it as it is, unless its reader refuses that. */
const compressedBytesMin = 1_024;
/** Pictures and typefaces are compressed already. */
const compressible = /^(text\/|image\/svg|application\/json|font\/ttf)/;
const compressed = new WeakMap<StaticFile, Map<ContentEncoding, Promise<Buffer>>>();

/** 200 with the file in the form that Accept-Encoding asks for, or 304 without it for who has it; `headers` say for how long it may be kept. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const isText = compressible.test(file.type);
  const isShort = file.bytes.length < compressedBytesMin;
  const encoding = isText ? contentEncodingOf(request.headers['accept-encoding'], isShort) : null;
  const isEncodable = isText && (!isShort || encoding !== null);
  // Weak where one text has several forms.
  const common = isEncodable
    ? { ...headers, etag: `W/${file.etag}`, vary: 'Accept-Encoding' }
    : { ...headers, etag: file.etag };
  if (namesTag(request.headers['if-none-match'] ?? '', file.etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const bytes = encoding ? await compressedOnce(file, encoding) : file.bytes;
  if (response.destroyed) return;
  if (encoding) response.setHeader('content-encoding', encoding);
  response.writeHead(200, { ...common, 'content-type': file.type, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function compressedOnce(file: StaticFile, encoding: ContentEncoding): Promise<Buffer> {
  const forms = compressed.get(file) ?? new Map<ContentEncoding, Promise<Buffer>>();
  compressed.set(file, forms);
  const known = forms.get(encoding) ?? encoded(file.bytes, encoding, 'kept');
  forms.set(encoding, known);
  return known;
}
