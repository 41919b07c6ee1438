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
  /** So often the server is asked whether it is still there, and so long it has to answer: a connection that is silent for longer is dead. */
  pingEveryMs?: number;
  pongWithinMs?: number;
  /** Where WebSocket is not a global. */
  webSocketImpl?: unknown;
}

/** One connection for all subscriptions. */
export function createEventsClient(options: EventsClientOptions): EventsClient {
  const { url, credentials, onState, retryMs = 500, retryMsMax = 20_000, webSocketImpl } = options;
  const { pingEveryMs = 10_000, pongWithinMs = 5_000 } = options;
  const turns = createConnectionTurns({ retryMs, retryMsMax });
  const client: Client = createClient({
    url,
    lazy: true,
    retryAttempts: 0,
    keepAlive: pingEveryMs,
    connectionParams: credentials && (async () => credentials()),
    webSocketImpl,
    on: { connected: () => turns.connected(), closed: () => turns.closed() },
  });
  giveUpSilent(client, pongWithinMs);
  const listening = createListeningQuestion(client);
  const following = createFollowing(onState);

  function once(request: EventsRequest, over: AbortSignal, turn: EventsTurn): Promise<Ending> {
    return new Promise((resolve) => {
      const progress = createProgress(turn);
      let stop: () => void = () => undefined;
      const unasked = listening.ask(progress.listening);
      const end = (ending: Ending) => {
        progress.stop();
        unasked();
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
        error(error) {
          if (turns.isFinal(error)) return end({ isFinal: true, error });
          if (Array.isArray(error)) turns.refused();
          end({ isFinal: false });
        },
        complete: () => end({ isFinal: true, error: null }),
      });
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

/** Ends a connection on which a ping stays without its pong: one that died without a word would be `live` for ever. */
function giveUpSilent(client: Client, pongWithinMs: number): void {
  let silence: ReturnType<typeof setTimeout> | undefined;
  const heard = () => clearTimeout(silence);
  client.on('ping', (isReceived) => {
    if (!isReceived) silence = setTimeout(() => client.terminate(), pongWithinMs);
  });
  client.on('pong', (isReceived) => {
    if (isReceived) heard();
  });
  client.on('closed', heard);
}

/** Whether the server has begun to listen: one query behind all that was subscribed to in the same moment, since the server counts each operation of a connection. */
function createListeningQuestion(client: Client) {
  const asking = new Set<() => void>();
  let isConnected = false;
  let isDue = false;

  function query(): void {
    isDue = false;
    if (!isConnected || asking.size === 0) return;
    const told = [...asking];
    asking.clear();
    const listening = () => {
      for (const tell of told) tell();
    };
    // Once it is answered, or refused as one that is not agreed on or is one too many, what was before it is listened to.
    client.subscribe(
      { query: '{ __typename }' },
      {
        next: listening,
        // A list is the server's word; anything else is the end of the connection.
        error: (error) => Array.isArray(error) && listening(),
        complete: () => undefined,
      },
    );
  }

  /** What is subscribed to in this moment goes out before. */
  function querySoon(): void {
    if (!isDue) setTimeout(query, 0);
    isDue = true;
  }

  client.on('connected', () => {
    isConnected = true;
    querySoon();
  });
  client.on('closed', () => {
    isConnected = false;
  });
  return {
    /** Tells it once the server listens, unless the returned function was called before. */
    ask(tell: () => void): () => void {
      asking.add(tell);
      if (isConnected) querySoon();
      return () => void asking.delete(tell);
    },
  };
}
