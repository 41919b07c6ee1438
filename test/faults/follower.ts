// A dashboard of a proof: follows the operations of one merchant over WebSocket and comes back with its last cursor whenever its connection ends.
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../gateway/subscription-client';
import { accessTokenOf } from '../support/partner';
import type { World } from '../support/world';

const query =
  'subscription($m: ID!, $after: String) { operationEvents(merchantId: $m, after: $after) { eventId cursor } }';

export interface Follower {
  /** Ids of events in the order in which they came. */
  seen: string[];
  /** How often it had to come back. */
  returns(): number;
  stop(): Promise<void>;
}

export async function followOperations(world: World, merchantId: string): Promise<Follower> {
  const accessToken = await accessTokenOf(world, world.credentials.graph.admin);
  const seen: string[] = [];
  let after: string | undefined;
  let sessions = 0;
  let isStopping = false;
  const session = async () => {
    const client = await Client.open(world.urls.subscriptions, accessToken);
    client.socket.on('error', () => undefined);
    client.send({ id: '1', type: 'subscribe', payload: { query, variables: { m: merchantId, after } } });
    sessions += 1;
    let taken = 0;
    while (
      !client.closed &&
      !client.of('1').some(({ type }) => type === 'complete' || type === 'error') &&
      !isStopping
    ) {
      for (const item of client.items('1').slice(taken)) {
        taken += 1;
        seen.push(String(item['eventId']));
        after = String(item['cursor']);
      }
      await wait(50);
    }
    client.close();
  };
  const running = (async () => {
    while (!isStopping) {
      await session().catch(() => undefined);
      await wait(100);
    }
  })();
  return {
    seen,
    returns: () => Math.max(0, sessions - 1),
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
