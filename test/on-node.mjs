// `npm run test:on-node -- 24 [paths of tests]`: the whole test run, or a part of it, on another line of Node, which the registry's package brings.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { arch, platform } from 'node:process';

const root = resolve(import.meta.dirname, '..');
const cacheDir = process.env.CACHE_DIR || join(root, '.data/cache');

/** The newest release of that line, in the cache. Throws when it cannot be had. */
function findNode(line) {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const folder = join(cacheDir, `node-${line}`);
  const program = join(folder, 'package/bin/node');
  if (existsSync(program)) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = spawnSync('npm', ['pack', '--silent', `${name}@${line}`], { cwd: folder, encoding: 'utf8' });
  const archive = packed.stdout?.trim().split('\n').at(-1);
  if (packed.status !== 0 || !archive || spawnSync('tar', ['xzf', archive], { cwd: folder }).status !== 0)
    throw new Error(`Node ${line} could not be fetched as the package ${name}: ${packed.stderr?.trim()}`);
  rmSync(join(folder, archive));
  return program;
}

const [line = '', ...paths] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(line)) {
  console.error('Name a line of Node: npm run test:on-node -- 24 [paths of tests]');
  process.exit(2);
}
try {
  const node = findNode(line);
  console.log(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim());
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const run = spawn(node, [join(root, 'test/run.mjs'), ...paths], { env, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => run.kill(signal));
  run.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
