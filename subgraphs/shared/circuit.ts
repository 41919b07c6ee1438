// A circuit breaker between us and whoever answers our calls: a bound on every call's time, and no calls at all for a while after several got no answer.

import { inTime } from './deadline';
import { DomainError } from './errors';

export interface CircuitLimits {
  /** Longest wait for one answer. */
  callTimeoutMs: number;
  /** Calls without an answer, in a row, after which the circuit opens. */
  silencesMax: number;
  /** How long it stays open before one call may try again. */
  openMs: number;
}

export const circuitLimits: CircuitLimits = { callTimeoutMs: 5_000, silencesMax: 5, openMs: 5_000 };

/** Told about every call that was made; the outcome is `answered` or the code of the refusal. */
export type ObserveCall<Call extends string> = (call: { call: Call; outcome: string; seconds: number }) => void;

export interface CircuitSettings<Call extends string> {
  /** As it begins a sentence: `The token service`. */
  name: string;
  limits?: CircuitLimits;
  observe?: ObserveCall<Call> | undefined;
  /** Whether a rejection is an answer: one that a single bad card can provoke does not open the circuit. */
  isAnswer(error: unknown): boolean;
}

export interface Circuit<Call extends string> {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
  isOpen(): boolean;
  /** Makes the call, open or not. Rejects with `unavailable` when there is no answer in time. */
  call<Answer>(name: Call, send: () => Promise<Answer>): Promise<Answer>;
}

/** Real time: it measures connections. */
export function createCircuit<Call extends string>(settings: CircuitSettings<Call>): Circuit<Call> {
  const { name, limits = circuitLimits, observe, isAnswer } = settings;
  let silences = 0;
  let openUntilMs = 0;
  const late = () => new DomainError('unavailable', `${name} did not answer in time.`, { retryAfterSeconds: 5 });

  return {
    isOpen: () => openUntilMs > Date.now(),
    admit() {
      const waitMs = openUntilMs - Date.now();
      if (waitMs <= 0) return;
      throw new DomainError('unavailable', `${name} cannot be reached.`, {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      });
    },
    async call(call, send) {
      const startedMs = performance.now();
      const tell = (outcome: string) => observe?.({ call, outcome, seconds: (performance.now() - startedMs) / 1_000 });
      // While half open, the others wait outside until this one call has shown what to expect.
      if (silences >= limits.silencesMax) openUntilMs = Date.now() + limits.callTimeoutMs;
      try {
        const answer = await inTime(send(), limits.callTimeoutMs, late);
        [silences, openUntilMs] = [0, 0];
        tell('answered');
        return answer;
      } catch (error) {
        tell(error instanceof DomainError ? error.code : 'internal');
        if (isAnswer(error)) [silences, openUntilMs] = [0, 0];
        else silences += 1;
        if (silences >= limits.silencesMax) openUntilMs = Date.now() + limits.openMs;
        throw error;
      }
    },
  };
}
