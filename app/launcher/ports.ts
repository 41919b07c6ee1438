// Ports of the program: 0 picks a free one and keeps it, a taken one is named together with its holder. What is picked is bound seconds later, and
// nobody may be given it meanwhile: it lies below the range of ports that systems hand out by themselves, in a block that one process holds as long as
// it lives, by listening on the block's last port.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { readJsonFile, replaceJsonFile } from '../data-files';
import { StartFailure } from '../failure';

const blocksFrom = 12_000;
const blockSize = 40;
const blocksMax = 500;

/** Variable or role -> port; 0 means any. */
export type Ports = Record<string, number>;

/**
 * Gives every name a port on `host`: the wished one, or for 0 the one it had before in this DATA_DIR when that is free, else a free one; none of `except`.
 * Throws a StartFailure that names the port, the variable and, where the system tells, the process that holds it.
 */
export async function choosePorts<Wished extends Ports>(
  dataDir: string,
  host: string,
  wished: Wished,
  except: readonly number[] = [],
): Promise<Wished> {
  const path = join(dataDir, 'ports.json');
  const remembered = (readJsonFile(path) ?? {}) as Ports;
  const held: Server[] = [];
  const chosen: Ports = {};
  try {
    for (const [name, port] of Object.entries(wished)) {
      const server =
        port === 0 ? await listenSomewhere(host, remembered[name], except) : await listenOn(host, name, port);
      held.push(server);
      chosen[name] = (server.address() as { port: number }).port;
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
  const picked = Object.entries(chosen).filter(([name]) => wished[name] === 0);
  replaceJsonFile(path, { ...remembered, ...Object.fromEntries(picked) });
  // Every wished name was given a port above.
  return chosen as Wished;
}

/** On the remembered port, or on the first free one of a block that no other process holds; where none can be had on one that the system gives. */
async function listenSomewhere(
  host: string,
  remembered: number | undefined,
  except: readonly number[],
): Promise<Server> {
  const kept = remembered !== undefined && (await holdBlock(blockOf(remembered))) ? [remembered] : [];
  for (const port of [...kept, ...portsOf(await ownBlock())].filter((each) => !except.includes(each))) {
    const server = await listen(host, port).catch(() => undefined);
    if (server) return server;
  }
  return listenOn(host, 'HOST', 0);
}

/** What this process holds until it ends: block -> the server on its last port. */
const heldBlocks = new Map<number, Server>();

function blockOf(port: number): number {
  return Math.floor((port - blocksFrom) / blockSize);
}

/** All but the last, by which it is held. */
function portsOf(block: number | null): number[] {
  return block === null
    ? []
    : Array.from({ length: blockSize - 1 }, (_, index) => blocksFrom + block * blockSize + index);
}

function guardPort(block: number): number {
  return blocksFrom + (block + 1) * blockSize - 1;
}

/** The block held already, or the first free one from a place of this process's own on; null where none can be had. */
async function ownBlock(): Promise<number | null> {
  const [held] = heldBlocks.keys();
  if (held !== undefined) return held;
  for (let index = 0; index < blocksMax; index += 1) {
    const block = (process.pid + index) % blocksMax;
    if (await holdBlock(block)) return block;
  }
  return null;
}

async function holdBlock(block: number): Promise<boolean> {
  if (block < 0 || block >= blocksMax) return true; // a port that the system gave once
  if (heldBlocks.has(block)) return true;
  const guard = await listen('127.0.0.1', guardPort(block)).catch(() => undefined);
  if (guard) heldBlocks.set(block, guard.unref());
  return guard !== undefined;
}

async function listenOn(host: string, name: string, port: number): Promise<Server> {
  try {
    return await listen(host, port);
  } catch (error) {
    throw new StartFailure(portSentence(host, name, port, (error as NodeJS.ErrnoException).code ?? 'unknown error'));
  }
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

/** Why a port cannot be had, as one sentence. */
export function portSentence(host: string, name: string, port: number, code: string): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken${holderText(port)}: stop that, or set ${name} to another port (0 picks a free one).`;
  }
  if (code === 'EACCES') return `Port ${port} may not be opened by this user: set ${name} to a port of 1024 or above.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1.`;
  }
  return `Port ${port} on ${host} cannot be opened (${code}): set ${name} or HOST to something else.`;
}

function holderText(port: number): string {
  try {
    const holder = portHolder(port);
    return holder ? ` by ${holder.name} (process ${holder.pid})` : '';
  } catch {
    return '';
  }
}

/** The process that listens on a port, from /proc; undefined where there is no /proc or it may not be read. */
export function portHolder(port: number): { pid: number; name: string } | undefined {
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => listeningInodes(path, port));
  const links = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (links.size === 0) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (openFiles(pid).some((link) => links.has(link))) {
      return { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() };
    }
  }
  return undefined;
}

function listeningInodes(path: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(suffix) && columns[3] === '0A')
    .flatMap((columns) => columns[9] ?? []);
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}
