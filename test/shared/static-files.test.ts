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
const script = `// long\n${'say("again");\n'.repeat(200)}`;
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'served'));
  writeFileSync(join(folder, 'served/style.css'), style);
  writeFileSync(join(folder, 'served/script.js'), script);
  writeFileSync(join(folder, 'served/picture.png'), Buffer.alloc(4_096));
  writeFileSync(join(folder, 'served/unknown.xyz'), 'x');
  writeFileSync(join(folder, 'outside.css'), 'outside');
  const find = staticFolder(join(folder, 'served'));
  server = createBoundedServer({
    request: async (request, response) => {
      const file = await find(decodeURIComponent(request.url ?? ''));
      if (file) await sendFile(request, response, file, { 'cache-control': 'public, max-age=60' });
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

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.1, gzip;q=1', 'gzip'],
  ['gzip;q=0, br;q=0', null],
  ['*;q=0', null],
  ['identity', null],
])('a long text goes to who takes %s as %s, each form under the same weak tag', async (accepted, encoding) => {
  const { headers, text } = await get('/script.js', { headers: { 'accept-encoding': accepted } });
  expect([headers.get('content-encoding'), headers.get('vary'), text]).toEqual([encoding, 'Accept-Encoding', script]);
  expect(headers.get('etag')).toBe(`W/${entityTag(script)}`);
  expect(Number(headers.get('content-length')) < script.length).toBe(encoding !== null);
  const had = await get('/script.js', { headers: { 'if-none-match': `W/${entityTag(script)}` } });
  expect([had.status, had.headers.get('vary')]).toEqual([304, 'Accept-Encoding']);
});

it('a short text is compressed for who refuses it as it is', async () => {
  const { headers, text } = await get('/style.css', { headers: { 'accept-encoding': 'gzip, identity;q=0' } });
  expect([headers.get('content-encoding'), headers.get('vary'), text]).toEqual(['gzip', 'Accept-Encoding', style]);
});

it.each(['/style.css', '/picture.png'])('%s goes as it is', async (path) => {
  expect((await get(path)).headers.get('content-encoding')).toBeNull();
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
