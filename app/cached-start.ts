// The entry of every application process: application.js with the compiled code of an earlier start (0.53 s of CPU become 0.21 s; Node 20 has no
// module.enableCompileCache). V8 takes none that was compiled under other flags, so a process's own flags are set before it looks. What
// was kept knows no `import()`: the build turns it into `require`. What a start leaves behind is given back once the process rests.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { forgetCompiledSources } from '../gateway/plan/compiled-sources';
import { growUp, optimize, startUnoptimized, stayYoung } from './start-flags';

/** One in each shape of the program. */
const keepers = ['app-1', 'rest-facade-1'];
/** By then the process serves, so that what it compiled for that is kept too. */
const keepAfterMs = 5_000;
/** By then other processes of the installation have started too, and what a start has left can be looked at without taking their time. */
const growUpAfterMs = 10_000;
const ending = '.compiled';

forgetCompiledSources();
stayYoung();
startUnoptimized();
runCached(join(dirname(__filename), 'application.js'));

/** Runs a CommonJS file; compiled code of another build, another Node or another machine is not taken, and made anew. */
function runCached(path: string): void {
  const { size, mtimeMs } = statSync(path);
  const build = `${path}.${size}-${Math.round(mtimeMs)}`;
  // The runtime takes no code that was compiled under other flags, and the two shapes of the program have different ones.
  const kept = `${build}${process.execArgv.join('')}${ending}`;
  const cachedData = readIfThere(kept);
  // The build has wrapped it, and writes ASCII only: a copy of 14 MB less than by wrapping it here.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData,
  });
  if (script.cachedDataRejected) process.emitWarning(`${kept} was refused, so this start compiles everything again`);
  // One process compiles for the others: it costs memory, which they are not to spend each.
  const isKeeper = keepers.includes(process.env['ROLE_NAME'] ?? '');
  const isToBeKept = isKeeper && (!cachedData || script.cachedDataRejected);
  if (isToBeKept) setTimeout(() => keep(script, { path, build, kept }), keepAfterMs).unref();
  setTimeout(growUp, growUpAfterMs).unref();
  const module: { exports: { started?: Promise<void> } } = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  void Promise.resolve(module.exports.started).then(optimize);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** It is taken under the flags of a start alone, so it is made under them. */
function compiledCode(script: Script): Buffer {
  startUnoptimized();
  try {
    return script.createCachedData();
  } finally {
    optimize();
  }
}

/** A folder that cannot be written to costs nothing but the time. */
function keep(script: Script, { path, build, kept }: Record<'path' | 'build' | 'kept', string>): void {
  try {
    const fresh = `${kept}.${process.pid}`;
    writeFileSync(fresh, compiledCode(script));
    renameSync(fresh, kept);
    for (const name of readdirSync(dirname(path))) {
      const other = join(dirname(path), name);
      if (other.startsWith(`${path}.`) && other.endsWith(ending) && !other.startsWith(build))
        rmSync(other, { force: true });
    }
  } catch {
    // Nothing is lost: the next start compiles again.
  }
}
