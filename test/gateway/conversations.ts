// Conversations of a file of tests: a world for each test, and clients that are closed after it.
import { Client } from './subscription-client';
import { openWorld, type World, type WorldLimits } from './subscription-world';

/** The events of one merchant's tokens. */
export const byMerchant =
  'subscription($m: ID!, $after: String) { tokenEvents(merchantId: $m, after: $after) { eventId sequence cursor type virtualAccount { virtualAccountId state } } }';

export interface Conversations {
  world: World;
  /** A client with the credential of that caller; without any when nobody is named. */
  open(who?: string): Promise<Client>;
  /** Stops the world; the rest of the test goes on in another, with those limits. */
  reopen(limits?: WorldLimits): Promise<void>;
}

/** Opened before each test of the file and closed after it; not to be used outside of tests. */
export function openConversations(): Conversations {
  const clients: Client[] = [];
  const conversations: Conversations = {
    world: undefined as unknown as World,
    async open(who) {
      const client = await Client.open(conversations.world.url, who);
      clients.push(client);
      return client;
    },
    async reopen(limits) {
      await conversations.world.stop();
      conversations.world = await openWorld(limits);
    },
  };
  beforeEach(async () => {
    conversations.world = await openWorld();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await conversations.world.stop();
  });
  return conversations;
}
