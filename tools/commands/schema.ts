// `npm run schema [-- --check]`: prints the contracts and plans under schema/, or compares them.
import 'reflect-metadata';
import { join } from 'node:path';
import { runSchemaCommand } from '../print';

runSchemaCommand(join(process.cwd(), 'schema'), process.argv.includes('--check')).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
