// `npm run reset`: deletes this installation's data after asking; fetched database servers stay.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { failureSentence, StartFailure } from '../../app/failure';
import { clearLeftovers, lockHolderOf } from '../../app/launcher/single-start';
import { readConfig } from '../../subgraphs/shared/config';

/** Everything that a start writes into DATA_DIR, besides the cache; nothing else in the folder is touched. */
const ours = /^(?:mongod|redis|logs|.*\.json|launcher\.pid)$/;

async function reset(): Promise<void> {
  const dataDir = resolve(readConfig(process.env).DATA_DIR);
  const launcher = lockHolderOf(dataDir);
  if (launcher !== undefined) {
    throw new StartFailure(
      `A start is running in ${dataDir} (process ${launcher}): stop it first with "npm run stop".`,
    );
  }
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => ours.test(name)) : [];
  if (names.length === 0) return void process.stdout.write(`${dataDir} has no data.\n`);
  if (!process.argv.includes('--yes') && !(await agreed(dataDir)))
    return void process.stdout.write('Nothing was deleted.\n');
  await clearLeftovers(dataDir);
  for (const name of names) rmSync(join(dataDir, name), { recursive: true, force: true });
  process.stdout.write(`The data in ${dataDir} is deleted.\n`);
}

async function agreed(dataDir: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new StartFailure('There is no terminal to ask on: run "npm run reset -- --yes" to delete without asking.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Delete all databases, keys and credentials in ${dataDir}? (yes/no) `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}

reset().catch((error: unknown) => {
  process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
  process.exit(1);
});
