// The table of folders in ARCHITECTURE.md: every folder of the house stands there, about as full as it says, and none is an overfull room.
import { dirname } from 'node:path';
import { type DocumentTable, tableIn, writeTable } from './document-tables';
import { filesBelow } from './source-files';

const rooms =
  'app bench cli clients dashboard deploy docs gateway pages rest-facade sandbox schema subgraphs test tools workers'.split(
    ' ',
  );
/** Pictures are one per state of a page. */
const unbounded = /^(docs\/screenshots|test\/|schema\/)/;
const filesMax = 28;
/** So far a count may be off before the table is printed anew: `WRITE_TABLES=1 npx jest test/tidy/folders`. */
const driftMax = 5;

const counts = new Map<string, number>();
for (const path of rooms.flatMap((room) => filesBelow(room, /./)))
  counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);

const table: DocumentTable = {
  name: 'folders',
  document: 'ARCHITECTURE.md',
  print: () => ['| Room | Files | By folder |', '| --- | --- | --- |', ...rooms.map(printRoom)].join('\n'),
};

function printRoom(room: string): string {
  const inside = [...counts].filter(([folder]) => folder === room || folder.startsWith(`${room}/`)).sort();
  const total = inside.reduce((sum, [, count]) => sum + count, 0);
  const each = inside.map(([folder, count]) => `\`${folder === room ? '.' : folder.slice(room.length + 1)}\` ${count}`);
  return `| \`${room}/\` | ${total} | ${each.join(', ')} |`;
}

/** Folders of a printed table with their counts. */
function readTable(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/^\| `([\w-]+)\/` \| \d+ \| (.*) \|$/gm)].flatMap(([, room = '', cell = '']) =>
      [...cell.matchAll(/`([\w./-]+)` (\d+)/g)].map(
        ([, folder, count]) => [folder === '.' ? room : `${room}/${folder}`, Number(count)] as const,
      ),
    ),
  );
}

it('names every folder, with about as many files as there are', () => {
  if (process.env['WRITE_TABLES']) writeTable(table);
  const written = readTable(tableIn(table) ?? '');
  expect([...written.keys()].sort()).toEqual([...counts.keys()].sort());
  const off = [...counts].filter(([folder, count]) => Math.abs(count - (written.get(folder) ?? 0)) > driftMax);
  expect(off).toEqual([]);
});

it(`no folder has more than ${filesMax} files`, () => {
  const full = [...counts].filter(([folder, count]) => count > filesMax && !unbounded.test(folder));
  expect(full).toEqual([]);
});
