// One WebSocket: who it belongs to, its subscriptions, and the ways it ends, each with a code that says why.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket as ProtocolWebSocket } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { startDeadline } from '../../subgraphs/shared/deadline';

/** Close codes of graphql-transport-ws and ours; README and docs list the same. */
export const closeCodes = {
  unauthorized: { code: 4401, reason: 'Unauthorized' },
  forbidden: { code: 4403, reason: 'Forbidden' },
  revoked: { code: 4403, reason: 'The access token or session no longer works' },
  changed: { code: 4403, reason: 'The rights of the access token or session have changed: connect again' },
  late: { code: 4408, reason: 'Connection initialisation timeout' },
  slow: { code: 4490, reason: 'Too slow: resume after your last cursor' },
  tooMany: { code: 4491, reason: 'Too many connections of this access token or session: close one first' },
  tryAgain: { code: 1013, reason: 'Try again later: resume after your last cursor' },
  restart: { code: 1012, reason: 'Restarting: resume after your last cursor' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** How long a peer may take to answer a close before its socket is cut. */
const closeGraceMs = 5_000;

/** What an upgrade leaves behind. */
export interface Upgraded {
  /** What was upgraded. */
  request: IncomingMessage | null;
  readonly socket: Duplex;
  /** Whoever called, as limits count. */
  readonly address: string;
  /** To be called when it is known whose connection this is, which nobody waits for any more then. */
  introduced: (() => void) | null;
}

const nothing = (): void => undefined;

/** One object with the methods of its class: there are tens of thousands of them, and a closure for each act would weigh as much again. */
export class SubscriptionConnection implements Upgraded {
  readonly socket: Duplex;
  readonly address: string;
  /** Until it is known whose connection this is: kept longer it would hold the memory of its headers as long as the socket lives. */
  request: IncomingMessage | null;
  introduced: (() => void) | null;
  caller: Caller | null = null;
  /** What runs on it; told before a close frame goes out. */
  readonly running = new Set<{ leave(): void }>();
  /** What is to be given back when it closes. */
  private leaving: (() => void)[] = [];
  /** Takes a message of the client, for the library that keeps the protocol. */
  receive: (data: string) => Promise<void> = async () => undefined;
  /** Tells that library that the socket is closed. */
  closed: (code: number, reason: string) => Promise<void> = async () => undefined;
  /** Answered the last ping. */
  isAlive = true;
  isClosing = false;
  private stopDeadline: () => void = nothing;

  constructor(
    readonly ws: WebSocket,
    { address, request, socket, introduced }: Upgraded,
  ) {
    this.socket = socket;
    this.address = address;
    this.request = request;
    this.introduced = introduced;
  }

  /** It is closed when it has not said within so many milliseconds whose it is. */
  wait(limitMs: number): void {
    this.stopDeadline = startDeadline(limitMs, () => this.close(closeCodes.late));
  }

  /** It has said whose it is, or is gone; nothing of the timer is kept. */
  stopWaiting(): void {
    this.stopDeadline();
    this.stopDeadline = nothing;
  }

  /** What is taken for it, with how to give it back; at once when the close has been told already. */
  take(...giveBack: (() => void)[]): void {
    this.leaving.push(...giveBack);
    if (this.ws.readyState === this.ws.CLOSED) this.giveBack();
  }

  giveBack(): void {
    for (const each of this.leaving.splice(0)) each();
  }

  close({ code, reason }: { code: number; reason: string }): void {
    if (this.isClosing) return;
    this.isClosing = true;
    for (const subscription of this.running) subscription.leave();
    this.ws.close(code, reason);
    const cut = setTimeout(() => this.ws.terminate(), closeGraceMs);
    cut.unref();
    this.ws.once('close', () => clearTimeout(cut));
  }
}

/** The socket as the library that keeps the protocol wants it. */
export class ProtocolSocket implements ProtocolWebSocket {
  constructor(private readonly connection: SubscriptionConnection) {}

  get protocol(): string {
    return this.connection.ws.protocol;
  }

  send(data: string): Promise<void> {
    const { connection } = this;
    return new Promise((resolve) => {
      if (connection.isClosing) resolve();
      // A failed write shows as the close of the socket.
      else connection.ws.send(data, () => resolve());
    });
  }

  close(code = closeCodes.internal.code as number, reason = ''): void {
    this.connection.close({ code, reason });
  }

  onMessage(listener: (data: string) => Promise<void>): void {
    this.connection.receive = listener;
  }
}
