// The web server under the pages, on real sockets: health, the figures and log lines it keeps, its limit, and an orderly stop under load.
import { mkdtempSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drainHttpServer } from '../../app/drain';
import type { PageRoute } from '../../pages/page-route';
import { createPageServer, type PageDeps, type PageServer } from '../../pages/page-server';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { DomainError } from '../../subgraphs/shared/errors';
import { sha256 } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createLog } from '../../subgraphs/shared/log/log';
import { send } from '../support/client';

interface Kept {
  observed: { surface: string; route: string; status: string; seconds: number }[];
  lines: Record<string, unknown>[];
  limited: string[];
}

const session = '7a1c2a44-7f6e-4f0a-9b1d-0a2b3c4d5e6f';
let kept: Kept;
let ready: boolean;
let allowed: boolean;
let page: PageServer;
let url: string;
let release: () => void;

const routes: PageRoute[] = [
  {
    method: 'GET',
    pattern: /^\/pay\/([^/]+)$/,
    name: '/pay/{sessionId}',
    serve: () => ({ status: 200, body: 'page' }),
  },
  {
    method: 'POST',
    pattern: /^\/pay\/([^/]+)$/,
    name: '/pay/{sessionId}',
    serve: ({ form }) => {
      if (form['what'] === 'break') throw new Error('a defect');
      if (form['what'] === 'refuse') throw new DomainError('invalidState');
      return { status: 303, headers: { location: '/' } };
    },
  },
  {
    method: 'GET',
    pattern: /^\/held$/,
    name: '/held',
    serve: () => new Promise((resolve) => (release = () => resolve({ status: 200, body: 'late' }))),
  },
  {
    method: 'GET',
    pattern: /^\/free$/,
    name: '/free',
    isUnlimited: true,
    serve: () => ({ status: 200, body: 'free' }),
  },
];

beforeEach(async () => {
  kept = { observed: [], lines: [], limited: [] };
  ready = true;
  allowed = true;
  page = createPageServer(deps(), {
    name: 'pay',
    routes,
    refuse: ({ code }) => ({ status: code === 'internal' ? 500 : 409, body: code }),
  });
  await new Promise<void>((done) => page.server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(page.server.address() as { port: number }).port}`;
});
afterEach(() => {
  page.server.close();
  page.server.closeAllConnections();
});

function deps(): PageDeps {
  return {
    execute: async () => ({ data: {} }),
    config: { environment: 'sandbox', isSandbox: true, PAY_URL: '', SANDBOX_KEY: '', ACS_URL: '' },
    clock: { now: () => new Date() },
    refusalOf,
    readiness: async () => ({ ready, dependencies: { mongodb: ready ? 'up' : 'down' } }),
    addressOf: createAddressOf(''),
    limiter: {
      take: async (name, key) => {
        kept.limited.push(`${name} ${key}`);
        return { allowed, retryAfterSeconds: 3 };
      },
    },
    log: createLog('debug', 'pages', (line) => void kept.lines.push(JSON.parse(line))),
    metrics: {
      requests: { labels: (labels) => ({ observe: (seconds) => void kept.observed.push({ ...labels, seconds }) }) },
    },
    drain: (server) => drainHttpServer(server, { lingerMs: 200 }),
    root: mkdtempSync(join(tmpdir(), 'page-server-')),
  };
}

const get = (path: string) => send(url, { method: 'GET', path });
const post = (what: string, headers: Record<string, string> = {}) =>
  send(url, { method: 'POST', path: `/pay/${session}`, options: { body: { what }, headers } });

describe('health', () => {
  it('is alive, and ready when what it needs is', async () => {
    expect((await get('/healthz')).body).toEqual({ status: 'alive' });
    expect(await get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', dependencies: { mongodb: 'up' } },
    });
    ready = false;
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { status: 'not ready', dependencies: { mongodb: 'down' } },
    });
    expect((await get('/healthz')).status).toBe(200);
    expect([kept.limited, kept.observed]).toEqual([[], []]);
  });

  it('is not ready any more while it stops, but alive, and answers what comes over open connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const path = (each: string) => overAgent(agent, each);
    const opened = await Promise.all([path('/free'), path('/free')]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    const stopped = page.stop();
    expect(await Promise.all([path('/readyz'), path('/healthz')])).toEqual([
      { status: 503, connection: 'close' },
      { status: 200, connection: 'close' },
    ]);
    await stopped;
    agent.destroy();
  });
});

describe('what is kept of a request', () => {
  it('is one figure by surface, route and status, with no id in it', async () => {
    await get(`/pay/${session}`);
    await post('pay');
    await post('refuse');
    await post('break');
    await get('/nothing-here');
    expect(kept.observed.map(({ surface, route, status }) => `${surface} ${route} ${status}`)).toEqual([
      'pay GET /pay/{sessionId} 200',
      'pay POST /pay/{sessionId} 303',
      'pay POST /pay/{sessionId} 409',
      'pay POST /pay/{sessionId} 500',
      'pay unknown 409',
    ]);
    expect(kept.observed.every(({ seconds }) => seconds > 0 && seconds < 10)).toBe(true);
  });

  it.each([
    ['a look', () => get(`/pay/${session}`), { level: 'debug', msg: 'answered', status: 200 }],
    ['a change', () => post('pay'), { level: 'info', msg: 'answered', status: 303 }],
    ['a refusal', () => post('refuse'), { level: 'info', msg: 'refused', code: 'invalidState' }],
    ['a defect', () => post('break'), { level: 'error', msg: 'failed unexpectedly', error: { message: 'a defect' } }],
  ])('%s is one line with the request id of its answer and without the session', async (_what, ask, line) => {
    const { headers } = await ask();
    expect(kept.lines).toHaveLength(1);
    expect(kept.lines[0]).toMatchObject({ ...line, requestId: headers['x-request-id'] });
    expect(JSON.stringify(kept.lines)).not.toContain(session);
  });

  it('carries the request id that the caller gave', async () => {
    const { headers } = await post('pay', { 'x-request-id': session });
    expect([headers['x-request-id'], kept.lines[0]?.['requestId']]).toEqual([session, session]);
  });
});

describe('the limit', () => {
  it('counts by the session in the path, else by address, and leaves out what is free', async () => {
    await get(`/pay/${session}`);
    await get('/free');
    const held = get('/held');
    while (!kept.limited[1]) await new Promise(setImmediate);
    release();
    await held;
    expect(kept.limited).toEqual([`pages:pay ${sha256(session)}`, 'pages:pay 127.0.0.1']);
  });

  it('refuses before the page is asked', async () => {
    allowed = false;
    expect(await post('break')).toMatchObject({ status: 409, text: 'rateLimited' });
  });
});

describe('a stop under load', () => {
  it('answers what is under way, and none of many clients sees a failure', async () => {
    const held = get('/held');
    while (kept.limited.length === 0) await new Promise(setImmediate);
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    let isTurned = false;
    const failures: unknown[] = [];
    const client = async () => {
      while (!isTurned) {
        const answer = await overAgent(agent, '/free').catch((error: unknown) => ({ error }));
        if ('error' in answer) return void failures.push(answer.error);
        // Told to leave: whoever asks again meets the successor, which this test does not have.
        if (answer.connection === 'close') return;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await get('/free');
    const stopped = page.stop();
    await Promise.all(clients);
    isTurned = true;
    release();
    expect((await held).text).toBe('late');
    await stopped;
    agent.destroy();
    expect(failures).toEqual([]);
  });
});

function overAgent(
  agent: Agent,
  path: string,
): Promise<{ status: number | undefined; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    httpRequest(`${url}${path}`, { agent }, (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    })
      .once('error', reject)
      .end();
  });
}
