// A dashboard of a proof: follows the events of one merchant over WebSocket and comes back with its last cursor whenever its connection ends.
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import type { World } from '../support/world';

type Field = 'operationEvents' | 'tokenEvents';

export interface Follower {
  /** Ids of events in the order in which they came. */
  seen: string[];
  /** How each connection that stood was ended by the other side: its code and reason, oldest first. */
  closes: string[];
  /** What kept it from following: connections that could not be opened or broke, subscriptions that were refused. */
  troubles: string[];
  /** How often it had to come back. */
  returns(): number;
  /** It does not come back any more when its connection ends. */
  leave(): void;
  stop(): Promise<void>;
}

interface Message {
  type: string;
  id?: string;
  payload?: { data?: Partial<Record<Field, { eventId: string; cursor: string }>> };
}

export function followOperations(world: World, merchantId: string): Promise<Follower> {
  return follow(world, 'operationEvents', merchantId);
}

export function followTokens(world: World, merchantId: string): Promise<Follower> {
  return follow(world, 'tokenEvents', merchantId);
}

/** Resolves when every event from now on is sure to be seen: a query behind the first subscription came back. */
async function follow(world: World, field: Field, merchantId: string): Promise<Follower> {
  const authorization = `Bearer ${await accessTokenOf(world, world.credentials.graph.admin)}`;
  const query = `subscription($m: ID!, $after: String) { ${field}(merchantId: $m, after: $after) { eventId cursor } }`;
  const seen: string[] = [];
  const closes: string[] = [];
  const troubles: string[] = [];
  let after: string | undefined;
  let sessions = 0;
  let isStanding = false;
  let isLeaving = false;
  let socket: WebSocket | undefined;
  const answers: Record<string, (message: Message) => object[]> = {
    connection_ack: () => [
      { id: '1', type: 'subscribe', payload: { query, variables: { m: merchantId, after } } },
      { id: 'standing', type: 'subscribe', payload: { query: '{ __typename }' } },
    ],
    next({ payload }) {
      const item = payload?.data?.[field];
      if (item) seen.push(item.eventId);
      after = item?.cursor ?? after;
      return [];
    },
    complete: ({ id }) => (id === 'standing' ? standing() : refused('the subscription was ended')),
    error: ({ payload }) => refused(JSON.stringify(payload)),
  };
  const standing = () => {
    isStanding = true;
    return [];
  };
  const refused = (why: string) => {
    troubles.push(why);
    socket?.close();
    return [];
  };
  /** One connection from beginning to end. */
  const session = () =>
    new Promise<void>((resolve) => {
      const own = new WebSocket(world.urls.subscriptions, 'graphql-transport-ws');
      socket = own;
      own.on('open', () => {
        sessions += 1;
        own.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
        own.on('close', (code, reason) => closes.push(`${code} ${reason}`));
      });
      own.on('message', (data) => {
        const message: Message = JSON.parse(String(data));
        for (const reply of answers[message.type]?.(message) ?? []) own.send(JSON.stringify(reply));
      });
      own.on('error', (error) => troubles.push(error.message));
      own.on('close', () => resolve());
    });
  const running = (async () => {
    while (!isLeaving) {
      const before = troubles.length;
      await session();
      // At once, as a client that was told to come back does; only in trouble it takes its time.
      if (troubles.length > before) await wait(100);
    }
  })();
  await eventually(() => isStanding);
  return {
    seen,
    closes,
    troubles,
    returns: () => Math.max(0, sessions - 1),
    leave() {
      isLeaving = true;
    },
    async stop() {
      isLeaving = true;
      socket?.removeAllListeners('error').on('error', () => undefined);
      socket?.terminate();
      await running;
    },
  };
}

/** A dashboard that stands still: it connects and then reads nothing any more, not even that its socket is closed; returns how to end it. */
export async function openDeaf(world: World): Promise<() => void> {
  const socket = new WebSocket(world.urls.subscriptions, 'graphql-transport-ws');
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.pause();
  return () => socket.terminate();
}
