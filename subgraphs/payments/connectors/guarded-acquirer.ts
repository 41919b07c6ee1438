// Between us and an acquirer: a bound on every call's time, and no new calls for a while after several got no answer (document 2; no answer from the acquirer).
import { type CircuitLimits, createCircuit, type ObserveCall } from '../../shared/circuit';
import { DomainError } from '../../shared/errors';
import type { Acquirer } from './acquirer';

export type AcquirerCallName = 'register' | 'send' | 'ask';

export interface GuardedAcquirer extends Acquirer {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
  /** While it is open, nobody asks what became of earlier calls either. */
  isOpen(): boolean;
}

/**
 * Only silence opens the circuit: no answer in time, no connection. A card that is declined, or whose issuer is silent, is an answer.
 * A call whose intent is written is made even when the circuit opened since: then its outcome is at worst asked for later.
 */
export function guardAcquirer(
  acquirer: Acquirer,
  limits: CircuitLimits,
  observe?: ObserveCall<AcquirerCallName>,
): GuardedAcquirer {
  const circuit = createCircuit<AcquirerCallName>({ name: 'The acquirer', limits, observe, isAnswer });
  return {
    admit: circuit.admit,
    isOpen: circuit.isOpen,
    async register(card) {
      circuit.admit();
      return circuit.call('register', () => acquirer.register(card));
    },
    send: (order) => circuit.call('send', () => acquirer.send(order)),
    ask: (callId) => circuit.call('ask', () => acquirer.ask(callId)),
  };
}

function isAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.code !== 'unavailable';
}
