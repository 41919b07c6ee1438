// `npm run dev`: two databases, the program on them, and a new build and start whenever a source has changed; ends with Ctrl-C.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { sourceFolders } from './build.mjs';
import { PrepareFailure, prepare, root } from './prepare.mjs';

/** An editor that saves several files counts as one change. */
const quietMs = 150;
const dataDir = join(root, '.data/dev');
const started = new Set();
/** What is told to end. */
const stopped = new Set();

/** Starts a program of the build; resolves with what it printed once `ready` stands alone on a line, or with null when it ended before. */
function start(args, env, show) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.add(child);
  const ready = new Promise((done) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      if (show) process.stdout.write(chunk);
      text += chunk;
      if (/^ready$/m.test(text)) done(text);
    });
    child.once('exit', () => {
      started.delete(child);
      done(null);
    });
  });
  return { child, ready };
}

function stop(child) {
  if (!started.has(child)) return undefined;
  return new Promise((done) => {
    child.once('exit', done);
    stopped.add(child);
    child.kill('SIGTERM');
  });
}

/** One build at a time; true when it is there. */
async function build() {
  try {
    await prepare();
    return true;
  } catch (error) {
    console.error(error instanceof PrepareFailure ? error.message : error);
    return false;
  }
}

/** Calls `changed` after a source was written, never twice at once; what is written meanwhile counts for the next time. */
function onChange(changed) {
  let timer;
  let running = Promise.resolve();
  const soon = (_event, file) => {
    if (file?.endsWith('.png')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(changed);
    }, quietMs);
  };
  for (const folder of sourceFolders) watch(join(root, folder), { recursive: true }, soon);
}

/** The program; whoever waits for it is told when it ends by itself. */
function run(env, show) {
  const program = start(['dist/launcher.js'], env, show);
  program.child.once('exit', (code) => {
    if (!stopped.has(program.child))
      console.error(`The program ended with ${code}; its logs are in .data/dev/logs. The next change starts it again.`);
  });
  return program;
}

async function main() {
  if (!(await build())) process.exit(1);
  const databases = start(['dist/databases.js', '--with-parent'], { DATA_DIR: join(dataDir, 'databases') }, false);
  const printed = await databases.ready;
  if (printed === null) process.exit(1);
  const stores = Object.fromEntries(
    [...printed.matchAll(/^export (\w+)='([^']*)'$/gm)].map(([, name, value]) => [name, value]),
  );
  const env = { DATA_DIR: dataDir, ...stores };
  console.log(`For tests in another terminal:\n${printed.replace('\nready\n', '\n')}`);
  let program = run(env, true);
  onChange(async () => {
    const sinceMs = performance.now();
    if (!(await build())) return;
    await stop(program.child);
    program = run(env, false);
    const isReady = (await program.ready) !== null;
    console.log(
      `${isReady ? 'ready again' : 'not ready'} after ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`,
    );
  });
  const end = async () => {
    await stop(program.child);
    await stop(databases.child);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end());
}

void main();
