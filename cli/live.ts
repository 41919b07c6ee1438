// One WebSocket conversation of the command line: connect, subscribe, hand over items until it ends, and say how it ended.
import { createClient } from 'graphql-ws/client';
import { WebSocket } from 'ws';

/** How a conversation ended: closed by anyone (worth coming back), refused by the graph (worth it when that passes), or stopped by the one who listens. */
export type LiveEnding =
  | { how: 'closed'; code: number; reason: string }
  | { how: 'refused'; reason: string; isPassing: boolean }
  | { how: 'stopped' };

export interface Conversation {
  url: string;
  accessToken: string;
  query: string;
  variables: Record<string, unknown>;
  /** Called per item, in order; `stop` ends the conversation. */
  onItem(data: Record<string, unknown>, stop: () => void): void;
  /** Called once the server has accepted the credential. */
  onConnected?(): void;
}

/** Refusals that say nothing of what was asked: the same may be taken a moment later. */
const passing = new Set<unknown>(['unavailable', 'rateLimited', 'internal']);
const pingEveryMs = 10_000;
const pongWithinMs = 5_000;

/** Runs one conversation to its end; a silent connection is closed after a missed pong, so that it never looks alive. */
export function converse(conversation: Conversation): Promise<LiveEnding> {
  return new Promise((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const client = createClient({
      url: conversation.url,
      webSocketImpl: WebSocket,
      lazy: true,
      retryAttempts: 0,
      keepAlive: pingEveryMs,
      connectionParams: { authorization: `Bearer ${conversation.accessToken}` },
      on: {
        connected: () => conversation.onConnected?.(),
        ping: (received) => {
          if (!received) silence = setTimeout(() => client.terminate(), pongWithinMs);
        },
        pong: (received) => {
          if (received) clearTimeout(silence);
        },
      },
    });
    let hasEnded = false;
    const end = (ending: LiveEnding) => {
      hasEnded = true;
      clearTimeout(silence);
      resolve(ending);
      void client.dispose();
    };
    const { query, variables } = conversation;
    const unsubscribe = client.subscribe<Record<string, unknown>>(
      { query, variables },
      {
        next: (result) => {
          // Frames that were already on their way when the listener had enough.
          if (hasEnded) return;
          if (result.errors?.length) return end(refusedBy(result.errors));
          conversation.onItem(result.data ?? {}, () => {
            end({ how: 'stopped' });
            unsubscribe();
          });
        },
        error: (error) => end(endingOf(error)),
        complete: () => end({ how: 'closed', code: 1000, reason: 'the server ended the subscription' }),
      },
    );
  });
}

function endingOf(error: unknown): LiveEnding {
  if (Array.isArray(error)) return refusedBy(error);
  const { code, reason, message } = error as { code?: unknown; reason?: unknown; message?: unknown };
  const words = [reason, message].find((word) => typeof word === 'string' && word !== '');
  return { how: 'closed', code: typeof code === 'number' ? code : 1006, reason: String(words ?? 'connection lost') };
}

interface ToldError {
  message: string;
  extensions?: Record<string, unknown> | undefined;
}

function refusedBy(errors: readonly ToldError[]): LiveEnding {
  const reason = errors.map(({ message }) => message).join('; ');
  const isPassing = errors.length > 0 && errors.every(({ extensions }) => passing.has(extensions?.['code']));
  return { how: 'refused', reason, isPassing };
}
