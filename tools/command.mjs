// Runs one built command: `node tools/command.mjs <name> [arguments]` is dist/<name>.js, prepared first unless it must work on a broken tree.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { helpFor } from './command-help.mjs';
import { PrepareFailure, prepare, prepareOnly, root } from './prepare.mjs';

const [name = ''] = process.argv.splice(2, 1);
const path = join(root, 'dist', `${name}.js`);
const unprepared = ['stop', 'reset'];
/** Makes what the others are built with, so it is built alone. */
const generators = ['schema'];

async function ready() {
  if (generators.includes(name)) return prepareOnly([name]);
  if (!unprepared.includes(name) || !existsSync(path)) await prepare();
  if (!existsSync(path)) throw new PrepareFailure(`There is no command ${name}: see the scripts in package.json.`);
}

const said = helpFor(name, process.argv.slice(2));
if (said) {
  (said.code === 0 ? process.stdout : process.stderr).write(`${said.text}\n`);
  process.exit(said.code);
}

ready().then(
  () => {
    process.chdir(root);
    createRequire(import.meta.url)(path);
  },
  (error) => {
    console.error(
      error instanceof PrepareFailure ? error.message : `The command failed unexpectedly: ${error.message}`,
    );
    process.exit(1);
  },
);
