// Ordinary: graphql-ws `useServer` as shipped, one source iterator and one execution per subscriber and event.
import { EventEmitter, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { useServer as serveSubscriptions } from 'graphql-ws/use/ws';
import { Redis } from 'ioredis';
import { WebSocketServer } from 'ws';
import { readSettings, sayReady } from '../support/server-side';
import { channel, newEvent } from './event';

const schema = buildSchema(`
  type Query { ok: Boolean }
  type VirtualAccount { virtualAccountId: ID! state: String! }
  type TokenEvent { eventId: ID! sequence: Int! cursor: String occurredAt: String! type: String! virtualAccount: VirtualAccount }
  type Subscription { tokenEvents(merchantId: ID!): TokenEvent! }
`);
const events = new EventEmitter({ captureRejections: false });
events.setMaxListeners(0);
const fields = (schema.getSubscriptionType() as GraphQLObjectType).getFields();
(fields['tokenEvents'] as GraphQLField<unknown, unknown>).subscribe = async function* () {
  for await (const [tokenEvents] of on(events, 'event')) yield { tokenEvents };
};

const server = createServer();
serveSubscriptions(
  { schema, onConnect: (context) => context.connectionParams?.['authorization'] === 'Bearer bench' },
  new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false }),
);

let sequence = 0;
const redis = new Redis(readSettings<{ redisUrl: string }>().redisUrl);
redis.on('message', (_channel, text) => {
  for (let left = Number(text); left > 0; left -= 1) {
    sequence += 1;
    events.emit('event', newEvent(sequence));
  }
});
void redis.subscribe(channel).then(() => {
  server.listen(0, '127.0.0.1', 4_096, () => sayReady((server.address() as AddressInfo).port));
});
