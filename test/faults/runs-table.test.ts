// The recorder of proofs: what a large run found is not lost when a smaller one is recorded.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const recorder = JSON.stringify(join(__dirname, 'runs-table.mjs'));
const head = ['| kills | killed under load | nothing is lost |', '', '| Proof | Date | Seed | Size | Figures |'];
const end = '<!-- end of runs -->';
const row = (size: string, day = '2026-01-01', name = 'kills') => `| ${name} | ${day} | 7 | ${size} | kills 4 |`;

/** The rows of the table after a run of `kills` of that size on 2 February was recorded. */
function rowsAfter(size: string, rows: readonly string[]): string[] {
  const run = { name: 'kills', seed: 7, size, figures: { kills: 4 } };
  const code = `import { recorded } from ${recorder};
    process.stdout.write(recorded(${JSON.stringify([...head, ...rows, end].join('\n'))}, ${JSON.stringify(run)}, '2026-02-02'));`;
  const lines = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).split('\n');
  expect([...lines.slice(0, head.length), lines.at(-1)]).toEqual([...head, end]);
  return lines.slice(head.length, -1);
}

const other = row('1', '2026-01-01', 'kills-split');

test.each<{ what: string; size: string; before: string[]; after: string[] }>([
  {
    what: 'the first run of a proof is added',
    size: 'smoke',
    before: [other],
    after: [other, row('smoke', '2026-02-02')],
  },
  {
    what: 'a smaller run stands behind a larger one',
    size: 'smoke',
    before: [row('1'), other],
    after: [row('1'), row('smoke', '2026-02-02'), other],
  },
  {
    what: 'a part does not replace the whole',
    size: '0.5',
    before: [row('1')],
    after: [row('1'), row('0.5', '2026-02-02')],
  },
  {
    what: 'a run replaces one of its size',
    size: '1',
    before: [row('1'), other],
    after: [row('1', '2026-02-02'), other],
  },
  {
    what: 'a larger run replaces all smaller ones',
    size: '1',
    before: [row('0.4'), row('smoke'), other],
    after: [row('1', '2026-02-02'), other],
  },
  {
    what: 'a run between them replaces the smaller one alone',
    size: '0.4',
    before: [row('1'), row('smoke')],
    after: [row('1'), row('0.4', '2026-02-02')],
  },
])('$what', ({ size, before, after }) => {
  expect(rowsAfter(size, before)).toEqual(after);
});
