// A whole program for the length of one proof; when the proof fails its logs are kept and named.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, type WorldOptions } from '../support/world';

/** Two processes, of which one may go. Stops the world whatever happens; a proof that needs the exit code stops it itself before. */
export async function withWorld<T>(options: WorldOptions, use: (world: World) => Promise<T>): Promise<T> {
  const world = await startWorld({ ...options, env: { PROCESSES: '2', ...options.env } });
  try {
    return await use(world);
  } catch (error) {
    keepLogs(world);
    throw error;
  } finally {
    await world.stop();
  }
}

/** For whoever reads about a failure. */
export function keepLogs(world: World): void {
  const kept = mkdtempSync(join(process.env['KEPT_IN'] ?? tmpdir(), 'proof-logs-'));
  cpSync(join(world.dataDir, 'logs'), kept, { recursive: true });
  process.stderr.write(`The program's logs are kept in ${kept}\n${world.output().slice(-2_000)}\n`);
}
