// CONTRIBUTING.md agrees with package.json: a row for each script, no row without one, a release has its heading in the changelog, a decision its date.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string; scripts: Record<string, string> };

test('every script has its row in CONTRIBUTING.md, and every row its script', () => {
  const [, section = ''] = read('CONTRIBUTING.md').split('\n## Scripts\n');
  const rows = [...section.matchAll(/^\| `([\w:-]+)` \| \S/gm)].map(([, name]) => name ?? '');
  expect(rows.sort()).toEqual(Object.keys(manifest.scripts).sort());
});

test('the version of package.json has a heading in the changelog', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version);
  expect(headings).toContain(manifest.version);
});

test('.editorconfig says what biome.json says', () => {
  const { formatter } = JSON.parse(read('biome.json')) as {
    formatter: { indentStyle: string; indentWidth: number; lineWidth: number };
  };
  const settings = read('.editorconfig').split('\n');
  expect(settings).toContain(`indent_style = ${formatter.indentStyle}`);
  expect(settings).toContain(`indent_size = ${formatter.indentWidth}`);
  expect(settings).toContain(`max_line_length = ${formatter.lineWidth}`);
});

test('each record of how the program is built has its date', () => {
  const records = [...read('docs/decisions.md').matchAll(/^### (1\.\d+ .*)$/gm)].map(([, title = '']) => title);
  expect(records.length).toBeGreaterThan(15);
  expect(records.filter((title) => !/ \(\d{1,2} [A-Z][a-z]+ 20\d\d\)$/.test(title))).toEqual([]);
});
