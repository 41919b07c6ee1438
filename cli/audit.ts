// `pay audit verify`: hands over to the operators' program beside this one, which reads the database itself; what the platform says of itself would prove nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandFailure, exitCodes } from './failure';

interface VerifyOptions {
  expect?: string;
  wait?: string;
}

const about = `Reads the whole audit: each record's hash, each link of the chain, the signed head of each day, and that no record stands beside the chain.
MONGODB_URI and AUDIT_PUBLIC_KEYS name database and keys; without them it is the installation of DATA_DIR.

Exit codes: 0 the audit holds, 1 it does not (the first fault is named), 2 it could not be read.`;

export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('verify the audit')
    .command('verify')
    .description('verify that no record of the audit was altered, removed, inserted or moved')
    .option('--expect <end>', 'the end that an earlier verification printed must still be in the chain')
    .option('--wait <seconds>', 'how long a record may wait for its place in the chain (default: 10)')
    .addHelpText('after', `\n${about}`)
    .action(async ({ expect, wait }: VerifyOptions, command: Command) => {
      const { json } = command.optsWithGlobals<{ json: boolean }>();
      const args = [
        ...(expect ? ['--expect', expect] : []),
        ...(wait ? ['--wait', wait] : []),
        ...(json ? ['--json'] : []),
      ];
      const child = spawn(process.execPath, [join(__dirname, '../audit.js'), ...args], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code === 0) return;
      throw new CommandFailure(code === 1 ? exitCodes.failed : exitCodes.usage, 'the audit was not found to hold.');
    });
}
