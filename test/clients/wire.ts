// A wire between a client and the gateway that can be cut, and mended again.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Wire {
  /** The same address by way of the wire. */
  url: string;
  /** How many connections came by so far. */
  connections(): number;
  /** Ends every connection without a word, and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Carries nothing more on the connections that are open, and leaves them so; new ones pass. */
  silence(): void;
  stop(): Promise<void>;
}

export async function openWire(target: string): Promise<Wire> {
  const { hostname, port, pathname } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  let connections = 0;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    connections += 1;
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      // Either end may be cut at any time; that is what the wire is for.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    connections: () => connections,
    cut,
    mend() {
      isCut = false;
    },
    silence() {
      for (const socket of open) socket.unpipe().pause();
    },
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
