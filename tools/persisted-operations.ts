// The persisted operations as they are written: schema/operations/<domain>/<Name>.graphql, with the fragments of schema/fragments/ that they spread.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ending = '.graphql';

/** Documents by operation name (which is the file's name), each complete in itself. A fragment that no file holds is left to validation to name. */
export function readOperations(schemaFolder: string): Record<string, string> {
  const fragments = readFolder(join(schemaFolder, 'fragments'));
  const folder = join(schemaFolder, 'operations');
  const documents: Record<string, string> = {};
  for (const domain of readdirSync(folder)) {
    for (const [name, text] of readFolder(join(folder, domain))) {
      if (documents[name] !== undefined) throw new Error(`two persisted operations are called ${name}`);
      documents[name] = [text, ...spreadIn(text, fragments)].join('\n');
    }
  }
  return documents;
}

function readFolder(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return new Map(files.map((file) => [basename(file, ending), readFileSync(join(folder, file), 'utf8')]));
}

/** The texts of the fragments that a text spreads, and that those spread, each once. */
function spreadIn(text: string, fragments: ReadonlyMap<string, string>): string[] {
  const found = new Map<string, string>();
  const collect = (part: string) => {
    for (const [, name = ''] of part.matchAll(/\.\.\.\s*([A-Z]\w*)/g)) {
      const fragment = fragments.get(name);
      if (fragment === undefined || found.has(name)) continue;
      found.set(name, fragment);
      collect(fragment);
    }
  };
  collect(text);
  return [...found.values()];
}
