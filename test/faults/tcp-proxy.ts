// A small TCP proxy with faults to order: latency, resets, and a cut during which nothing gets through.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from './random';

export interface ProxyFaults {
  /** Each chunk waits that long, per direction half of it. */
  latencyMs: number;
  /** 0 up to 1: how likely a chunk of the client ends both connections. */
  resetShare: number;
  /** Connections are cut and new ones refused. */
  isCut: boolean;
}

export interface TcpProxy {
  port: number;
  faults: ProxyFaults;
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: { host: string; port: number }, random: Random): Promise<TcpProxy> {
  const faults: ProxyFaults = { latencyMs: 0, resetShare: 0, isCut: false };
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    if (faults.isCut) return void near.resetAndDestroy();
    const far = connect({ ...target, noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    relay(near, far, faults, () => {
      const isReset = random.next() < faults.resetShare;
      if (isReset) for (const socket of [near, far]) socket.resetAndDestroy();
      return isReset;
    });
    relay(far, near, faults, () => false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    cut() {
      faults.isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    heal() {
      Object.assign(faults, { latencyMs: 0, resetShare: 0, isCut: false });
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Chunks keep their order: each waits for its own time and for the one before. */
function relay(from: Socket, to: Socket, faults: ProxyFaults, isReset: () => boolean): void {
  let last = Promise.resolve();
  from.on('data', (chunk: Buffer) => {
    if (isReset()) return;
    if (faults.latencyMs === 0) {
      last = last.then(() => void (to.destroyed || to.write(chunk)));
      return;
    }
    const due = new Promise<void>((resolve) => setTimeout(resolve, faults.latencyMs / 2));
    last = Promise.all([last, due]).then(() => void (to.destroyed || to.write(chunk)));
  });
  from.on('close', () => void last.then(() => to.destroy()));
}
