// What an earlier start compiled serves the next one, also where the application sets flags of the runtime for itself.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { wrap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../support/built';
import { eventually } from '../support/stores';

/** Sets the flag that documents of the graph need, and stays; it speaks when warnings of the start have been printed. */
const application = `
  require('node:v8').setFlagsFromString('--no-compilation-cache');
  setImmediate(() => console.log('runs'));
  setInterval(() => undefined, 1000);
`;

const folder = mkdtempSync(join(tmpdir(), 'cached-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kept = () => readdirSync(folder).filter((name) => name.endsWith('.compiled'));

/** Starts the application until `isDone`; resolves with what it complained of. */
async function start(
  isDone: (printed: string) => boolean,
  { flags = [], role = 'app-1' }: { flags?: string[]; role?: string } = {},
): Promise<string> {
  const child = spawn(process.execPath, [...flags, join(folder, 'process.js')], {
    env: { ...process.env, NODE_OPTIONS: '', ROLE_NAME: role },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const closed = new Promise((done) => child.once('close', done));
  await eventually(() => isDone(printed), { timeoutMs: 120_000 });
  child.kill('SIGKILL');
  await closed;
  return complaints;
}

it('is taken by the next start, and a refusal is told', async () => {
  copyFileSync(built('process.js'), join(folder, 'process.js'));
  writeFileSync(join(folder, 'application.js'), wrap(application));
  expect(await start(() => kept().length === 1)).toBe('');
  expect(await start((printed) => printed.includes('runs'))).toBe('');
  const [name = ''] = kept();
  writeFileSync(join(folder, name), 'no compiled code at all');
  expect(await start((printed) => printed.includes('runs'))).toMatch(/was refused, so this start compiles everything/);
});

it('gives back what the start left behind, once the process rests', async () => {
  copyFileSync(built('process.js'), join(folder, 'process.js'));
  const leaving = `
    global.registry = new FinalizationRegistry(() => console.log('collected'));
    (() => global.registry.register({}, ''))();
    setInterval(() => undefined, 1000);
  `;
  writeFileSync(join(folder, 'application.js'), wrap(leaving));
  expect(await start((printed) => printed.includes('collected'))).toBe('');
});

it('optimizes nothing before it has started, and what is hot from then on', async () => {
  copyFileSync(built('process.js'), join(folder, 'process.js'));
  const busy = `
    const hot = (count) => { let sum = 0; for (let i = 0; i < count; i++) sum += i % 7; return sum; };
    const work = () => { for (let i = 0; i < 100; i++) hot(10_000); };
    work();
    module.exports.started = new Promise((resolve) => setTimeout(() => { work(); console.log('has started'); resolve(); }, 50));
    setInterval(work, 10);
  `;
  writeFileSync(join(folder, 'application.js'), wrap(busy));
  let all = '';
  const isOptimized = (printed: string) => {
    all = printed;
    return /completed optimizing .*hot/.test(printed);
  };
  // One that keeps no compiled code for others.
  expect(await start(isOptimized, { flags: ['--trace-opt'], role: 'app-2' })).toBe('');
  expect(all.split('has started')[0]).not.toMatch(/optimizing/);
});
