// `npm run types`: every TypeScript project of the tree by its own settings, or those that are named.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = resolve(fileURLToPath(import.meta.url), '../..');

/** The native compiler, once packages are installed; `typescript` itself is there for its parser, which the native one does not offer. */
export const compilerPath = () => join(dirname(require.resolve('typescript-native/package.json')), 'bin/tsc');

export const projects = ['.', 'tsconfig.scripts.json', 'pages/browser', 'gateway/graphiql', 'dashboard'];

function check(project) {
  const { status } = spawnSync(process.execPath, [compilerPath(), '--noEmit', '-p', project], {
    cwd: root,
    stdio: 'inherit',
  });
  return status === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  const wrong = (named.length > 0 ? named : projects).filter((project) => !check(project));
  if (wrong.length > 0) {
    console.error(`Types are wrong in: ${wrong.join(', ')}`);
    process.exitCode = 1;
  }
}
