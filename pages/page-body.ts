// A page's answer as bytes and the type that they are sent under.
import { Markup } from './html';
import type { PageReply } from './page-route';

export function printBody(body: PageReply['body']): { type: string; bytes: Buffer } {
  if (Buffer.isBuffer(body)) return { type: 'application/octet-stream', bytes: body };
  if (body === undefined) return { type: 'text/plain; charset=utf-8', bytes: Buffer.alloc(0) };
  if (typeof body === 'string') return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(body) };
  if (body instanceof Markup) return { type: 'text/html; charset=utf-8', bytes: Buffer.from(body.text) };
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
}
