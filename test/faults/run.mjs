// `npm run proof -- <name|all> [--size <part of the full size>|smoke] [--seed <n>] [--minutes <n>]`: one proof on databases of its own; a success is recorded in docs/proof.md.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PrepareFailure, prepare, root } from '../../tools/prepare.mjs';
import { findSchemathesis } from '../schemathesis.mjs';
import { recorded } from './runs-table.mjs';

/** Every proof and the test file that holds it. */
const files = {
  kills: 'test/faults/kills.test.ts',
  'kills-split': 'test/faults/kills.test.ts',
  'order-kills': 'test/faults/kills.test.ts',
  'order-kills-split': 'test/faults/kills.test.ts',
  'leader-kills': 'test/faults/leader-kills.test.ts',
  'leader-kills-split': 'test/faults/leader-kills.test.ts',
  resize: 'test/faults/resize.test.ts',
  'resize-split': 'test/faults/resize.test.ts',
  'redis-flush': 'test/faults/redis-flush.test.ts',
  'idempotency-kill': 'test/faults/idempotency-kill.test.ts',
  outage: 'test/faults/outage.test.ts',
  rolling: 'test/faults/rolling.test.ts',
  'rolling-split': 'test/faults/rolling.test.ts',
  canary: 'test/faults/canary.test.ts',
  'canary-split': 'test/faults/canary.test.ts',
  floods: 'test/faults/floods.test.ts',
  proxy: 'test/faults/proxy.test.ts',
  'stress-callbacks': 'test/faults/stress-callbacks.test.ts',
  revocation: 'test/faults/revocation.test.ts',
  rollover: 'test/faults/rollover.test.ts',
  'payments-model': 'test/faults/payments-model.test.ts',
  'money-races': 'test/faults/money-races.test.ts',
  'payment-kills': 'test/faults/payment-kills.test.ts',
  'payment-kills-split': 'test/faults/payment-kills.test.ts',
  'approval-kills': 'test/faults/approval-kills.test.ts',
  'approval-kills-split': 'test/faults/approval-kills.test.ts',
  'settlement-kills': 'test/faults/settlement-kills.test.ts',
  'night-kills': 'test/faults/settlement-kills.test.ts',
  freeze: 'test/faults/freeze.test.ts',
  'freeze-split': 'test/faults/freeze.test.ts',
  'jwe-mutations': 'test/tokenization/jwe-mutations.test.ts',
  schemathesis: 'test/rest/schemathesis.test.ts',
  'contract-fuzz': 'test/rest/contract-fuzz.test.ts',
  'plan-fuzz': 'test/gateway/differential.test.ts',
  'federation-audit': 'test/gateway/differential.test.ts',
  'federation-audit-http': 'test/gateway/differential.test.ts',
  'graph-fuzz': 'test/gateway/graph-fuzz.test.ts',
  'jwe-timing': 'test/tokenization/jwe-timing.test.ts',
};
const folder = mkdtempSync(join(tmpdir(), 'proof-'));
const document = join(root, 'docs/proof.md');
const cacheDir = process.env.CACHE_DIR || join(root, '.data/cache');

/** Its checkout is the user's. */
const isAudit = (name) => name.startsWith('federation-audit');
const isRunnable = (name) => !isAudit(name) || Boolean(process.env.FEDERATION_AUDIT);

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: '1' }, seed: { type: 'string' }, minutes: { type: 'string' } },
  });
  const [chosen = ''] = positionals;
  const names = chosen === 'all' ? Object.keys(files).filter(isRunnable) : [chosen];
  if (!names.every((name) => Object.hasOwn(files, name)))
    throw new PrepareFailure(`There is no proof ${chosen}: choose all or one of ${Object.keys(files).join(', ')}.`);
  if (values.size !== 'smoke' && !(Number(values.size) > 0))
    throw new PrepareFailure('--size is a part of the full size, such as 0.1, or smoke.');
  if (values.minutes !== undefined && !(Number(values.minutes) > 0))
    throw new PrepareFailure('--minutes is how long a proof that counts rounds begins new ones.');
  if (isAudit(chosen) && !process.env.FEDERATION_AUDIT)
    throw new PrepareFailure('FEDERATION_AUDIT is the folder of a checkout of graphql-hive/federation-gateway-audit.');
  await prepare();
  const databases = await startDatabases();
  let failed = 0;
  try {
    for (const name of names) failed += (await prove(name, values, databases.env)) ? 0 : 1;
  } finally {
    await stop(databases.child);
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = failed === 0 ? 0 : 1;
}

async function prove(name, { size, seed, minutes }, env) {
  const record = join(folder, `${name}.jsonl`);
  const jest = [join(root, 'node_modules/.bin/jest'), files[name], '-t', `^${name} `];
  const sized = size === 'smoke' ? {} : { PROOF_SIZE: size };
  const sown = seed ? { PROOF_SEED: seed } : {};
  const timed = minutes ? { PROOF_MINUTES: minutes } : {};
  const tools = name === 'schemathesis' ? { SCHEMATHESIS: findSchemathesis(cacheDir) } : {};
  const child = spawn(process.execPath, jest, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...env,
      ...tools,
      ...sized,
      ...timed,
      ...sown,
      BUILD_IS_CURRENT: 'yes',
      PROOF_RECORD: record,
    },
  });
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0 || !existsSync(record)) return false;
  const run = JSON.parse(readFileSync(record, 'utf8').trim().split('\n').at(-1));
  writeFileSync(document, recorded(readFileSync(document, 'utf8'), run, new Date().toISOString().slice(0, 10)));
  return true;
}

async function startDatabases() {
  const child = spawn(process.execPath, [join(root, 'dist/databases.js'), '--with-parent'], {
    env: {
      ...process.env,
      DATA_DIR: join(folder, 'databases'),
      CACHE_DIR: cacheDir,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const text = await new Promise((done, refuse) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (/^ready$/m.test(printed)) done(printed);
    });
    child.once('exit', () => refuse(new PrepareFailure('The databases of the proof ended before they were ready.')));
  });
  const value = (name) => new RegExp(`${name}='([^']*)'`).exec(text)?.[1];
  return { child, env: { MONGODB_URI: value('MONGODB_URI'), REDIS_URL: value('REDIS_URL') } };
}

async function stop(child) {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

main().catch((error) => {
  console.error(error instanceof PrepareFailure ? error.message : `The proof failed unexpectedly: ${error.stack}`);
  process.exit(1);
});
