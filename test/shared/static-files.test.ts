// Files as they are served: their type, their tag and who has them already, and that nothing outside of their folder is.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBoundedServer } from '../../subgraphs/shared/http/bounded-server';
import { entityTag, namesTag } from '../../subgraphs/shared/http/entity-tag';
import { sendFile, staticFolder } from '../../subgraphs/shared/http/static-files';

const folder = mkdtempSync(join(tmpdir(), 'static-'));
const style = 'a { color: red }';
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'served'));
  writeFileSync(join(folder, 'served/style.css'), style);
  writeFileSync(join(folder, 'served/unknown.xyz'), 'x');
  writeFileSync(join(folder, 'outside.css'), 'outside');
  const find = staticFolder(join(folder, 'served'));
  server = createBoundedServer({
    request: async (request, response) => {
      const file = await find(decodeURIComponent(request.url ?? ''));
      if (file) sendFile(request, response, file, { 'cache-control': 'public, max-age=60' });
      else response.writeHead(404).end();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const get = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${origin}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('are sent with type, length, tag and how long they may be kept', async () => {
  const { status, headers, text } = await get('/style.css');
  const named = ['content-type', 'content-length', 'etag', 'cache-control'].map((name) => headers.get(name));
  expect([status, text]).toEqual([200, style]);
  expect(named).toEqual(['text/css; charset=utf-8', String(style.length), entityTag(style), 'public, max-age=60']);
  expect((await get('/unknown.xyz')).headers.get('content-type')).toBe('application/octet-stream');
});

it('are not sent to who has them, nor to who asks for the head', async () => {
  const had = await get('/style.css', { headers: { 'if-none-match': `"other", W/${entityTag(style)}` } });
  expect([had.status, had.text, had.headers.get('etag')]).toEqual([304, '', entityTag(style)]);
  const head = await get('/style.css', { method: 'HEAD' });
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(style.length)]);
});

it.each(['/missing.css', '/', '/%2e%2e/outside.css', '/x/%2e%2e/%2e%2e/outside.css'])(
  '%s is not there',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

it.each([
  ['*', true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s names "a": %s', (header, expected) => {
  expect(namesTag(header, '"a"')).toBe(expected);
});
