// Between us and the alternative methods: a bound on every call's time, and no new calls for a while after several got no answer (document 2; alternative methods).
import { type CircuitLimits, createCircuit, type ObserveCall } from '../../shared/circuit';
import { DomainError } from '../../shared/errors';
import type { AlternativeMethod } from './alternative-method';

export type MethodCallName = keyof AlternativeMethod;

export interface GuardedMethods extends AlternativeMethod {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
  /** While it is open, nobody asks what became of earlier calls either. */
  isOpen(): boolean;
}

/**
 * The methods as the domain calls them: what does not answer in time is `unavailable`, and only silence opens the circuit.
 * A payer's visit is not begun, looked after or withdrawn while it is open; an order whose intent is written is sent all the same.
 */
export function guardMethods(
  methods: AlternativeMethod,
  limits: CircuitLimits,
  observe?: ObserveCall<MethodCallName>,
): GuardedMethods {
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
