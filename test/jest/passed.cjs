// What each test file read when it last passed, by content: while none of that has changed, `npm run check` need not run it again.
// A file that starts a program of the build, or any process, is run always: what that reads is not known here.
const childProcess = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join, relative, resolve } = require('node:path');

const root = resolve(__dirname, '../..');
const folder = join(root, '.data/passed');
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = fs;
/** What every file of tests depends on: packages, the runner, and what jest and the compiler are told. */
const ofAll = ['package-lock.json', 'jest.config.cjs', ...readdirSync(__dirname).map((name) => `test/jest/${name}`)];
const starts = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'];
const reads = ['createReadStream', 'existsSync', 'openSync', 'readdirSync', 'readFile', 'readFileSync', 'statSync'];

const hashOf = (content) => createHash('sha1').update(content).digest('base64');

/** What stands at a path now, as one short text. */
function printOf(path) {
  try {
    if (statSync(path).isDirectory()) return hashOf(readdirSync(path).sort().join('\n'));
    return hashOf(readFileSync(path));
  } catch {
    return 'absent';
  }
}

const printOfAll = () => hashOf([process.version, ...ofAll.map((path) => printOf(join(root, path)))].join('\n'));
const recordOf = (testPath, ending = 'json') =>
  join(folder, `${relative(root, testPath).replaceAll('/', '-')}.${ending}`);

/** Paths of this checkout that the running file read by itself, with what stood there; null when that cannot be known. */
let seen = null;
let isWatching = false;

function note(path) {
  if (!seen || typeof path !== 'string') return;
  const at = resolve(path);
  const isOurs = at.startsWith(`${root}/`) && !/\/(node_modules|\.data|\.git)(\/|$)/.test(at);
  if (isOurs && !seen.has(at)) seen.set(at, printOf(at));
}

function watchOnce() {
  if (isWatching) return;
  isWatching = true;
  const wrap = (owner, name, before) => {
    const original = owner[name];
    owner[name] = function watched(...given) {
      before(given[0]);
      return original.apply(this, given);
    };
  };
  for (const name of reads) wrap(fs, name, note);
  for (const name of ['open', 'readdir', 'readFile', 'stat']) wrap(fs.promises, name, note);
  for (const name of starts)
    wrap(childProcess, name, () => {
      seen = null;
    });
}

/** Begins to note what a test file reads. */
function begin() {
  watchOnce();
  seen = new Map();
}

/** Writes down what it read; `sources`: what the runtime loaded, by path. It counts once `passed` was told. */
function end(testPath, sources) {
  const found = seen;
  seen = null;
  rmSync(recordOf(testPath), { force: true });
  const isOpen = !found || [...sources.keys()].some((path) => path.endsWith('/test/support/built.ts'));
  if (isOpen) return;
  for (const [path, text] of sources) if (!path.includes('/node_modules/')) found.set(path, hashOf(text));
  mkdirSync(folder, { recursive: true });
  const files = Object.fromEntries([...found].map(([path, print]) => [relative(root, path), print]));
  writeFileSync(recordOf(testPath, 'open'), JSON.stringify({ all: printOfAll(), files }));
}

function passed(testPath) {
  const open = recordOf(testPath, 'open');
  if (existsSync(open)) fs.renameSync(open, recordOf(testPath));
}

/** True when nothing that the file read has changed since it passed. */
function stillHolds(testPath, prints) {
  if (!existsSync(recordOf(testPath))) return false;
  const { all, files } = JSON.parse(readFileSync(recordOf(testPath), 'utf8'));
  const now = (path) => {
    if (!prints.has(path)) prints.set(path, printOf(join(root, path)));
    return prints.get(path);
  };
  return all === printOfAll() && Object.entries(files).every(([path, print]) => now(path) === print);
}

/** jest's filter: the files that have to be run. */
async function filter(testPaths) {
  const prints = new Map();
  const filtered = testPaths.filter((path) => !stillHolds(path, prints));
  console.log(
    `${testPaths.length - filtered.length} of ${testPaths.length} test files read nothing that changed since they passed`,
  );
  return { filtered };
}

/** jest's reporter: a file counts as passed when all of its tests did. */
class PassedReporter {
  onTestFileResult({ path }, { numFailingTests, numPassingTests, testExecError }) {
    if (numFailingTests === 0 && numPassingTests > 0 && !testExecError) passed(path);
    else rmSync(recordOf(path, 'open'), { force: true });
  }
}

module.exports = Object.assign(filter, { begin, end, filter, PassedReporter });
