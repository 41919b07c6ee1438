// A client for live events of the graph that misses nothing: it keeps the cursor of the last event itself and comes back with it, over graphql-transport-ws.
// graphql-ws alone repeats a subscription with its first variables after a break, so that whatever came between the first and the last event is lost or told twice.
import { type Client, createClient, type FormattedExecutionResult, type SubscribePayload } from 'graphql-ws';
import { createConnectionTurns } from './connection-turns';

type Answer = FormattedExecutionResult<Record<string, unknown>, unknown>;

/** `replaying`: events of the past come in after a break; `live`: what happens now; `gap`: events were older than what is kept and are missing. */
export type EventsState = 'idle' | 'connecting' | 'replaying' | 'live' | 'gap' | 'reconnecting' | 'ended';

export interface EventsClientOptions {
  /** The address of the graph, with ws: or wss:. */
  url: string;
  /** What `connection_init` carries, asked for at each connection, so that a credential can be renewed; not needed with a cookie. */
  credentials?: () => Promise<Record<string, unknown>> | Record<string, unknown>;
  onState?: (state: EventsState) => void;
  /** First wait before another try; doubled at each further one, with jitter. */
  retryMs?: number;
  retryMsMax?: number;
  /** Where WebSocket is not a global. */
  webSocketImpl?: unknown;
}

export interface EventsRequest {
  /** A subscription with a variable `after`, and `cursor` in its selection. */
  query?: string;
  /** Instead of the text: `sha256:` and the hash of one that the graph trusts. */
  documentId?: string;
  variables: Record<string, unknown>;
}

export interface EventsSink {
  next(answer: Answer): void;
  /** The subscription is over: it was refused, or the credential no longer works. */
  error(error: unknown): void;
  complete(): void;
}

export interface EventsClient {
  /** Follows until the returned function is called. */
  subscribe(request: EventsRequest, sink: EventsSink): () => void;
  close(): Promise<void>;
}

type Ending = { isFinal: true; error: unknown } | { isFinal: false };

/** A replay has ended when nothing more came for so long; the protocol itself does not say. */
const quietMs = 400;

/** One connection for all subscriptions. */
export function createEventsClient(options: EventsClientOptions): EventsClient {
  const { url, credentials, onState, retryMs = 500, retryMsMax = 20_000, webSocketImpl } = options;
  const turns = createConnectionTurns({ retryMs, retryMsMax });
  const client: Client = createClient({
    url,
    lazy: true,
    retryAttempts: 0,
    ...(credentials ? { connectionParams: async () => credentials() } : {}),
    ...(webSocketImpl ? { webSocketImpl } : {}),
    on: { connected: () => turns.connected(), closed: () => turns.closed() },
  });
  const followed = new Set<AbortController>();
  /** How each subscription is; the worst of them is how the client is. */
  const states = new Map<object, EventsState>();
  let told: EventsState = 'idle';

  function tell(who: object, state: EventsState | null): void {
    if (state === null) states.delete(who);
    else states.set(who, state);
    const worst = worstOf([...states.values()]);
    if (worst === told) return;
    told = worst;
    onState?.(worst);
  }

  async function follow(request: EventsRequest, sink: EventsSink, over: AbortSignal): Promise<void> {
    const self = {};
    let after = request.variables['after'] ?? null;
    tell(self, 'connecting');
    while (!over.aborted) {
      const ending = await once({ ...request, variables: { ...request.variables, after } }, over, {
        state: (state) => tell(self, state),
        next(answer) {
          after = cursorOf(answer) ?? after;
          sink.next(answer);
        },
      });
      if (over.aborted) break;
      if (ending.isFinal) {
        if (ending.error === null) sink.complete();
        else sink.error(ending.error);
        tell(self, 'ended');
        return;
      }
      tell(self, 'reconnecting');
      await turns.next(over);
    }
    tell(self, null);
  }

  interface Turn {
    state(state: EventsState): void;
    next(answer: Answer): void;
  }

  /** One subscription on one connection, until either ends. */
  function once(request: EventsRequest, over: AbortSignal, turn: Turn): Promise<Ending> {
    return new Promise((resolve) => {
      const isResumed = request.variables['after'] !== null;
      let quiet: ReturnType<typeof setTimeout> | undefined;
      let isReplaying = isResumed;
      let stop: () => void = () => undefined;
      const end = (ending: Ending) => {
        clearTimeout(quiet);
        over.removeEventListener('abort', leave);
        resolve(ending);
      };
      const leave = () => {
        stop();
        end({ isFinal: true, error: null });
      };
      const live = () => {
        isReplaying = false;
        turn.state('live');
      };
      const waitForQuiet = () => {
        clearTimeout(quiet);
        quiet = setTimeout(live, quietMs);
      };
      over.addEventListener('abort', leave);
      // The protocol wants a text, be it an empty one.
      const asked: SubscribePayload = { query: '', ...request };
      stop = client.subscribe<Record<string, unknown>>(asked, {
        next(answer) {
          if (isGap(answer)) turn.state('gap');
          else turn.state(isReplaying ? 'replaying' : 'live');
          if (isReplaying) waitForQuiet();
          turn.next(answer);
        },
        error: (error) => end(turns.isFinal(error) ? { isFinal: true, error } : { isFinal: false }),
        complete: () => end({ isFinal: true, error: null }),
      });
      // A query behind it on the same connection: once it is answered, or refused as one that is not agreed on, the server has begun to listen.
      const listening = () => {
        if (!isResumed) return live();
        turn.state('replaying');
        waitForQuiet();
      };
      client.subscribe(
        { query: '{ __typename }' },
        {
          next: listening,
          // A list is the server's word; anything else is the end of the connection.
          error: (error) => Array.isArray(error) && listening(),
          complete: () => undefined,
        },
      );
    });
  }

  return {
    subscribe(request, sink) {
      const over = new AbortController();
      followed.add(over);
      void follow(request, sink, over.signal).finally(() => followed.delete(over));
      return () => over.abort();
    },
    async close() {
      for (const over of followed) over.abort();
      // A connection that is just being made and fails is closed, too.
      await Promise.resolve(client.dispose()).catch(() => undefined);
    },
  };
}

const byBadness: readonly EventsState[] = ['ended', 'reconnecting', 'gap', 'connecting', 'replaying', 'live'];

function worstOf(states: readonly EventsState[]): EventsState {
  return byBadness.find((state) => states.includes(state)) ?? 'idle';
}

function itemOf({ data }: Answer): Record<string, unknown> | null {
  const [item] = Object.values(data ?? {});
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : null;
}

function cursorOf(answer: Answer): string | null {
  const cursor = itemOf(answer)?.['cursor'];
  return typeof cursor === 'string' ? cursor : null;
}

function isGap(answer: Answer): boolean {
  return itemOf(answer)?.['type'] === 'GAP';
}
