// The documentation as people read it: every link, anchor and picture leads somewhere, diagrams are drawn from the present text, and sentences are not broken.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../support/client';
import { type Facade, startFacade } from './fixture';

const docs = join(__dirname, '../../docs');
let facade: Facade;
beforeAll(async () => {
  facade = await startFacade({});
});
afterAll(() => facade.stop());

const get = (path: string, accept = 'text/html') =>
  send(facade.url, { method: 'GET', path, options: { headers: { accept } } });

test('a browser that begins at / finds every page, link, anchor and picture', async () => {
  const pages = new Map<string, string>();
  const broken: string[] = [];
  const waiting = ['/'];
  const wanted: { from: string; path: string; anchor: string }[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue;
    const { status, text, headers } = await get(path);
    if (status !== 200) broken.push(`${path} answers ${status}`);
    pages.set(path, text);
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(?:https?|mailto):/.test(target)) continue;
      const url = new URL(target.replaceAll('&amp;', '&'), `http://docs${path}`);
      // The reference is one page for every API.
      const to = url.pathname;
      waiting.push(to);
      if (url.hash) wanted.push({ from: path, path: to, anchor: decodeURIComponent(url.hash.slice(1)) });
    }
  }
  for (const { from, path, anchor } of wanted)
    if (!pages.get(path)?.includes(`id="${anchor}"`)) broken.push(`${from} leads to ${path}#${anchor}`);
  expect(broken).toEqual([]);
  const guides = readdirSync(docs).filter((file) => file.endsWith('.md'));
  expect(guides.filter((file) => !pages.has(`/docs/${file.replace('.md', '')}`))).toEqual([]);
  expect([...pages.keys()].filter((path) => path.startsWith('/docs/screenshots/')).length).toBeGreaterThan(3);
});

test('no text of a page is shown as markup, and no line ends in mid-sentence', async () => {
  for (const file of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
    const { text } = await get(`/docs/${file.replace('.md', '')}`);
    expect(text).not.toMatch(/&lt;img|<br>|&lt;!--/);
    expect([file, /<table>/.test(text.replaceAll('<div class="table" tabindex="0"><table>', ''))]).toEqual([
      file,
      false,
    ]);
  }
});

test('diagrams are drawn from the present text', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(docs, 'diagrams/draw.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('diagrams are shown, with their text below for those who read no pictures', async () => {
  const { text } = await get('/docs/checkout');
  expect(text).toMatch(/<figure class="diagram"><div tabindex="0"><svg [\s\S]*<\/svg>\s*<\/div><details>/);
  expect(text).not.toContain('fonts.googleapis.com');
});

test('the search has every heading with its address', async () => {
  const { body } = await get('/docs/search.json', 'application/json');
  const found = (body as { path: string; heading: string; text: string }[]).filter(
    ({ path }) => path === '/docs/errors#mts-1617',
  );
  expect(found).toHaveLength(1);
  expect(found[0]?.text.length).toBeGreaterThan(20);
  for (const { path } of body) expect(path).toMatch(/^\/docs\/[a-z-]+(?:#\S+)?$/);
});

test.each([undefined, '*/*', 'application/json', 'application/json, */*;q=0.8'])(
  'a program that accepts %s is told that nothing is served at /',
  async (accept) => {
    const headers: Record<string, string> = accept ? { accept } : {};
    const answer = await send(facade.url, { method: 'GET', path: '/', options: { headers } });
    expect([answer.status, answer.body.message]).toEqual([404, 'No such path.']);
  },
);
