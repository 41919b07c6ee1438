// What both commands do first: the right Node, the locked dependencies, a build that matches the sources.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const lock = join(root, '.prepare.lock');
const stamp = join(root, 'dist/.stamp');
const lockMsMax = 15 * 60_000;

/** A thing that the user can put right: its message is shown as it is, without a stack trace. */
export class PrepareFailure extends Error {}

/** Installs and builds what is missing or stale; only one process of this folder does it at a time. */
export async function prepare() {
  checkNode(process.versions.node);
  if (dependenciesAreCurrent(root) && staleParts(await hashes()).length === 0) return;
  await withLock(async () => {
    if (!dependenciesAreCurrent(root)) install();
    await buildWhatIsStale();
  });
}

/** The same for a few entry points alone, always built anew. */
export async function prepareOnly(names) {
  checkNode(process.versions.node);
  await withLock(async () => {
    if (!dependenciesAreCurrent(root)) install();
    buildApart(['--entries', ...names]);
  });
}

/** Throws a PrepareFailure for a Node older than 20.19. */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PrepareFailure(
    `Node ${version} is too old: this program needs Node 20.19 or newer, so install one and start again.`,
  );
}

/** True when every package of the lock file is there in its version; a half-way install has no list of what it installed. */
export function dependenciesAreCurrent(folder) {
  const installed = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages;
  const locked = readJson(join(folder, 'package-lock.json'))?.packages;
  if (!installed || !locked) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const present = installed[path];
    if (!present) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return present.version === wanted.version && existsSync(join(folder, path, 'package.json'));
  });
}

function install() {
  // What a script prints may be on its way into a file.
  console.error('Installing the locked dependencies...');
  const npm = process.env['npm_execpath'];
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const args = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = spawnSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (run.status === 0) return;
  const reason =
    run.error?.message ??
    run.stderr.split('\n').find((line) => /npm (error|ERR!) (?!code|errno|A complete)/.test(line)) ??
    `exit code ${run.status}`;
  throw new PrepareFailure(
    `The dependencies could not be installed (${reason.replace(/^npm (error|ERR!) /, '')}): check that npm reaches its registry (npm config get registry), then start again.`,
  );
}

async function buildWhatIsStale() {
  const wanted = await hashes();
  const stale = staleParts(wanted);
  if (stale.length === 0) return;
  console.error('Building...');
  const built = builtParts();
  for (const part of stale) delete built[part];
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify(built));
  buildApart(stale);
  writeFileSync(stamp, JSON.stringify({ ...built, ...wanted }));
}

const hashes = async () => (await import('./build.mjs')).sourceHashes();

/** The parts of dist/ that were not built from the sources as they are. */
function staleParts(wanted) {
  const built = existsSync(join(root, 'dist/launcher.js')) ? builtParts() : {};
  return Object.keys(wanted).filter((part) => built[part] !== wanted[part]);
}

function builtParts() {
  return readJson(stamp) ?? {};
}

/** In a process of its own, which gives back the gigabyte that bundling takes. */
function buildApart(names) {
  const run = spawnSync(process.execPath, [join(root, 'tools/build.mjs'), ...names], {
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  if (run.status !== 0)
    throw new PrepareFailure(run.stderr.trim() || `The build ended with ${run.signal ?? run.status}.`);
}

async function withLock(work) {
  const until = Date.now() + lockMsMax;
  while (!takeLock()) {
    if (Date.now() > until)
      throw new PrepareFailure(
        `Another start holds ${lock} for more than 15 minutes: if none is running, delete that folder and start again.`,
      );
    await new Promise((done) => setTimeout(done, 200));
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

function takeLock() {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST')
      throw new PrepareFailure(
        `${root} cannot be written to (${error.code}): give this user write access and start again.`,
      );
    if (lockIsStale()) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function lockIsStale() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'ESRCH') return true;
    // The holder has made the folder and not yet written its number, or died between the two.
    return error.code === 'ENOENT' && existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 5_000;
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

// `npm run build`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prepare().catch((error) => {
    console.error(error instanceof PrepareFailure ? error.message : `The build failed unexpectedly: ${error.message}`);
    process.exit(1);
  });
}
