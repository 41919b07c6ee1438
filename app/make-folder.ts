// Makes a folder and those above it, one by one: where none can be made (below /proc, for instance) mkdir's own `recursive` never comes back.
import { existsSync, mkdirSync, statSync } from 'node:fs';
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
