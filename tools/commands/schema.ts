// `npm run schema [-- --check | --release]`: prints the contracts and plans under schema/, compares them, or keeps what a release promises, the OpenAPI files too.
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSchemaCommand } from '../print';
import { keepReleased } from '../released';

async function run(): Promise<number> {
  const folder = join(process.cwd(), 'schema');
  const code = await runSchemaCommand(folder, process.argv.includes('--check'));
  if (process.argv.includes('--release')) {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    keepReleased(process.cwd(), version);
  }
  return code;
}

run().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
