// The files of the browser IDE and a page of our own, under a strict content policy.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from '../../subgraphs/shared/http/send-text';
import { keptForGood, sendFile, staticFolder } from '../../subgraphs/shared/http/static-files';

/** Nothing from elsewhere, no inline script; the editor styles itself, hence inline styles; its workers are files of ours. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self' ws: wss:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Sends `path` (relative to the built IDE); false when there is no such file. */
export type IdeFiles = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

export function ideFiles(folder: string): IdeFiles {
  const find = staticFolder(folder);
  return async (request, response, path) => {
    const file = await find(path);
    // Built assets carry their hash in their names; the page itself does not.
    const cacheControl = path.endsWith('.html') ? 'no-cache' : keptForGood;
    if (file) await sendFile(request, response, file, { ...pageHeaders, 'cache-control': cacheControl });
    return file !== null;
  };
}

/** A small page of our own, with the same headers. */
export function sendPage(response: ServerResponse, html: string): void {
  sendText(response, {
    status: 200,
    headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
    text: html,
  });
}
