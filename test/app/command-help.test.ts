// Operator commands explain themselves and refuse wrong options in one line; a DATA_DIR that cannot be made is said at once.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../app/data-files';
import { findMongod } from '../../app/launcher/servers';

const run = (args: string[]) =>
  spawnSync(process.execPath, [resolve(__dirname, '../../tools/command.mjs'), ...args], { encoding: 'utf8' });

const names = ['stop', 'reset', 'databases', 'database', 'schema', 'operator'];

it.each(names)('%s --help says usage, options and exit codes', (name) => {
  const { status, stdout, stderr } = run([name, '--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: npm run [\s\S]*--help[\s\S]*Exit codes: 0 done/);
});

it.each(names)('%s refuses an option that it has not, in one line', (name) => {
  const { status, stdout, stderr } = run([name, '--nothing=secret']);
  expect([status, stdout, stderr]).toEqual([2, '', `${name} has no option --nothing: --help shows what it takes.\n`]);
});

it('operator takes every option and word that its program knows', () => {
  const program = readFileSync(resolve(__dirname, '../../tools/commands/operator.ts'), 'utf8');
  const options = [...program.matchAll(/^ {4}(\w+): \{ type: '/gm)].map(([, name]) => `--${name}`);
  const words = [...program.matchAll(/^ {2}'?([\w-]+)'?: (?!true)\w+,$/gm)].map(([, name = '']) => name);
  const { stdout } = run(['operator', '--help']);
  expect(options.length + words.length).toBeGreaterThan(8);
  expect([...options, ...words].filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(stdout))).toEqual([]);
});

describe('a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'folder-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made with those above it, for this user alone', () => {
    const path = join(folder, 'a/b/c');
    makeFolder(path);
    makeFolder(path);
    expect([statSync(path).mode & 0o777, readdirSync(join(folder, 'a'))]).toEqual([0o700, ['b']]);
  });

  it.each([
    ['below a file', 'file/x'],
    ['below /proc, where no folder is made', '/proc/nothing/x/y'],
  ])('%s is refused at once', (_where, path) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(resolve(folder, path))).toThrow(/E[A-Z]+/);
  });

  it('for fetched servers that cannot be made is refused with what to set', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      const found = findMongod('/proc/nothing/x', () => undefined);
      await expect(found).rejects.toThrow(/^\/proc\/nothing\/x cannot be made \(E[A-Z]+\): set CACHE_DIR/);
    } finally {
      process.env['PATH'] = path;
    }
  });
});
