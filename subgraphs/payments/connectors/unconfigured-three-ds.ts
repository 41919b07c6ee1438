// Stands where no 3-D Secure server is configured: every question is refused, none is answered as if it had been asked.
import { DomainError } from '../../shared/errors';
import type { ThreeDs } from './three-ds';

export function unconfiguredThreeDs(): ThreeDs {
  const refuse = async (): Promise<never> => {
    throw new DomainError('unavailable', 'No 3-D Secure server is configured.', { retryAfterSeconds: 60 });
  };
  return { needsDeviceCheck: () => false, authenticate: refuse, ask: refuse, answer: async () => null };
}
