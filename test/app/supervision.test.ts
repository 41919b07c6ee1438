// Supervision by the launcher, around fake application processes.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { domainNames } from '../../app/domain-names';
import { commandOf } from '../../app/launcher/single-start';
import { freePorts } from '../support/free-ports';
import { eventually } from '../support/stores';
import { buildFakeDist, createFakeInstallation, type FakeInstallation } from './fake-installation';

let dist: string;
let installation: FakeInstallation;

beforeAll(() => {
  dist = buildFakeDist();
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));
beforeEach(() => {
  installation = createFakeInstallation(dist);
});
afterEach(() => installation.remove());

const metrics = () => get(installation.process('launcher').port, '/metrics');

describe('the default shape', () => {
  test('prints the addresses that exist and ends with ready alone on its line', async () => {
    const program = await installation.start();
    const { port } = installation.process('app-1');
    expect(program.output()).toContain(`http://127.0.0.1:${port} `);
    expect(program.output().trimEnd().split('\n').at(-1)).toBe('ready');
    expect(program.output()).toMatch(/^ {2}Dashboard +http:\/\/127\.0\.0\.1:\d+\/ /m);
    expect(program.errors()).toBe('');
  });

  test('lists every process with its role and port, the launcher first', async () => {
    const program = await installation.start();
    const entries = installation.processes();
    expect(entries.map(({ role }) => role)).toEqual(['launcher', 'app-1', 'app-2']);
    expect(entries[0]?.pid).toBe(program.child.pid);
    expect(entries[1]?.port).toBe(entries[2]?.port);
    expect(new Set(entries.map(({ pid }) => pid)).size).toBe(3);
  });

  test('starts a killed process again under its name and port while the other one serves', async () => {
    const program = await installation.start();
    const before = installation.process('app-1');
    process.kill(before.pid, 'SIGKILL');
    const after = await eventually(() =>
      installation.processes().find(({ role, pid }) => role === 'app-1' && pid !== before.pid),
    );
    expect(after.port).toBe(before.port);
    expect(JSON.parse(await get(before.port, '/')).role).toMatch(/^app-[12]$/);
    expect(program.errors()).toMatch(/^app-1 ended unexpectedly \(SIGKILL\); starting it again/);
  });

  test('a rolling restart of each process under load fails no request', async () => {
    await installation.start();
    const load = startLoad(installation.process('app-1').port);
    for (const role of ['app-1', 'app-2', 'app-1']) {
      const before = installation.process(role);
      process.kill(before.pid, 'SIGTERM');
      await eventually(() => installation.process(role).pid !== before.pid && !isAlive(before.pid));
    }
    const { answers, failures } = await load.stop();
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(100);
  });

  test('merges the metrics of all processes', async () => {
    await installation.start();
    await eventually(async () => /^fake_processes 2$/m.test(await metrics()));
  });

  /** How many processes the merged metrics speak of, and how often they were read. */
  async function read() {
    const text = await metrics();
    const [processes, reads] = ['fake_processes', 'fake_reads_total'].map((name) =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]),
    );
    return { processes, reads };
  }
  const readsOf = (seen: Awaited<ReturnType<typeof read>>[]) => seen.map(({ reads }) => Number(reads));

  test('what a process that ended had counted stays in the metrics, and its gauges go', async () => {
    await installation.start();
    await eventually(async () => (await read()).processes === 2);
    const seen = [await read()];
    const { pid } = installation.process('app-1');
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      seen.push(await read());
      return installation.process('app-1').pid !== pid && seen.at(-1)?.processes === 2;
    });
    expect(readsOf(seen)).toEqual(readsOf(seen).toSorted((a, b) => a - b));
  });

  test('a process that hangs stands in the metrics as it last was: no counter falls', async () => {
    await installation.start();
    await eventually(async () => (await read()).processes === 2);
    const { pid } = installation.process('app-1');
    const seen = [await read()];
    process.kill(pid, 'SIGSTOP');
    try {
      // A busy machine stops a process a moment after the signal; from then on a scrape reads one process.
      await eventually(async () => {
        seen.push(await read());
        const [before, last] = seen.slice(-2).map(({ reads = Number.NaN }) => reads);
        return Number(last) - Number(before) === 1;
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(seen.map(({ processes }) => processes)).toEqual(seen.map(() => 2));
    expect(readsOf(seen)).toEqual(readsOf(seen).toSorted((a, b) => a - b));
  });

  test('SIGTERM and SIGINT to the launcher end everything with code 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const program = await installation.start();
      const pids = installation.processes().map(({ pid }) => pid);
      program.child.kill(signal);
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(pids.filter(isAlive)).toEqual([]);
      expect(installation.processes()).toEqual([]);
    }
  });

  test('requests that are under way when the launcher is stopped are answered', async () => {
    const program = await installation.start();
    const slow = get(installation.process('app-1').port, '/slow');
    await new Promise((done) => setImmediate(done));
    program.child.kill('SIGTERM');
    expect(JSON.parse(await slow).role).toMatch(/^app-/);
    expect((await program.ended).code).toBe(0);
  });

  test('ports that were picked are the same after a new start', async () => {
    const first = await installation.start();
    const port = installation.process('app-1').port;
    first.child.kill('SIGTERM');
    await first.ended;
    await installation.start();
    expect(installation.process('app-1').port).toBe(port);
  });
});

test('the split shape gives each role a process of its own, workers without a port', async () => {
  await installation.start({ args: ['--split'] });
  const ports = Object.fromEntries(installation.processes().map(({ role, port }) => [role, port]));
  expect(Object.keys(ports)).toEqual([
    'launcher',
    ...domainNames.map((name) => `subgraph-${name}`),
    'authorization',
    ...['rest-facade', 'gateway'].flatMap((name) => [`${name}-1`, `${name}-2`]),
    'pages',
    ...['outbox', 'callback', 'janitor', 'journal'].flatMap((kind) => [`worker-${kind}-1`, `worker-${kind}-2`]),
  ]);
  expect(ports['worker-outbox-1']).toBeNull();
  expect(ports['rest-facade-1']).toBe(ports['rest-facade-2']);
  expect(JSON.parse(await get(ports['subgraph-access'] ?? null, '/')).roles).toBe('subgraph:access');
});

describe('databases that the launcher brings', () => {
  const own = { env: { MONGODB_URI: '', REDIS_URL: '' } };

  test('are listed, restarted after a kill, kept over restarts and stopped after the application', async () => {
    const program = await installation.start(own);
    expect(installation.processes().map(({ role }) => role)).toEqual([
      'launcher',
      'mongod',
      'redis-server',
      'app-1',
      'app-2',
    ]);
    for (const role of ['mongod', 'redis-server']) {
      const before = installation.process(role);
      process.kill(before.pid, 'SIGKILL');
      const after = await eventually(() =>
        installation.processes().find((entry) => entry.role === role && entry.pid !== before.pid),
      );
      expect(after.port).toBe(before.port);
    }
    const [mongod, app] = [installation.process('mongod').pid, installation.process('app-1').pid];
    program.child.kill('SIGTERM');
    await eventually(() => !isAlive(app) || program.child.exitCode !== null);
    expect((await program.ended).code).toBe(0);
    expect(isAlive(mongod)).toBe(false);
  });

  test('that a killed launcher left running are cleared away by the next start, and by stop', async () => {
    const first = await installation.start(own);
    const mongod = installation.process('mongod').pid;
    first.child.kill('SIGKILL');
    await first.ended;
    expect(isAlive(mongod)).toBe(true);
    const second = await installation.start(own);
    expect(second.output()).toContain('Ended mongod, which an earlier start had left running.');
    const left = installation.process('mongod').pid;
    second.child.kill('SIGKILL');
    await second.ended;
    const stop = installation.run('stop');
    expect((await stop.ended).code).toBe(0);
    expect(stop.output()).toMatch(/^Stopped .*mongod.*redis-server/);
    expect(isAlive(left)).toBe(false);
  });
});

describe('what an operator sets, and what goes wrong on the machine', () => {
  test('a setting whose value lies in a file reaches the processes', async () => {
    const path = join(installation.dataDir, 'password');
    writeFileSync(path, 'smtp://mail.example:587\n');
    await installation.start({ env: { SMTP_URL_FILE: path, MAIL_FROM: 'Payments <pay@example.com>' } });
    const told = readFileSync(`/proc/${installation.process('app-1').pid}/environ`, 'utf8').split('\0');
    expect(told.filter((each) => /^(SMTP|MAIL)_/.test(each)).sort()).toEqual([
      'MAIL_FROM=Payments <pay@example.com>',
      'SMTP_URL=smtp://mail.example:587',
    ]);
  });

  test('a log that cannot be written is said, and ends nothing', async () => {
    const logs = join(installation.dataDir, 'logs');
    mkdirSync(logs);
    for (const role of ['app-1', 'app-2']) symlinkSync('/dev/full', join(logs, `${role}.log`));
    const program = await installation.start();
    const { port } = installation.process('app-1');
    await eventually(async () => {
      await get(port, '/say');
      return /^app-\d: its log cannot be written, lines are lost: ENOSPC/m.test(program.errors());
    });
    expect(JSON.parse(await get(port, '/')).role).toMatch(/^app-[12]$/);
    expect(program.child.exitCode).toBeNull();
  });

  const hanging = { NODE_FAKE_DRAIN: 'hang', SHUTDOWN_TIMEOUT_MS: '500' };

  test('a stop that hangs is cut in its time, without a launcher', async () => {
    const [port = 0] = await freePorts(1);
    const own = { ROLES: 'rest-facade', REST_PORT: String(port), HOST: '127.0.0.1' };
    const program = installation.run('process', { env: { ...hanging, ...own } });
    await eventually(() => get(port, '/'));
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.errors()).toBe('The orderly stop took longer than 500 ms (SHUTDOWN_TIMEOUT_MS): it is cut.\n');
  });

  test('a process whose successor serves is killed when it does not end', async () => {
    await installation.start({ env: hanging });
    const before = installation.process('app-1');
    process.kill(before.pid, 'SIGTERM');
    await eventually(() => installation.process('app-1').pid !== before.pid && !isAlive(before.pid));
  });
});

/** A zombie, which a container's first process may leave lying about, is not alive. */
const isAlive = (pid: number) => commandOf(pid) !== '';

function get(port: number | null, path: string, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Eight keep-alive clients that ask again as soon as they are answered. */
function startLoad(port: number | null) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const failures: string[] = [];
  let answers = 0;
  let isStopped = false;
  const client = async () => {
    while (!isStopped) {
      await get(port, '/', agent).then(
        () => {
          answers += 1;
        },
        (error: Error) => failures.push(error.message),
      );
      await new Promise((done) => setImmediate(done));
    }
  };
  const clients = Array.from({ length: 8 }, client);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(clients);
      agent.destroy();
      return { answers, failures };
    },
  };
}
