// The token service of an installation that has none yet: every call is refused, nothing is half done.
import { DomainError } from '../../shared/errors';
import type { TokenDirectory } from './token-directory';
import type { TokenService } from './token-service';

export function unconfiguredTokenService(): TokenService {
  const refuse = () =>
    Promise.reject(new DomainError('unavailable', 'No token service is configured.', { retryAfterSeconds: 60 }));
  return { provision: refuse, cryptogram: refuse, findProvisioning: refuse, release: refuse };
}

/** Without a token service there is no token to pay with. */
export function unconfiguredDirectory(): TokenDirectory {
  return { findToken: async () => null, fundingNumber: async () => null };
}
