// Small JSON files of DATA_DIR, replaced as a whole so that a reader never sees half of one.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

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
