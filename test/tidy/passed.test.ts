// What `npm run check` remembers of a test file: it is left out only while everything that it read stands as it did when it passed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files';

const { begin, end, filter, PassedReporter } = require('../jest/passed.cjs');
const own = join(root, 'test/tidy/never-written.test.ts');
const source = join(root, 'package.json');
const text = readFileSync(source, 'utf8');
/** Of its own: nobody else looks at it. */
const folder = join(root, 'coverage');
const given = join(folder, 'read-by-a-test.txt');

const tell = (failing: number) =>
  new PassedReporter().onTestFileResult({ path: own }, { numFailingTests: failing, numPassingTests: 3 });
const isRun = async () => (await filter([own])).filtered.length === 1;

/** Runs as a test file would that loads package.json and does `more`. */
function run({
  loaded = text,
  failing = 0,
  more = () => {},
}: {
  loaded?: string;
  failing?: number;
  more?: () => void;
}) {
  begin();
  more();
  end(own, new Map([[source, loaded]]));
  tell(failing);
}

beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  mkdirSync(folder, { recursive: true });
  writeFileSync(given, 'as it was');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
  rmSync(given, { force: true });
  rmSync(join(root, '.data/passed/test-tidy-never-written.test.ts.json'), { force: true });
});

test.each<[what: string, ran: Parameters<typeof run>[0], change: () => void, isRunAgain: boolean]>([
  ['nothing changed', {}, () => undefined, false],
  ['it failed', { failing: 1 }, () => undefined, true],
  ['what it loaded has changed since', { loaded: `${text} ` }, () => undefined, true],
  [
    'a file that it read has changed since',
    { more: () => readFileSync(given) },
    () => writeFileSync(given, 'anew'),
    true,
  ],
  ['a file that it looked for is gone', { more: () => existsSync(given) }, () => rmSync(given), true],
  ['it started a program', { more: () => spawnSync(process.execPath, ['--version']) }, () => undefined, true],
])('%s', async (_what, ran, change, isRunAgain) => {
  run(ran);
  change();
  expect(await isRun()).toBe(isRunAgain);
});

test('a file that was never run is run', async () => {
  rmSync(join(root, '.data/passed/test-tidy-never-written.test.ts.json'), { force: true });
  expect(await isRun()).toBe(true);
});
