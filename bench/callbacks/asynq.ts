// Builds the Go program of the asynq case; where there is no Go, or its modules cannot be fetched, the case is left out.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../support/server-process';
import type { AsynqSettings } from './asynq.server';

/** Null when it cannot be built here. */
export async function startAsynq(settings: Omit<AsynqSettings, 'binary'>): Promise<ServerProcess | null> {
  const binary = join(__dirname, '../../dist/bench/callbacks/asynq');
  const built = spawnSync('go', ['build', '-C', join(__dirname, 'asynq'), '-buildvcs=false', '-o', binary, '.'], {
    stdio: 'ignore',
  });
  return built.status === 0
    ? startServer('callbacks/asynq.server.ts', { ...settings, binary } satisfies AsynqSettings)
    : null;
}
