// The subscribers: one process with thousands of plain sockets that speak just enough WebSocket to subscribe and to count what arrives.
import { readSettings, sayReady } from '../support/server-side';
import { Subscriber } from './subscriber';

export interface ClientsSettings {
  subscribers: number;
}

export type ClientsOrder =
  /** Connects all; `messages` go out after the handshake, each waiting for the answer to the one before except the last. */
  | { connect: { port: number; path: string; messages: string[] } }
  /** Asks how many have received anything at all. */
  | { count: true }
  /** From now on counts towards this many messages at every subscriber. */
  | { expect: number }
  /** Waits until they have arrived. */
  | { result: true }
  | { disconnect: true };

export interface ClientsAnswer {
  /** Milliseconds since the epoch of the first and the last arrival. */
  firstMs: number;
  lastMs: number;
  /** Of the first message that ever came, and its bytes. */
  sample: string;
  /** Subscribers that have received something. */
  reached: number;
}

const { subscribers: count } = readSettings<ClientsSettings>();
const connectingAtOnce = 100;
const deadlineMs = 30_000;
const subscribers = new Set<Subscriber>();
let remaining = 0;
let firstMs = 0;
let lastMs = 0;
let sample = '';
let reached = 0;
let closed = 0;
let lastClose = '';
let finish: () => void = () => undefined;

function now(): number {
  return performance.timeOrigin + performance.now();
}

function arrived(payload: Buffer, isFirst: boolean): void {
  if (isFirst) reached += 1;
  if (sample === '') sample = payload.toString('utf8');
  if (remaining === 0) return;
  if (firstMs === 0) firstMs = now();
  remaining -= 1;
  if (remaining > 0) return;
  lastMs = now();
  finish();
}

function lost(why: string): void {
  closed += 1;
  lastClose = why;
}

async function connect({ port, path, messages }: { port: number; path: string; messages: string[] }): Promise<void> {
  sample = '';
  reached = 0;
  let started = 0;
  const open = async () => {
    while (started < count) {
      started += 1;
      subscribers.add(await Subscriber.open({ port, path, messages, arrived, lost }));
    }
  };
  await Promise.all(Array.from({ length: connectingAtOnce }, open));
}

function startCounting(messages: number): void {
  remaining = messages * count;
  firstMs = 0;
}

function awaitArrivals(): Promise<void> {
  if (remaining === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${remaining} deliveries did not come, ${closed} sockets were closed: ${lastClose}`)),
      deadlineMs,
    );
    finish = () => {
      clearTimeout(late);
      resolve();
    };
  });
}

async function obey(order: ClientsOrder): Promise<void> {
  if ('connect' in order) return connect(order.connect);
  if ('count' in order) return;
  if ('expect' in order) return startCounting(order.expect);
  if ('result' in order) return awaitArrivals();
  for (const subscriber of subscribers) subscriber.close();
  subscribers.clear();
  closed = 0;
}

process.on('message', (order: ClientsOrder) => {
  obey(order).then(
    () => process.send?.({ firstMs, lastMs, sample, reached } satisfies ClientsAnswer),
    (error: Error) => process.send?.({ failure: error.message }),
  );
});
sayReady();
