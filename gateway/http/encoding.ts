// How the text of an answer travels: compressed when it is long and the client takes that, and not at all when the client has it already.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ContentEncoding, contentEncodingOf, encoded } from '../../subgraphs/shared/http/content-encoding';
import { entityTag, namesTag } from '../../subgraphs/shared/http/entity-tag';
import { sendText, type TextReply } from '../../subgraphs/shared/http/send-text';

/** Below this a packet or two carry it as it is, and compressing costs more than it saves. */
const compressedCharsMin = 4 * 1024;

/** Sends it in the form that Accept-Encoding asks for; as it is, it is sent before this returns. */
export function sendEncoded(
  request: IncomingMessage,
  response: ServerResponse,
  reply: TextReply,
): undefined | Promise<void> {
  const isShort = reply.text.length < compressedCharsMin;
  const encoding = contentEncodingOf(request.headers['accept-encoding'], isShort);
  if (encoding) return sendCompressed(response, reply, encoding);
  sendText(response, reply);
  return undefined;
}

async function sendCompressed(response: ServerResponse, reply: TextReply, encoding: ContentEncoding): Promise<void> {
  const bytes = await encoded(reply.text, encoding, 'once');
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
