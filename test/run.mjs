// `npm test`: the same preparation as `npm start`, then style, types, contract drift and every test, on databases of its own; `npm run check` (`--check`) leaves out what needs a whole program.
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findChromium } from '../tools/chromium.mjs';
import { PrepareFailure, prepare, root } from '../tools/prepare.mjs';
import { compilerPath, projects } from '../tools/types.mjs';
import { shareDatabases } from './databases.mjs';
import { findHiveGateway } from './hive-gateway.mjs';
import { findSchemathesis } from './schemathesis.mjs';

/** Where what a failure leaves for people stays. */
const keptIn = tmpdir();
const folder = mkdtempSync(join(keptIn, 'test-run-'));
const cacheDir = process.env.CACHE_DIR || join(root, '.data/cache');
const bin = (name) => join(root, 'node_modules/.bin', name);
/** Where test files that bring a program of their own leave its logs. */
const logs = join(folder, 'logs');
/** Journeys through the processes of the spread-out shape, run in both; `TOPOLOGY=split npm test -- test/` runs any others in that one. */
const bothShapes = [
  'audit',
  'card-token',
  'checkout',
  'environment',
  'merchant-life',
  'money-races',
  'notification',
  'operation-events',
  'payment-service',
].map((name) => `test/journeys/${name}.test`);
/** Of the spread-out shape alone: there it has the program that the journeys have. */
const foreignGateway = 'test/app/hive-gateway.test';
/** Each with a program of its own. */
const proofs = 'test/faults/';
/** House rules, pure decisions and stores: what needs no program that runs. */
const withoutProgram = [
  'tidy',
  'access',
  'merchants',
  'notifications',
  'onboarding',
  'payments',
  'reporting',
  'rest-facade',
  'rights',
  'shared',
  'tokenization',
  'workers',
].map((folder) => `test/${folder}`);
/** Of those, `npm run check` runs the files that read something that has changed since they passed; what it is told by name it runs. */
const reporters = ['--reporters=default', `--reporters=${join(root, 'test/jest/passed-reporter.cjs')}`, '--'];
const whatChanged = ['--passWithNoTests', `--filter=${join(root, 'test/jest/passed.cjs')}`];
/** A whole run is told of by files: told of ten thousand tests one by one, jest's reporter would go through them all with each. */
const byFile = [join(root, 'test/jest/by-file.cjs'), 'summary'].map((name) => `--reporters=${name}`);
const started = [];
let passed = 0;
let failed = 0;

async function main() {
  // The temporary folder of all that it starts: nothing of it outlives the run.
  process.env.KEPT_IN = keptIn;
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  await prepare();
  // What was installed and built goes to the disk now: a database that commits behind it would wait for seconds.
  spawnSync('sync');
  mkdirSync(cacheDir, { recursive: true });
  const env = {
    ...process.env,
    BUILD_IS_CURRENT: 'yes',
    CACHE_DIR: cacheDir,
    CHROMIUM_PATH: findChromium(),
    HIVE_GATEWAY: findHiveGateway(cacheDir),
    SCHEMATHESIS: findSchemathesis(cacheDir),
    NODE_ENV: 'test',
    TEST_LOGS: logs,
    // For the programs that many files share; a file that wants its own asks for them.
    ...(await startDatabases()).addresses,
    DATABASES_URL: await shareDatabases(startDatabases),
  };
  const checks = Promise.all([
    check('style', bin('biome'), ['check', '.'], env),
    checkTypes(env),
    check('typed documents', process.execPath, [join(root, 'tools/documents.mjs'), '--check'], env),
    check('printed contracts', process.execPath, [join(root, 'dist/schema.js'), '--check'], env),
  ]);
  const chosen = process.argv.slice(2);
  if (chosen[0] === '--check') {
    const named = chosen.slice(1);
    const paths = named.length > 0 ? [...reporters, ...named] : [...whatChanged, ...reporters, ...withoutProgram];
    await Promise.all([checks, tests('stores', paths, { ...env, REMEMBER_PASSED: 'yes' })]);
    return;
  }
  const { TOPOLOGY } = process.env;
  const isWhole = chosen.length === 0 && TOPOLOGY === undefined;
  // Each has the processor while the others wait for a process, a database or a clock.
  await Promise.all([
    checks,
    testsInShape(
      TOPOLOGY ?? 'embedded',
      isWhole
        ? ['--maxWorkers=3', ...byFile, ...[proofs, foreignGateway].map((path) => `--testPathIgnorePatterns=${path}`)]
        : chosen,
      env,
    ),
    isWhole && testsOneByOne(env),
  ]);
}

/** What brings many processes, or kills its own: never two of them at a time, whose processes would wait for each other. */
async function testsOneByOne(env) {
  await testsInShape('split', ['--runInBand', ...bothShapes, foreignGateway], env);
  await tests('proofs', ['--runInBand', proofs], env);
}

/** A program of that shape for as long as its tests run. */
async function testsInShape(topology, paths, given) {
  const env = topology === 'split' ? { ...given, ...foreignGatewayKeys() } : given;
  const { program, world } = await startWorld(topology, env);
  await tests(topology, paths, world);
  await stopProgram(program);
}

/** A pair for a gateway that is not ours, which the subgraphs of the spread-out shape believe beside their own. */
function foreignGatewayKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
    publicKeyEncoding: { format: 'der', type: 'spki' },
  });
  return {
    FOREIGN_GATEWAY_KEY: privateKey.toString('base64'),
    INTERNAL_PUBLIC_KEYS: JSON.stringify({ gateway: publicKey.toString('base64') }),
  };
}

/** Servers of the run's own: data in the temporary folder, binaries from the shared cache. */
async function startDatabases() {
  const dataDir = mkdtempSync(join(folder, 'databases-'));
  const env = { ...process.env, DATA_DIR: dataDir, CACHE_DIR: cacheDir };
  const { program, text } = await startProgram([join(root, 'dist/databases.js'), '--with-parent'], env);
  const value = (name) => new RegExp(`${name}='([^']*)'`).exec(text)?.[1];
  const stop = async () => {
    await stopProgram(program);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { addresses: { MONGODB_URI: value('MONGODB_URI'), REDIS_URL: value('REDIS_URL') }, stop };
}

/** One whole program that the tests of a topology share. */
async function startWorld(topology, env) {
  const dataDir = join(folder, topology);
  const roles = ['REST', 'AUTH', 'GRAPH', 'METRICS', 'PAY', 'SHOP', 'ACS'];
  const ports = Object.fromEntries(roles.map((role) => [`${role}_PORT`, '0']));
  const database = env.MONGODB_URI.replace(/(:\d+\/)[^?]*/, `$1world_${topology}`);
  const redis = env.REDIS_URL.replace(/\/\d+$/, topology === 'split' ? '/4095' : '/4094');
  const args = [join(root, 'dist/launcher.js'), ...(topology === 'split' ? ['--split'] : [])];
  const { program } = await startProgram(args, {
    ...env,
    ...ports,
    DATA_DIR: dataDir,
    MONGODB_URI: database,
    REDIS_URL: redis,
  });
  return { program, world: { ...env, TOPOLOGY: topology, WORLD_DATA_DIR: dataDir } };
}

/** Runs the tests at `paths`; `env` says which databases and which program they find. */
async function tests(name, paths, env) {
  const results = join(folder, `${name}.json`);
  const code = await run(bin('jest'), ['--json', `--outputFile=${results}`, ...paths], env);
  const result = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : undefined;
  // A file that cannot even be loaded has no tests of its own to count.
  const broken = result ? result.numRuntimeErrorTestSuites : 1;
  passed += result?.numPassedTests ?? 0;
  failed += (result?.numFailedTests ?? 0) + broken;
  if (code !== 0 && (result?.numFailedTests ?? 0) + broken === 0) failed += 1;
  const files = (result?.testResults ?? []).filter(({ status }) => status === 'failed').map((each) => each.name);
  if (files.length > 0)
    console.log(
      howToRepeat(
        name,
        files.map((file) => relative(root, file)),
      ),
    );
}

/** What a failure leaves behind: the logs of the run's programs, and the command that runs the failed files again. */
function howToRepeat(name, files) {
  const kept = mkdtempSync(join(keptIn, 'test-logs-'));
  for (const from of [logs, join(folder, name, 'logs')]) if (existsSync(from)) cpSync(from, kept, { recursive: true });
  const { PROPERTY_SEED } = process.env;
  const draws = PROPERTY_SEED ? `PROPERTY_SEED=${PROPERTY_SEED} ` : '';
  const shape = name === 'split' ? 'TOPOLOGY=split ' : '';
  return `Logs of the programs: ${kept}\nAgain: ${draws}${shape}npm test -- ${files.join(' ')}`;
}

/** What the compiler found out about each file stays in this checkout: only what changed, and what depends on it, is checked anew. */
const known = (project) => [
  '--tsBuildInfoFile',
  join(root, '.data/types', `${project === '.' ? 'all' : project.replaceAll('/', '-')}.json`),
];

/** One after the other: each takes a core. */
async function checkTypes(env) {
  for (const project of projects)
    await check(
      `types of ${project}`,
      compilerPath(),
      ['--noEmit', '-p', project, '--incremental', ...known(project)],
      env,
    );
}

async function check(name, command, args, env) {
  const code = await run(command, args, env);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${name}`);
  if (code === 0) passed += 1;
  else failed += 1;
}

function run(command, args, env) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    started.push(child);
    child.once('error', (error) => {
      console.error(error.message);
      done(1);
    });
    child.once('exit', (code) => done(code ?? 1));
  });
}

/** Starts a program of ours and resolves with it and what it printed once `ready` stands alone on a line. */
function startProgram(args, env) {
  return new Promise((done, refuse) => {
    const program = spawn(process.execPath, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
    started.push(program);
    let text = '';
    let errors = '';
    program.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    program.stdout.on('data', (chunk) => {
      text += chunk;
      if (/^ready$/m.test(text)) done({ program, text });
    });
    program.once('exit', () =>
      refuse(new PrepareFailure(errors.trim() || 'A program of the test run ended before it was ready.')),
    );
  });
}

function stopProgram(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((done) => {
    child.once('exit', done);
    child.kill('SIGTERM');
  });
}

async function end(code) {
  for (const child of started.reverse()) await stopProgram(child);
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end(130));
main().then(
  async () => {
    console.log(`${passed} passed, ${failed} failed`);
    await end(failed === 0 && passed > 0 ? 0 : 1);
  },
  async (error) => {
    console.error(error instanceof PrepareFailure ? error.message : `The test run failed unexpectedly: ${error.stack}`);
    await end(1);
  },
);
