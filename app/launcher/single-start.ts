// One start per DATA_DIR: refuses a second one, and clears away what a start that was killed left running.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readJsonFile } from '../data-files';
import { StartFailure } from '../failure';
import type { ProcessEntry } from './supervisor';

const serverNames = /mongod|redis-server|valkey-server/;

const pidFile = 'launcher.pid';

/** The process that runs in this folder, or undefined. */
export function lockHolderOf(dataDir: string): number | undefined {
  const path = join(dataDir, pidFile);
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  return pid > 0 && pid !== process.pid && /start\.mjs|command\.mjs|launcher\.js|databases\.js/.test(commandOf(pid))
    ? pid
    : undefined;
}

/** Takes the folder for this process; returns what gives it back. */
export function takeDataDir(dataDir: string): () => void {
  const path = join(dataDir, pidFile);
  try {
    makeFolder(dataDir);
    const holder = lockHolderOf(dataDir);
    if (holder !== undefined) {
      throw new StartFailure(
        `A start is already running in ${dataDir} (process ${holder}): stop it with "npm run stop", or set DATA_DIR to another folder.`,
      );
    }
    rmSync(path, { force: true });
    writeFileSync(path, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new StartFailure(
        `${dataDir} is not free (${code}): another start may have been a moment faster, or it is no folder; set DATA_DIR to another.`,
      );
    }
    throw new StartFailure(
      `${dataDir} cannot be written to (${code}): set DATA_DIR to a folder that this user may write.`,
    );
  }
  return () => rmSync(path, { force: true });
}

/** Ends databases that a killed start left behind (its application processes end by themselves); waits until their data is free. */
export async function clearLeftovers(dataDir: string): Promise<string[]> {
  const entries = (readJsonFile(join(dataDir, 'processes.json')) ?? []) as ProcessEntry[];
  const left = entries.filter(({ pid, port }) => {
    const command = commandOf(pid);
    // Process numbers are used again: MongoDB shows its folder, Redis its port.
    const isOurs = command.includes(dataDir) || command.includes(`:${port}`);
    return (serverNames.test(command) && isOurs) || /dist\/process\.js/.test(command);
  });
  for (const { pid } of left) process.kill(pid, 'SIGTERM');
  const until = Date.now() + 20_000;
  for (const { pid } of left) {
    while (commandOf(pid) !== '' && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    if (commandOf(pid) !== '') process.kill(pid, 'SIGKILL');
  }
  return left.map(({ role }) => role);
}

/** The command line of a live process; empty when there is none (a zombie counts as none). */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform === 'linux') return '';
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
