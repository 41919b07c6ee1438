// The one way an answer whose text is at hand is written: head and text in one piece, without a framework, and never twice.
import type { ServerResponse } from 'node:http';

export interface TextReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Adds the length, where the status can have a body; headers that were set before stay. */
export function sendText(response: ServerResponse, { status, headers, text }: TextReply): void {
  if (response.headersSent || response.destroyed) return;
  const isBodiless = status === 204 || status === 304;
  const lines: (string | number)[] = isBodiless ? [] : ['content-length', Buffer.byteLength(text)];
  for (const name in headers) lines.push(name, headers[name] as string);
  response.writeHead(status, lines);
  // As a string it leaves in one piece with its head.
  response.end(text);
}
