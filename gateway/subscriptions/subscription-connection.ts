// One WebSocket: who it belongs to, its subscriptions, and the ways it ends, each with a code that says why.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Caller } from '../../subgraphs/shared/callers/caller';

/** Close codes of graphql-transport-ws and ours; README and docs list the same. */
export const closeCodes = {
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  forbidden: { code: 4403, reason: 'Forbidden' },
  revoked: { code: 4403, reason: 'The access token no longer works' },
  changed: { code: 4403, reason: 'The rights of the access token have changed: connect again' },
  late: { code: 4408, reason: 'Connection initialisation timeout' },
  slow: { code: 4490, reason: 'Too slow: resume after your last cursor' },
  tooMany: { code: 4491, reason: 'Too many connections of this access token: close one first' },
  tryAgain: { code: 1013, reason: 'Try again later: resume after your last cursor' },
  restart: { code: 1012, reason: 'Restarting: resume after your last cursor' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** How long a peer may take to answer a close before its socket is cut. */
const closeGraceMs = 5_000;

export interface SubscriptionConnection {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  /** What was upgraded, until it is known whose connection this is: kept longer it would hold the memory of its headers as long as the socket lives. */
  request: IncomingMessage | null;
  /** Whoever called, as limits count. */
  readonly address: string;
  caller: Caller | null;
  /** To be called when it is known whose connection this is, which nobody waits for any more then. */
  introduced: (() => void) | null;
  /** It has said whose it is, or is gone: it is not closed any more for being late with that. */
  stopWaiting: () => void;
  /** What runs on it; told before a close frame goes out. */
  readonly running: Set<{ leave(): void }>;
  /** What is to be given back when it closes. */
  readonly leaving: (() => void)[];
  /** Answered the last ping. */
  isAlive: boolean;
  isClosing: boolean;
  close(why: CloseCode): void;
}

/** What an upgrade leaves behind. */
export interface Upgraded extends Pick<SubscriptionConnection, 'address' | 'request' | 'socket' | 'introduced'> {}

export function openConnection(
  ws: WebSocket,
  { address, request, socket, introduced }: Upgraded,
): SubscriptionConnection {
  const connection: SubscriptionConnection = {
    ws,
    socket,
    request,
    address,
    caller: null,
    introduced,
    stopWaiting: () => undefined,
    running: new Set(),
    leaving: [],
    isAlive: true,
    isClosing: false,
    close({ code, reason }) {
      if (connection.isClosing) return;
      connection.isClosing = true;
      for (const subscription of connection.running) subscription.leave();
      ws.close(code, reason);
      const cut = setTimeout(() => ws.terminate(), closeGraceMs);
      cut.unref();
      ws.once('close', () => clearTimeout(cut));
    },
  };
  return connection;
}
