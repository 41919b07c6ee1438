// What is kept of a subscription while it runs over a WebSocket: one object without closures, since there are tens of thousands of them. It is what
// graphql-ws iterates over, and yields nothing, because frames go straight to the socket; it only starts, ends and fails.
import type { Duplex } from 'node:stream';
import type { Member, SubscriberGroup } from './subscriber-group';
import { closeCodes, type SubscriptionConnection } from './subscription-connection';
import { leaveSubscription, type SubscriptionRunDeps } from './subscription-run';

const ended = { done: true, value: undefined } as const;
type Ended = typeof ended;

/** Brings it up to date and lets it join; let go as soon as it has. */
type Begin = (running: RunningSubscription) => Promise<void>;

interface Started {
  id: string;
  connection: SubscriptionConnection;
  group: SubscriberGroup;
  from: number;
  requestId: string;
  /** Of the operation, for the log. */
  label: string;
}

export class RunningSubscription implements AsyncGenerator<never, void>, Member {
  readonly id: string;
  readonly sink: Duplex;
  from: number;
  isOver = false;
  private readonly connection: SubscriptionConnection;
  private readonly group: SubscriberGroup;
  private readonly requestId: string;
  private readonly label: string;
  private settle: ((result: Ended) => void) | null = null;

  constructor(
    private readonly deps: SubscriptionRunDeps,
    { id, connection, group, from, requestId, label }: Started,
    private begin: Begin | null,
  ) {
    this.id = id;
    this.sink = connection.socket;
    this.from = from;
    this.connection = connection;
    this.group = group;
    this.requestId = inOnePiece(requestId);
    this.label = label;
    connection.running.add(this);
  }

  next(): Promise<Ended> {
    const { begin } = this;
    if (this.isOver || !begin) return Promise.resolve(ended);
    this.begin = null;
    return new Promise((resolve, reject) => {
      this.settle = resolve;
      begin(this).catch((error: unknown) => {
        if (this.isOver) return;
        this.end();
        reject(error);
      });
    });
  }

  async return(): Promise<Ended> {
    this.leave();
    return ended;
  }

  async throw(error: unknown): Promise<never> {
    this.leave();
    throw error;
  }

  leave(): void {
    if (this.isOver) return;
    this.end();
    this.settle?.(ended);
  }

  tooSlow(): void {
    if (this.connection.isClosing) return;
    this.deps.metrics?.slowSubscribersClosed.inc();
    this.connection.close(closeCodes.slow);
  }

  giveUp(): void {
    this.connection.close(closeCodes.tryAgain);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
  }

  private end(): void {
    this.isOver = true;
    const { connection, group, requestId, label } = this;
    connection.running.delete(this);
    const credentialId = connection.caller?.credentialId ?? '';
    leaveSubscription(this.deps, { group, requestId, label, credentialId }, this);
  }
}

/** A new UUID is a string of twenty pieces, which weigh 800 bytes for as long as nobody needs them as one. */
function inOnePiece(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
