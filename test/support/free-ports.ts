// Ports for what a test starts by itself: like those of the program, in a block that no other process is given while this one lives.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choosePorts } from '../../app/launcher/ports';

/** None of `except`. Call it once for all that are needed: none of them is taken yet when it is called again. */
export async function freePorts(count: number, except: readonly number[] = []): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ports-'));
  try {
    const names = Array.from({ length: count }, (_, index) => [String(index), 0]);
    return Object.values(await choosePorts(folder, '127.0.0.1', Object.fromEntries(names), except));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
