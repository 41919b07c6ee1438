// The built dashboard: its files by name, and its one page for every other path that a browser opens. All of it is ours, so nothing else may run in it.
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { keptForGood, sendFile, staticFolder } from '../../subgraphs/shared/http/static-files';

const contentPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** False when the path is nothing of the dashboard's. */
type SendDashboard = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** What is served beside it on the same port is never its page. */
const others = /^\/(graphql|sign-in|sign-out|sandbox|healthz|readyz)(\/|$)/;
/** Where the build puts files whose names carry their hash. */
const hashed = /^\/assets\//;

/** Null where no dashboard was built. */
export function dashboardFiles(folder: string): SendDashboard | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const find = staticFolder(folder);
  return async (request, response, path) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || others.test(path)) return false;
    const own = path === '/' ? null : await find(path.slice(1));
    const isPage = path === '/' || (request.headers.accept?.includes('text/html') ?? false);
    const file = own ?? (isPage ? await find('index.html') : null);
    const cacheControl = own && hashed.test(path) ? keptForGood : 'no-cache';
    if (file) await sendFile(request, response, file, { ...headers, 'cache-control': cacheControl });
    return file !== null;
  };
}
