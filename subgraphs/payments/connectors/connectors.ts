// The way out to whoever moves the money, bounded in time and kept back for a while after several calls got no answer.
import { type CircuitLimits, createCircuit, type ObserveCall } from '../../shared/circuit';
import { DomainError } from '../../shared/errors';
import type { Acquirer } from './acquirer';
import type { AlternativeMethod } from './alternative-method';

export type AcquirerCallName = 'register' | 'send' | 'ask';
export type MethodCallName = keyof AlternativeMethod;

interface Guard {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
  /** While it is open, nobody asks what became of earlier calls either. */
  isOpen(): boolean;
}

export interface Connectors {
  acquirer: Acquirer & Guard;
  alternativeMethods: AlternativeMethod & Guard;
}

/** Only silence opens the circuit; a declined card is an answer. A call whose intent is written is made even so: at worst its outcome is asked for later. */
export function guardAcquirer(
  acquirer: Acquirer,
  limits: CircuitLimits,
  observe?: ObserveCall<AcquirerCallName>,
): Connectors['acquirer'] {
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

/** The same of methods: no payer's visit is begun, looked after or withdrawn while the circuit is open; an order with an intent is sent all the same. */
export function guardMethods(
  methods: AlternativeMethod,
  limits: CircuitLimits,
  observe?: ObserveCall<MethodCallName>,
): Connectors['alternativeMethods'] {
  const circuit = createCircuit<MethodCallName>({ name: 'The payment method', limits, observe, isAnswer });
  const admitted = async <Answer>(name: MethodCallName, send: () => Promise<Answer>): Promise<Answer> => {
    circuit.admit();
    return circuit.call(name, send);
  };
  return {
    admit: circuit.admit,
    isOpen: circuit.isOpen,
    start: (visit) => admitted('start', () => methods.start(visit)),
    ask: (visitId) => admitted('ask', () => methods.ask(visitId)),
    withdraw: (visitId) => admitted('withdraw', () => methods.withdraw(visitId)),
    answer: (visitId, answer) => admitted('answer', () => methods.answer(visitId, answer)),
    register: (account) => admitted('register', () => methods.register(account)),
    debit: (debit) => circuit.call('debit', () => methods.debit(debit)),
    askDebit: (callId) => circuit.call('askDebit', () => methods.askDebit(callId)),
    refund: (refund) => circuit.call('refund', () => methods.refund(refund)),
  };
}

function isAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.code !== 'unavailable';
}
