// `npm run fuzz:rest`: the two fuzzers of the REST contract at full size (FUZZ_RUNS per operation, 2000 unless set), with new draws in each run unless PROPERTY_SEED says which.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../deploy/prepare.mjs';

const tests = ['test/rest/schemathesis.test.ts', 'test/rest/contract-fuzz.test.ts'];
const { FUZZ_RUNS = '2000', PROPERTY_SEED = 'random' } = process.env;
const env = { ...process.env, FUZZ_RUNS, PROPERTY_SEED };
process.exitCode =
  spawnSync(process.execPath, [join(root, 'test/run.mjs'), ...tests], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
