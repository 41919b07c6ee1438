// The table of rooms in ARCHITECTURE.md, as the import rules have it.
import { importRules, wireTools } from './import-rules';

/** The table of ARCHITECTURE.md, with what several rooms may take. */
export function printImportRules(): string {
  const rows = importRules.map(({ place, room, may, mayTypes }) => {
    const types = mayTypes ? ', types of shared' : '';
    return `| ${place} | ${room.slice(room.indexOf(': ') + 1).trim()} | ${mayWords(may)}${types} |`;
  });
  const note = `Wire values: ${filesOfShared(wireTools).join(', ')} of \`subgraphs/shared/\`.`;
  return ['| Room | Holds | May import |', '| --- | --- | --- |', ...rows, '', note].join('\n');
}

function mayWords(may: readonly string[]): string {
  const areWireValues = wireTools.every((name) => may.includes(name));
  const rooms = may.filter((name) => name === 'subgraphs/shared/' || !name.startsWith('subgraphs/shared/'));
  const files = areWireValues ? ['wire values'] : filesOfShared(may);
  return [...rooms.map(roomWord), ...files].join(', ');
}

function filesOfShared(may: readonly string[]): string[] {
  return may.flatMap((name) => /^subgraphs\/shared\/(.+)$/.exec(name)?.[1] ?? []).map((name) => `\`${name}\``);
}

function roomWord(name: string): string {
  if (name === 'subgraphs/$domain/') return 'its domain';
  if (name === 'subgraphs/$any/index') return 'the doors of domains';
  return name === '' ? 'anything' : `\`${name}\``;
}
