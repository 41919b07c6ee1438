// Actors of a proof that each live one life after the other; a life ends early when a call of it was refused, which is a fault of the program.
import { newId } from '../../subgraphs/shared/ids';
import type { Answer } from '../support/client';
import type { Attempts, Call } from './attempts';
import type { Random } from './random';

export interface Asking {
  /** Repeats until there is a final answer, which must be a success; the same key protects every repetition. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** The same for a call that nothing protects when it is repeated: only its first try must be a success; null when a later one was refused. */
  tell(method: string, path: string, options?: AskOptions): Promise<Answer | null>;
  /** One try without a key, on something that nobody else touches: it is done, or "not now", or its connection breaks (null). */
  dare(method: string, path: string, options?: AskOptions): Promise<Answer | null>;
}

interface AskOptions {
  headers?: Record<string, string>;
  body?: unknown;
}

/** What ends a life: the fault is noted already. */
class Refused extends Error {}

export function createAsking(url: string, attempts: Attempts): Asking {
  const refuse = (call: Call, answer: Answer | null, tries: number): never => {
    const said = answer ? `${answer.status} ${answer.text}` : 'nothing';
    attempts.faults.push(`${call.method} ${call.path} was answered with ${said} after ${tries} tries`);
    throw new Refused();
  };
  const persist = async (call: Call) => {
    const { answer, tries } = await attempts.persist(url, call);
    return { call, answer, tries, isDone: answer !== null && answer.status < 300 };
  };
  return {
    async ask(method, path, { headers, body } = {}) {
      const options = { body, headers: { ...headers, 'Idempotency-Key': newId() } };
      const { call, answer, tries, isDone } = await persist({ method, path, options });
      return answer && isDone ? answer : refuse(call, answer, tries);
    },
    async tell(method, path, options = {}) {
      const { call, answer, tries, isDone } = await persist({ method, path, options });
      if (answer && isDone) return answer;
      return tries > 1 ? null : refuse(call, answer, tries);
    },
    async dare(method, path, options = {}) {
      const call = { method, path, options };
      const answer = await attempts.once(url, call);
      if (!answer || answer.status === 503) return null;
      return answer.status < 300 ? answer : refuse(call, answer, 1);
    },
  };
}

export interface Lives {
  /** Lives that came to their end. */
  count(): number;
  /** Lets every life come to its end. */
  stop(): Promise<void>;
}

/** One life; a refusal ends it, and is noted. */
export async function liveOnce(life: Promise<void>): Promise<void> {
  await life.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

/** Starts actors; each lives by choices of its own. */
export function startLives(
  { random, actors }: { random: Random; actors: number },
  live: (own: Random) => Promise<void>,
): Lives {
  let isStopping = false;
  let ended = 0;
  const actor = async (own: Random) => {
    while (!isStopping) {
      await liveOnce(live(own));
      ended += 1;
    }
  };
  const running = Array.from({ length: actors }, (_, index) => actor(random.branch(`life ${index}`)));
  // Looked at when they are stopped; until then nobody waits for them.
  for (const one of running) one.catch(() => undefined);
  return {
    count: () => ended,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
