// What is built anew after a change: the scripts of the pages share code with their servers, so that a change there is one of theirs, too.
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const folders = ['app', 'cli', 'docs', 'gateway', 'rest-facade', 'sandbox', 'schema', 'workers'];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-sources-'));
  for (const name of ['tools', 'pages', 'dashboard/main.tsx', 'package-lock.json', 'subgraphs/shared/luhn.ts']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of folders) mkdirSync(join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hashes(): Record<string, string> {
  const script = `import { sourceHashes } from './tools/build.mjs'; console.log(JSON.stringify(sourceHashes()))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  return JSON.parse(printed.toString()) as Record<string, string>;
}

const rows: readonly [path: string, parts: string[]][] = [
  ['pages/browser/frame.ts', ['pages']],
  ['pages/card-value.ts', ['pages', 'program']],
  ['subgraphs/shared/luhn.ts', ['pages', 'program']],
  ['dashboard/main.tsx', ['dashboard']],
  ['tools/build.mjs', ['contracts', 'dashboard', 'explorer', 'files', 'pages', 'program']],
  ['schema/access.graphql', ['contracts', 'files']],
  ['schema/supergraph.graphql', ['files']],
];

test.each(rows)('after a change of %s are built: %p', (path, parts) => {
  const before = hashes();
  appendFileSync(join(folder, path), '\n// changed\n');
  const after = hashes();
  expect(
    Object.keys(after)
      .filter((part) => after[part] !== before[part])
      .sort(),
  ).toEqual(parts);
});
