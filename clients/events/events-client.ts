// A client for live events of the graph that misses nothing: it keeps the cursor of the last event itself and comes back with it, over graphql-transport-ws.
// graphql-ws alone repeats a subscription with its first variables after a break, so that whatever came between the first and the last event is lost or told twice.
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import { createConnectionTurns } from './connection-turns';
import {
  createFollowing,
  createProgress,
  type Ending,
  type EventsClient,
  type EventsRequest,
  type EventsTurn,
  type FollowingOptions,
} from './following';

export interface EventsClientOptions extends FollowingOptions {
  /** The address of the graph, with ws: or wss:. */
  url: string;
  /** What `connection_init` carries, asked for at each connection, so that a credential can be renewed; not needed with a cookie. */
  credentials?: () => Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Where WebSocket is not a global. */
  webSocketImpl?: unknown;
}

/** One connection for all subscriptions. */
export function createEventsClient(options: EventsClientOptions): EventsClient {
  const { url, credentials, onState, retryMs = 500, retryMsMax = 20_000, webSocketImpl } = options;
  const turns = createConnectionTurns({ retryMs, retryMsMax });
  const client: Client = createClient({
    url,
    lazy: true,
    retryAttempts: 0,
    connectionParams: credentials && (async () => credentials()),
    webSocketImpl,
    on: { connected: () => turns.connected(), closed: () => turns.closed() },
  });
  const following = createFollowing(onState);

  function once(request: EventsRequest, over: AbortSignal, turn: EventsTurn): Promise<Ending> {
    return new Promise((resolve) => {
      const progress = createProgress(turn);
      let stop: () => void = () => undefined;
      const end = (ending: Ending) => {
        progress.stop();
        over.removeEventListener('abort', leave);
        resolve(ending);
      };
      const leave = () => {
        stop();
        end({ isFinal: true, error: null });
      };
      over.addEventListener('abort', leave);
      // The protocol wants a text, be it an empty one.
      const asked: SubscribePayload = { query: '', ...request };
      stop = client.subscribe<Record<string, unknown>>(asked, {
        next: (answer) => progress.next(answer),
        error: (error) => end(turns.isFinal(error) ? { isFinal: true, error } : { isFinal: false }),
        complete: () => end({ isFinal: true, error: null }),
      });
      // A query behind it on the same connection: once it is answered, or refused as one that is not agreed on, the server has begun to listen.
      client.subscribe(
        { query: '{ __typename }' },
        {
          next: () => progress.listening(),
          // A list is the server's word; anything else is the end of the connection.
          error: (error) => Array.isArray(error) && progress.listening(),
          complete: () => undefined,
        },
      );
    });
  }

  return {
    subscribe: (request, sink) => following.start(once, turns, { request, sink }),
    async close() {
      following.stopAll();
      // A connection that is just being made and fails is closed, too.
      await Promise.resolve(client.dispose()).catch(() => undefined);
    },
  };
}
