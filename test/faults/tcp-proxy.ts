// A small TCP proxy with faults to order, in each direction by itself: latency, a trickle, silence, a peer that vanishes, a reset after so many bytes, a cut.
import { setMaxListeners } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type Direction = 'request' | 'reply';

/**
 * `latency`: each chunk waits `ms`. `trickle`: a few bytes at a time. `silence`: nothing gets through until it is over, then all of it.
 * `vanish`: nothing gets through any more on any connection that was there meanwhile, and nobody is told. `reset`: a connection ends after `bytes`
 * more bytes, wherever in a command that is. `cut`: connections are reset and new ones refused.
 */
export type FaultKind = 'latency' | 'trickle' | 'silence' | 'vanish' | 'reset' | 'cut';

export interface Fault {
  kind: FaultKind;
  directions: readonly Direction[];
  ms: number;
  bytes: number;
}

export interface TcpProxy {
  port: number;
  begin(fault: Fault): void;
  heal(): void;
  /** Whether a client still holds a connection whose peer has vanished. */
  isHalfOpen(): boolean;
  close(): Promise<void>;
}

const trickleBytes = 256;
const trickleMs = 25;

/** One client's connection: both of its sockets, and what it has seen of the fault. */
interface Link {
  near: Socket;
  far: Socket;
  /** Directions in which nothing gets through any more. */
  gone: Set<Direction>;
  /** How much more gets through before the reset. */
  leftBytes: number;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const links = new Set<Link>();
  let fault: Fault | null = null;
  let over = healing();
  const touch = (link: Link) => {
    link.leftBytes = fault?.bytes ?? 0;
    if (fault?.kind === 'cut') reset(link);
    if (fault?.kind === 'vanish') for (const direction of fault.directions) link.gone.add(direction);
  };
  const current = (direction: Direction) => ({
    fault: fault?.directions.includes(direction) ? fault : null,
    healed: over.signal,
  });
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ ...target, noDelay: true });
    const link: Link = { near, far, gone: new Set(), leftBytes: 0 };
    links.add(link);
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      socket.on('close', () => near.destroyed && far.destroyed && links.delete(link));
    }
    relay(link, 'request', current);
    relay(link, 'reply', current);
    touch(link);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    begin(next) {
      fault = next;
      for (const link of links) touch(link);
    },
    heal() {
      fault = null;
      over.abort();
      over = healing();
    },
    isHalfOpen: () => [...links].some(({ near, gone }) => gone.size > 0 && !near.destroyed),
    close() {
      over.abort();
      for (const link of links) for (const socket of [link.near, link.far]) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** As many wait for the end of a fault as chunks are held back. */
function healing(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function reset({ near, far }: Link): void {
  for (const socket of [near, far]) socket.resetAndDestroy();
}

/** Chunks keep their order: each waits for its own time and for the one before. */
function relay(
  link: Link,
  direction: Direction,
  current: (direction: Direction) => { fault: Fault | null; healed: AbortSignal },
): void {
  const [from, to] = direction === 'request' ? [link.near, link.far] : [link.far, link.near];
  let last = Promise.resolve();
  from.on('data', (chunk: Buffer) => {
    const { fault, healed } = current(direction);
    const due = fault?.kind === 'latency' ? wait(fault.ms) : Promise.resolve();
    last = Promise.all([last, due]).then(() => pass(chunk, { link, to, direction, fault, healed }));
  });
  // Nobody is told of a peer that vanished.
  from.on('close', () => void last.then(() => link.gone.has(direction) || to.destroy()));
}

interface Passing {
  link: Link;
  to: Socket;
  direction: Direction;
  fault: Fault | null;
  healed: AbortSignal;
}

async function pass(chunk: Buffer, { link, to, direction, fault, healed }: Passing): Promise<void> {
  if (fault?.kind === 'silence') await untilAborted(healed);
  if (link.gone.has(direction) || to.destroyed) return;
  if (fault?.kind === 'reset' && link.leftBytes < chunk.length) {
    to.write(chunk.subarray(0, link.leftBytes), () => reset(link));
    return;
  }
  if (fault?.kind === 'reset') link.leftBytes -= chunk.length;
  if (fault?.kind !== 'trickle') return void to.write(chunk);
  for (let at = 0; at < chunk.length && !to.destroyed; at += trickleBytes) {
    if (healed.aborted) return void to.write(chunk.subarray(at));
    to.write(chunk.subarray(at, at + trickleBytes));
    await wait(trickleMs);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
