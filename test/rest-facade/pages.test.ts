// What express carries: health, OpenAPI files, reference pages without outside requests, 404 and 405.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../support/client';
import { type Facade, requestId, startFacade } from './fixture';

describe('behind the route table', () => {
  let facade: Facade;
  let ready = true;
  beforeAll(async () => {
    facade = await startFacade({
      deps: { readiness: async () => ({ ready, dependencies: { mongodb: ready ? 'up' : 'down', redis: 'up' } }) },
    });
  });
  afterAll(() => facade.stop());
  const get = (path: string) => send(facade.url, { method: 'GET', path });

  it('is alive, and ready when its dependencies are', async () => {
    expect((await get('/healthz')).body).toEqual({ status: 'alive' });
    expect(await get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', dependencies: { mongodb: 'up' } },
    });
    ready = false;
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { dependencies: { mongodb: 'down' } },
    });
    expect((await get('/healthz')).status).toBe(200);
    ready = true;
  });

  it.each(['tokenization', 'sandbox'])('serves the %s file as YAML and JSON', async (family) => {
    const yaml = await get(`/openapi/${family}.yaml`);
    expect(yaml.headers['content-type']).toContain('yaml');
    expect(yaml.text).toMatch(/^openapi: 3\.1\.0/);
    expect((await get(`/openapi/${family}.json`)).body.openapi).toBe('3.1.0');
  });

  it.each([
    '/docs',
    '/docs/errors',
    '/docs/test-cards',
    '/docs/start.js',
    '/docs/pages.css',
    '/docs/assets/swagger-ui.css',
    '/docs/assets/swagger-ui-bundle.js',
  ])('%s comes with a policy that lets nothing in from outside', async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
    if (path.startsWith('/docs/assets')) return;
    expect(page.text).not.toMatch(/(?:src|href|url)\s*[=(:]\s*["']?(?:https?:)?\/\//);
  });

  it('renders every guide page, and its links and anchors lead somewhere', async () => {
    const names = readdirSync(join(__dirname, '../../docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace('.md', ''));
    expect(names).toEqual(expect.arrayContaining(['decisions', 'errors', 'sandbox']));
    const pages = new Map<string, string>();
    for (const name of names) pages.set(`/docs/${name}`, (await get(`/docs/${name}`)).text);
    for (const text of pages.values()) {
      expect(text).not.toMatch(/&lt;!--|\.md["#]/);
      for (const [, path = '', anchor] of text.matchAll(/href="(\/docs\/[a-z-]+)(?:#([^"]+))?"/g)) {
        if (anchor) expect(pages.get(path)).toContain(`id="${decodeURIComponent(anchor)}"`);
        else expect((await get(path)).status).toBe(200);
      }
    }
  });

  it('shows every code with an anchor, and the cards as text', async () => {
    const { text } = await get('/docs/errors');
    for (const code of [1611, 1612, 1614, 1616, 1617, 1618, 1619, 1620])
      expect(text).toContain(`<h2 id="mts-${code}">`);
    const cards = await get('/docs/test-cards');
    expect(cards.text).toContain('4242424242424242');
    expect(cards.text).not.toContain('<frictionless>');
  });

  it.each([
    '/',
    '/virtual-accounts',
    '/virtual-accounts/',
    '/Virtual-Accounts/token',
    '/docs/assets/package.json',
    '/docs/assets/..%2f..%2fpackage.json',
    '/openapi/other.yaml',
    '/%',
    '/%ff',
    '/virtual-accounts/%ff',
    '/.git/config',
  ])('GET %s is 404 in the plain shape', async (path) => {
    const answer = await send(facade.url, { method: 'GET', path, options: { headers: { 'X-Request-ID': requestId } } });
    expect([answer.status, answer.body]).toEqual([404, { message: 'No such path.', requestId }]);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });

  it.each([
    ['GET', '/virtual-accounts/token', 'POST'],
    ['DELETE', '/virtual-accounts/token', 'POST'],
    ['POST', '/virtual-accounts/17', 'GET, HEAD'],
    ['PATCH', '/virtual-accounts/17/tokenState', 'PUT'],
    ['OPTIONS', '/virtual-accounts/17/transaction', 'POST'],
    ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
    ['DELETE', '/sandbox/clock', 'GET, HEAD, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/docs', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await send(facade.url, { method, path });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });
});
