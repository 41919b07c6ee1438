// Nothing is kept for nobody: no file, export, exported type or package that nothing uses, and no package that package.json does not name.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './source-files';

interface Finding {
  name: string;
}
type Row = { file: string } & Record<'dependencies' | 'unlisted' | 'exports' | 'types', Finding[]>;

/** What knip finds in a folder, one line each. */
function unusedIn(folder: string): string[] {
  const knip = join(root, 'node_modules/knip/bin/knip.js');
  const { stdout, stderr } = spawnSync(process.execPath, [knip, '--reporter', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  // Without a report it did not look, and has said why.
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  const { files, issues } = JSON.parse(stdout) as { files: string[]; issues: Row[] };
  const inFiles = issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds)
      .filter(([, found]) => Array.isArray(found))
      .flatMap(([kind, found]) => found.map(({ name }) => `${kind}: ${name} (${file})`)),
  );
  return [...files.map((file) => `files: ${file}`), ...inFiles];
}

test('the repository has nothing that nothing uses', () => {
  expect(unusedIn(root)).toEqual([]);
});

const rows: readonly [what: string, finding: string][] = [
  ['a file', 'files: lone.ts'],
  ['an export', 'exports: forNobody (used.ts)'],
  ['a type', 'types: ForNobody (used.ts)'],
  ['a package', 'dependencies: express (package.json)'],
  ['a package that is not named', 'unlisted: pino (main.ts)'],
];

describe('is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unused-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let found: string[] = [];

  beforeAll(() => {
    const settings = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')) as object;
    const files = {
      'knip.json': JSON.stringify({ ...settings, entry: ['main.ts'], ignoreDependencies: [] }),
      'package.json': JSON.stringify({ name: 'planted', dependencies: { express: '5.3.0' } }),
      'main.ts': "import 'pino';\nimport { used } from './used';\nconsole.log(used);\n",
      'used.ts': 'export const used = 1;\nexport const forNobody = 2;\nexport interface ForNobody { a: 1 }\n',
      'lone.ts': 'export const lone = 1;\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    found = unusedIn(folder);
  });

  it.each(rows)('%s', (_what, finding) => {
    expect(found).toContain(finding);
  });
});
