// Between us and a token service: a bound on every call's time, and no calls at all for a while after several got no answer.
import { type CircuitLimits, circuitLimits, createCircuit, type ObserveCall } from '../../shared/circuit';
import { DomainError } from '../../shared/errors';
import type { TokenService } from './token-service';

export { circuitLimits as guardLimits };

export interface GuardedTokenService extends TokenService {
  /** Refuses with `unavailable` while the circuit is open; ask before writing an intent. */
  admit(): void;
}

/** Guards a token service. Only silence (no answer in time, no connection) opens the circuit: a refusal or a failure is an answer. */
export function guardTokenService(
  service: TokenService,
  limits: CircuitLimits = circuitLimits,
  observe?: ObserveCall<keyof TokenService>,
): GuardedTokenService {
  const circuit = createCircuit<keyof TokenService>({ name: 'The token service', limits, observe, isAnswer });
  async function call<Answer>(name: keyof TokenService, send: () => Promise<Answer>): Promise<Answer> {
    circuit.admit();
    return circuit.call(name, send);
  }

  return {
    admit: circuit.admit,
    provision: (provisioning) => call('provision', () => service.provision(provisioning)),
    cryptogram: (request) => call('cryptogram', () => service.cryptogram(request)),
    findProvisioning: (requestId) => call('findProvisioning', () => service.findProvisioning(requestId)),
    release: (requestId) => call('release', () => service.release(requestId)),
  };
}

function isAnswer(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'tokenServiceRefused' || error.code === 'tokenServiceFailed');
}
