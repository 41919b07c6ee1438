// Built browser files from one folder, read at first use and kept: a strict content policy, and nothing outside the folder.
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

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

export interface StaticFiles {
  /** Sends `path` (relative to the folder); false when there is no such file. */
  send(response: ServerResponse, path: string): Promise<boolean>;
}

export function staticFiles(folder: string): StaticFiles {
  const kept = new Map<string, Buffer>();
  return {
    async send(response, path) {
      const file = normalize(join(folder, path));
      if (!file.startsWith(normalize(folder) + sep)) return false;
      const content = kept.get(file) ?? (await readFile(file).catch(() => null));
      if (!content) return false;
      kept.set(file, content);
      const extension = extname(file);
      response.writeHead(200, {
        ...pageHeaders,
        'content-type': contentTypes[extension] ?? 'application/octet-stream',
        'content-length': content.length,
        // Built assets carry their hash in their names; the page itself does not.
        'cache-control': extension === '.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
      });
      response.end(content);
      return true;
    },
  };
}

/** A small page of our own, with the same headers. */
export function sendPage(response: ServerResponse, html: string): void {
  const body = Buffer.from(html);
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}
