// The one way to the graph: trusted documents over HTTP with the session's cookie, live events over one resuming WebSocket.
import { cacheExchange, createClient, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core';
import type { EventsClient, EventsSink, EventsState } from '../../clients/events/following';

/** Whether the person did something since the last question; opening the page is something. */
let isTouched = true;
for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, () => (isTouched = true), { capture: true, passive: true });

/** A header that no form of another site can send; and whether the page asks by itself, which keeps no session alive. */
function ownHeaders(): Record<string, string> {
  const headers = { 'x-requested-with': 'dashboard', 'x-attended': isTouched ? 'yes' : 'no' };
  isTouched = false;
  return headers;
}

const socketUrl = new URL('/graphql', location.href);
socketUrl.protocol = socketUrl.protocol.replace('http', 'ws');

const listeners = new Set<() => void>();
let state: EventsState = 'idle';

let events: Promise<EventsClient> | undefined;

/** Fetched when something is first followed: nothing waits for it to be drawn. */
async function openEvents(): Promise<EventsClient> {
  const { createEventsClient } = await import('../../clients/events/events-client');
  return createEventsClient({
    url: socketUrl.href,
    // Few look on, and what is away comes back while they do.
    retryMsMax: 5_000,
    onState(next) {
      state = next;
      for (const listener of listeners) listener();
    },
  });
}

function follow(query: string, variables: Record<string, unknown>, sink: EventsSink): () => void {
  events ??= openEvents();
  let isOver = false;
  let stop = () => {
    isOver = true;
  };
  events.then(
    (client) => {
      if (!isOver) stop = client.subscribe({ query, variables }, sink);
    },
    (error) => {
      // Tried again by whoever follows next.
      events = undefined;
      sink.error(error);
    },
  );
  return () => stop();
}

/** How the live connection is now. */
export function connectionState(): EventsState {
  return state;
}

/** Calls `listener` at each change of it. */
export function watchConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const signedOut = new Set<() => void>();

/** Calls `listener` when the graph says that nobody is signed in any more. */
export function watchSignOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => void signedOut.delete(listener);
}

const doubted = new Set<() => void>();

/** Calls `listener` when the live connection was refused for its credential: whether that is the end of the session, a question tells. */
export function watchDoubt(listener: () => void): () => void {
  doubted.add(listener);
  return () => void doubted.delete(listener);
}

function isOfCredential(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 4401 || code === 4403;
}

export const client = createClient({
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: () => ({ headers: ownHeaders(), credentials: 'same-origin' }),
  requestPolicy: 'cache-and-network',
  exchanges: [
    cacheExchange,
    mapExchange({
      onError({ graphQLErrors }) {
        if (graphQLErrors.some(({ extensions }) => extensions['code'] === 'unauthenticated'))
          for (const listener of signedOut) listener();
      },
    }),
    subscriptionExchange({
      forwardSubscription: (request) => ({
        subscribe: (sink) => ({
          unsubscribe: follow(request.query ?? '', request.variables as Record<string, unknown>, {
            next: (answer) => sink.next(answer as never),
            error(error) {
              if (isOfCredential(error)) for (const listener of doubted) listener();
              sink.error(error);
            },
            complete: () => sink.complete(),
          }),
        }),
      }),
    }),
    fetchExchange,
  ],
});
