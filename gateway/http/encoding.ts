// How the text of an answer travels: compressed when it is long and the client takes that, and not at all when the client has it already.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { entityTag, namesTag } from '../../subgraphs/shared/http/entity-tag';
import { sendText, type TextReply } from '../../subgraphs/shared/http/send-text';

/** Below this a packet or two carry it as it is, and compressing costs more than it saves. */
const compressedCharsMin = 4 * 1024;

const encoders = {
  // Level 4 takes about what gzip takes, and leaves less.
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text),
} as const;

/** Sends it in the form that Accept-Encoding asks for; as it is, it is sent before this returns. */
export function sendEncoded(
  request: IncomingMessage,
  response: ServerResponse,
  reply: TextReply,
): undefined | Promise<void> {
  const encoding = reply.text.length < compressedCharsMin ? null : encodingOf(request.headers['accept-encoding']);
  if (encoding) return sendCompressed(response, reply, encoding);
  sendText(response, reply);
  return undefined;
}

async function sendCompressed(
  response: ServerResponse,
  reply: TextReply,
  encoding: keyof typeof encoders,
): Promise<void> {
  const bytes = await encoders[encoding](reply.text);
  if (response.headersSent || response.destroyed) return;
  const { vary = '' } = reply.headers;
  response.writeHead(reply.status, {
    ...reply.headers,
    vary: [vary, 'Accept-Encoding'].filter(Boolean).join(', '),
    'content-encoding': encoding,
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function encodingOf(accepted: string | undefined): keyof typeof encoders | null {
  if (!accepted) return null;
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(Object.keys(encoders));
  // The shorter one where a client takes both.
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : null;
}

/** An answer that its client may keep and ask about again: 304 when nothing has changed. */
export function revalidated({ headers }: IncomingMessage, reply: TextReply): TextReply {
  const tag = entityTag(reply.text);
  const kept = {
    ...reply.headers,
    // Weak: the tag is of the text, whatever its encoding.
    etag: `W/${tag}`,
    'cache-control': 'private, no-cache',
    vary: 'Accept, Authorization, Cookie, Origin',
  };
  const isKnown = namesTag(headers['if-none-match'] ?? '', tag);
  return isKnown ? { status: 304, headers: kept, text: '' } : { ...reply, headers: kept };
}
