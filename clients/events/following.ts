// What every way to live events has in common: the cursor that is kept, the turns after a break, and what is told of the connection.
import type { FormattedExecutionResult } from 'graphql-ws';
import type { ConnectionTurns } from './connection-turns';

export type Answer = FormattedExecutionResult<Record<string, unknown>, unknown>;

/** `replaying`: events of the past come in after a break; `live`: what happens now; `gap`: events are missing, since they were older than what is kept or came before there was a cursor. */
export type EventsState = 'idle' | 'connecting' | 'replaying' | 'live' | 'gap' | 'reconnecting' | 'ended';

export interface FollowingOptions {
  onState?: (state: EventsState) => void;
  /** First wait before another try; doubled at each further one, with jitter. */
  retryMs?: number;
  retryMsMax?: number;
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

export type Ending = { isFinal: true; error: unknown } | { isFinal: false };

/** `resumed`: behind a cursor; `lost`: after a break without one, so that what came meanwhile is missing. */
export type EventsStart = 'fresh' | 'resumed' | 'lost';

/** What one connection tells while it lasts. */
export interface EventsTurn {
  start: EventsStart;
  state(state: EventsState): void;
  /** `cursor`: where the transport itself says it. */
  next(answer: Answer, cursor?: string): void;
}

/** One subscription on one connection, until either ends. */
export type FollowOnce = (request: EventsRequest, over: AbortSignal, turn: EventsTurn) => Promise<Ending>;

/** What is told of all subscriptions of a client together: the worst of those that go on is how the client is, and ended it is when none does. */
export function createFollowing(onState: ((state: EventsState) => void) | undefined) {
  const followed = new Set<AbortController>();
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

  async function follow(once: FollowOnce, turns: ConnectionTurns, asked: EventsCall, over: AbortSignal): Promise<void> {
    const { request, sink } = asked;
    const self = {};
    let after = request.variables['after'] ?? null;
    let isAgain = false;
    tell(self, 'connecting');
    while (!over.aborted) {
      const ending = await once({ ...request, variables: { ...request.variables, after } }, over, {
        start: after !== null ? 'resumed' : isAgain ? 'lost' : 'fresh',
        state: (state) => tell(self, state),
        next(answer, cursor) {
          after = cursor ?? cursorOf(answer) ?? after;
          sink.next(answer);
        },
      });
      if (over.aborted) break;
      if (ending.isFinal) {
        if (ending.error === null) sink.complete();
        else sink.error(ending.error);
        if (over.aborted) break;
        tell(self, 'ended');
        over.addEventListener('abort', () => tell(self, null));
        return;
      }
      isAgain = true;
      tell(self, 'reconnecting');
      await turns.next(over);
    }
    tell(self, null);
  }

  return {
    /** Until the returned function is called. */
    start(once: FollowOnce, turns: ConnectionTurns, asked: EventsCall): () => void {
      const over = new AbortController();
      followed.add(over);
      void follow(once, turns, asked, over.signal).finally(() => followed.delete(over));
      return () => over.abort();
    },
    stopAll(): void {
      for (const over of followed) over.abort();
    },
  };
}

interface EventsCall {
  request: EventsRequest;
  sink: EventsSink;
}

/** A replay has ended when nothing more came for so long; no protocol says it. */
const quietMs = 400;

/** What is told when the server has begun to listen. */
const begun = { fresh: 'live', resumed: 'replaying', lost: 'gap' } as const;

/** Tells `replaying`, `gap` and `live` as events come; `listening` when the server has begun to listen, `stop` at the end. */
export function createProgress(turn: EventsTurn) {
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let isReplaying = turn.start === 'resumed';
  let isOver = false;
  const live = () => {
    isReplaying = false;
    turn.state('live');
  };
  const waitForQuiet = () => {
    clearTimeout(quiet);
    quiet = setTimeout(live, quietMs);
  };
  return {
    listening(): void {
      // The answer to whether the server listens may come behind the end of what it was to listen for.
      if (isOver) return;
      turn.state(begun[turn.start]);
      if (turn.start !== 'fresh') waitForQuiet();
    },
    next(answer: Answer, cursor?: string): void {
      if (isGap(answer)) turn.state('gap');
      else turn.state(isReplaying ? 'replaying' : 'live');
      if (isReplaying) waitForQuiet();
      turn.next(answer, cursor);
    },
    stop(): void {
      isOver = true;
      clearTimeout(quiet);
    },
  };
}

/** One that ended says nothing of the others: a refusal belongs to whoever asked for it. */
const byBadness: readonly EventsState[] = ['reconnecting', 'gap', 'connecting', 'replaying', 'live', 'ended'];

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
