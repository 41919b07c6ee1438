// Folders and small JSON files of an installation: folders are made one by one, because where none can be made (below /proc, for instance) mkdir's own
// `recursive` never comes back; files are replaced as a whole, so that a reader never sees half of one.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode of folders that hold nothing of this installation and that other users may share: fetched servers. */
export const cacheMode = 0o755;

/** Throws what the system says about the first folder that cannot be made. */
export function makeFolder(path: string, mode = 0o700): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another start was a moment faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The parsed file, or undefined when it is absent or not JSON. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes beside the file and renames over it. */
export function replaceJsonFile(path: string, value: unknown, mode = 0o644): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode });
  renameSync(fresh, path);
}
