// The program as a whole under the launcher: credentials that stay, a second start, and rolling restarts under mixed load that fail no request.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/stores';
import { startWorld, type Topology, type World } from '../support/world';

test('a second start in the same DATA_DIR is ready with the same credentials, on the data of the first', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'program-'));
  const path = join(dataDir, 'sandbox-credentials.json');
  const first = await startWorld({
    databases: 'own',
    topology: 'embedded',
    env: { DATA_DIR: dataDir, PROCESSES: '1' },
  });
  const written = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await first.stop()).toBe(0);
  const second = await startWorld({
    databases: 'own',
    topology: 'embedded',
    env: { DATA_DIR: dataDir, PROCESSES: '1' },
  });
  expect(readFileSync(path, 'utf8')).toBe(written);
  expect(await second.stop()).toBe(0);
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each<[Topology, string[]]>([
  ['embedded', ['app-1', 'app-2']],
  ['split', ['rest-facade-1', 'gateway-1', 'worker-outbox-1', 'worker-callback-1']],
])('the %s program', (topology, restarted) => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ topology, env: { PROCESSES: '2' } });
  });
  afterAll(() => world?.stop());

  test('answers on every address of its credentials file', async () => {
    const { urls } = world.credentials;
    await eventually(() => ask(`${urls.rest}/readyz`));
    expect(await ask(`${urls.auth}/healthz`)).toBe(200);
    await eventually(() => ask(`${new URL(urls.graph).origin}/readyz`));
    expect(await ask(urls.metrics)).toBe(200);
    expect(await ask(`${urls.pay}/sdk.js`)).toBe(200);
    // Their paths are other tests' matter: here it counts that somebody answers.
    for (const url of [urls.shop, urls.acs]) await ask(`${url}/`, { accepted: [200, 404] });
  });

  test('restarts one process after another under load without a failed request', async () => {
    const load = startLoad(world);
    for (const role of restarted) {
      const { pid } = world.kill(role, 'SIGTERM');
      await world.replaced(role, pid);
    }
    await eventually(() => load.answers() > 200);
    expect(await load.stop()).toEqual([]);
  });

  test('puts a killed process back', async () => {
    const role = restarted[0] ?? '';
    const { pid, port } = world.kill(role, 'SIGKILL');
    const entry = await world.replaced(role, pid);
    expect(entry.port).toBe(port);
    await eventually(async () => (await ask(`${world.urls.rest}/readyz`)) === 200);
  });
});

/** Keep-alive clients of the key set, the authorization server and the graph, each asking again as soon as it is answered. */
function startLoad({ credentials }: World) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const { clientId, clientSecret } = credentials.tenants.alpha.tokenization;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
  const calls = [
    () => ask(`${credentials.urls.rest}/.well-known/jwks.json`, { agent }),
    () => ask(`${credentials.urls.auth}/token`, { agent, headers: form, body: 'grant_type=client_credentials' }),
    () =>
      ask(credentials.urls.graph, {
        agent,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ __typename }' }),
        // Without a credential the graph refuses; that it answers is what counts here.
        accepted: [200, 401],
      }),
  ];
  const failures: string[] = [];
  let answers = 0;
  let isStopped = false;
  const clients = calls.map(async (call) => {
    while (!isStopped) {
      await call().then(
        () => {
          answers += 1;
        },
        (error: Error) => failures.push(error.message),
      );
    }
  });
  return {
    answers: () => answers,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
      agent.destroy();
      return failures;
    },
  };
}

interface Call {
  agent?: Agent;
  headers?: Record<string, string>;
  body?: string;
  accepted?: number[];
}

/** Resolves with the status when it is an accepted one. */
function ask(url: string, { agent, headers, body, accepted = [200] }: Call = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const status = response.statusCode ?? 0;
      response.resume();
      response.on('error', reject);
      response.on('end', () => (accepted.includes(status) ? resolve(status) : reject(new Error(`${url}: ${status}`))));
    });
    sent.on('error', (error) => reject(new Error(`${url}: ${error.message}`)));
    sent.end(body);
  });
}
