// One follower of live events by either client, in Node and, bundled, in a page: what it was told, as plain data.
import { createEventStreamClient } from '../../clients/events/event-stream-client';
import { createEventsClient } from '../../clients/events/events-client';
import type { EventsState } from '../../clients/events/following';

export const transports = ['WebSocket', 'server-sent events'] as const;
export type Transport = (typeof transports)[number];

export interface Asked {
  transport: Transport;
  /** The address of the graph, with ws: */
  url: string;
  /** The bearer token, as long as no other is set. */
  token: string;
  after?: string | null;
  filter?: object;
}

export interface Told {
  events: { eventId: string; sequence: number; type: string }[];
  states: EventsState[];
  /** Why it was over: `complete`, the code that it was closed with, or `errors` for a list of them. */
  ended: (string | number)[];
  credentialsAsked: number;
}

export interface Followed {
  told: Told;
  setToken(token: string): void;
  stop(): void;
  close(): Promise<void>;
}

const document =
  'subscription($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) { eventId sequence cursor type } }';

/** From now on, or after a cursor. `webSocketImpl`: where it is not a global. */
export function follow({ transport, url, token, after = null, filter = {} }: Asked, webSocketImpl?: unknown): Followed {
  const told: Told = { events: [], states: [], ended: [], credentialsAsked: 0 };
  let present = token;
  const options = {
    retryMs: 20,
    retryMsMax: 100,
    credentials() {
      told.credentialsAsked += 1;
      return { authorization: `Bearer ${present}` };
    },
    onState: (state: EventsState) => void told.states.push(state),
  };
  const client =
    transport === 'WebSocket'
      ? createEventsClient({ ...options, url, webSocketImpl })
      : createEventStreamClient({ ...options, url: `${url.replace(/^ws/, 'http')}/events` });
  const stop = client.subscribe(
    { query: transport === 'WebSocket' ? document : undefined, variables: { filter, after } },
    {
      next({ data }) {
        const event = data?.['events'] as Told['events'][number] | undefined;
        if (event) told.events.push({ eventId: event.eventId, sequence: event.sequence, type: event.type });
      },
      error: (error) => told.ended.push(reasonOf(error)),
      complete: () => told.ended.push('complete'),
    },
  );
  return {
    told,
    setToken(next) {
      present = next;
    },
    stop,
    close: () => client.close(),
  };
}

function reasonOf(error: unknown): string | number {
  if (Array.isArray(error)) return 'errors';
  const { code } = error as { code?: number };
  return code ?? String(error);
}
