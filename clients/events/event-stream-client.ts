// The same client where a WebSocket cannot be had: server-sent events of `GET /graphql/events`, read by fetch, so that a bearer token can go along and each end has its reason.
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
import { readEventStream, type StreamedEvent } from './read-event-stream';

export interface EventStreamClientOptions extends FollowingOptions {
  /** The address of the streams, with http: or https:, for example https://graph.example/graphql/events. */
  url: string;
  /** Headers of each request, such as `authorization`; asked for at each, so that a credential can be renewed. Not needed with a cookie. */
  credentials?: () => Promise<Record<string, string>> | Record<string, string>;
  /** A connection that is silent for so long is dead: the server says every 15 seconds that it is there. */
  silentMsMax?: number;
}

/** Each subscription is a request of its own. It asks for `events`: its variables are `filter` and `after`. */
export function createEventStreamClient(options: EventStreamClientOptions): EventsClient {
  const { retryMs = 500, retryMsMax = 20_000, onState } = options;
  const following = createFollowing(onState);
  return {
    subscribe(request, sink) {
      const turns = createConnectionTurns({ retryMs, retryMsMax });
      const once = async (asked: EventsRequest, over: AbortSignal, turn: EventsTurn): Promise<Ending> => {
        const error = await streamOnce(options, asked, over, { ...turn, opened: turns.connected });
        turns.closed();
        return turns.isFinal(error) ? { isFinal: true, error } : { isFinal: false };
      };
      return following.start(once, turns, { request, sink });
    },
    async close() {
      following.stopAll();
    },
  };
}

interface StreamTurn extends EventsTurn {
  opened(): void;
}

/** Resolves with why it ended, as a WebSocket would have told it: a code and a reason, the list of errors that it was refused with, or what went wrong on the way. */
async function streamOnce(
  { url, credentials, silentMsMax = 45_000 }: EventStreamClientOptions,
  request: EventsRequest,
  over: AbortSignal,
  turn: StreamTurn,
): Promise<unknown> {
  const connection = new AbortController();
  const end = () => connection.abort();
  over.addEventListener('abort', end);
  const { after } = request.variables;
  const progress = createProgress(turn);
  let ended: unknown = null;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(silence);
    silence = setTimeout(end, silentMsMax);
  };
  try {
    alive();
    const resumed: Record<string, string> = typeof after === 'string' ? { 'last-event-id': after } : {};
    const headers = { accept: 'text/event-stream', ...(await credentials?.()), ...resumed };
    const response = await fetch(addressOf(url, request), { headers, signal: connection.signal });
    if (response.status !== 200 || !response.body) return await refusalOf(response);
    turn.opened();
    progress.listening();
    await readEventStream(response.body, alive, (event) => {
      if (event.type === 'end') ended = JSON.parse(event.data);
      // An empty one says nothing about where to go on.
      else progress.next(answerOf(event), event.id || undefined);
    });
    return ended;
  } catch (error) {
    return ended ?? error;
  } finally {
    clearTimeout(silence);
    progress.stop();
    end();
    over.removeEventListener('abort', end);
  }
}

function addressOf(url: string, { query, documentId, variables }: EventsRequest): string {
  const search = new URLSearchParams();
  if (query) search.set('query', query);
  if (documentId) search.set('documentId', documentId);
  for (const [name, values] of Object.entries((variables['filter'] ?? {}) as Record<string, unknown>))
    for (const value of valuesOf(values)) search.append(name, value);
  return `${url}?${search}`;
}

/** An empty list goes along as one, and what is none as it stands: whether that narrows anything, the server says. */
function valuesOf(given: unknown): string[] {
  if (given === null || given === undefined) return [];
  if (!Array.isArray(given)) return [String(given)];
  return given.length === 0 ? [''] : given.map(String);
}

/** What a subscription over WebSocket has as its answer. */
function answerOf({ data }: StreamedEvent) {
  const { errors, ...item } = JSON.parse(data) as Record<string, unknown> & { errors?: never };
  const answer = { data: { events: item } };
  return errors ? { ...answer, errors } : answer;
}

/** Credentials by the codes of a WebSocket, what another try cannot mend as the list of errors, and what it can as it stands. */
async function refusalOf(response: Response): Promise<unknown> {
  const { errors } = (await response.json().catch(() => ({}))) as { errors?: { message?: string }[] };
  const reason = errors?.[0]?.message ?? `the stream was answered with ${response.status}`;
  if (response.status === 401 || response.status === 403) return { code: 4_000 + response.status, reason };
  const isForLater = response.status === 429 || response.status >= 500;
  return isForLater ? new Error(reason) : (errors ?? [{ message: reason }]);
}
