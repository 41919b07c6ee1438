// One call as a client under faults sees it: an answer that the OpenAPI files know, or a broken connection; and how long it is repeated.
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, assertDocumented, type CallOptions, send } from '../support/client';

export interface Call {
  method: string;
  path: string;
  options: CallOptions;
}

export interface Attempts {
  /** How often each outcome was seen: a status, or the code of a broken connection. */
  outcomes: Map<string, number>;
  /** What no client may ever see: a 500, a 503 without Retry-After, an undocumented answer, a call without an end. */
  faults: string[];
  /** Answered calls with their start and end, for latency and bounds. */
  longestMs: number;
  /** One attempt; null when the connection broke. */
  once(url: string, call: Call): Promise<Answer | null>;
  /** Repeats until it is neither broken, nor refused as busy, nor unavailable; returns how many tries it took. */
  persist(url: string, call: Call): Promise<{ answer: Answer | null; tries: number }>;
}

/** A client that gives up later than the program itself does. */
const callMsMax = 60_000;
const pauseMsMax = 400;

interface AttemptsOptions {
  /** From then on a call that is still not served is a fault. */
  deadlineMs?: number;
  /** False for pages and addresses that the OpenAPI files do not know. */
  isDocumented?: boolean;
}

export function createAttempts({ deadlineMs = 180_000, isDocumented = true }: AttemptsOptions = {}): Attempts {
  const attempts: Attempts = {
    outcomes: new Map(),
    faults: [],
    longestMs: 0,
    async once(url, call) {
      const startedMs = performance.now();
      const { answer, outcome } = await sendOnce(url, call);
      attempts.longestMs = Math.max(attempts.longestMs, Math.round(performance.now() - startedMs));
      attempts.outcomes.set(outcome, (attempts.outcomes.get(outcome) ?? 0) + 1);
      const fault = faultOf(call, answer, outcome) ?? (answer && isDocumented ? drift(call, answer) : null);
      if (fault) attempts.faults.push(fault);
      return answer;
    },
    async persist(url, call) {
      const untilMs = performance.now() + deadlineMs;
      for (let tries = 1; ; tries += 1) {
        const answer = await attempts.once(url, call);
        if (answer && !isToBeRepeated(answer)) return { answer, tries };
        if (performance.now() > untilMs) {
          const last = answer ? `${answer.status} ${answer.text}` : 'a broken connection';
          attempts.faults.push(
            `${call.method} ${call.path} was not served within ${deadlineMs} ms (${tries} tries, then ${last})`,
          );
          return { answer: null, tries };
        }
        await wait(Math.min(pauseMsMax, 50 * tries));
      }
    },
  };
  return attempts;
}

/** Unavailable, or its first request still runs: 409, in family B PS0025. */
function isToBeRepeated({ status, body }: Answer): boolean {
  return status === 503 || status === 409 || (status === 400 && body?.errors?.[0]?.code === 'PS0025');
}

async function sendOnce(url: string, call: Call): Promise<{ answer: Answer | null; outcome: string }> {
  const late = wait(callMsMax, 'no end' as const, { ref: false });
  try {
    const answer = await Promise.race([send(url, call), late]);
    return answer === 'no end' ? { answer: null, outcome: answer } : { answer, outcome: String(answer.status) };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { answer: null, outcome: code ?? message };
  }
}

function faultOf({ method, path, options }: Call, answer: Answer | null, outcome: string): string | null {
  if (outcome === 'no end') {
    const since = new Date(Date.now() - callMsMax).toISOString();
    return `${method} ${path} (${options.headers?.['X-Request-ID'] ?? 'sandbox'}) has had no answer since ${since}`;
  }
  if (!answer) return null;
  if (answer.status === 503 && !/^[1-9]\d*$/.test(String(answer.headers['retry-after'])))
    return `${method} ${path} answered 503 without Retry-After`;
  if (answer.status >= 500 && answer.status !== 503)
    return `${method} ${path} answered ${answer.status}: ${answer.text}`;
  return null;
}

/** What the OpenAPI files say against an answer; null when they know it. */
export function drift({ method, path }: Call, answer: Answer): string | null {
  try {
    assertDocumented(method, path, answer);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Outcomes as one line, most frequent first. */
export function printOutcomes(outcomes: ReadonlyMap<string, number>): string {
  const sorted = [...outcomes].sort(([, a], [, b]) => b - a);
  return sorted.map(([outcome, count]) => `${outcome} ${count}`).join(', ');
}
