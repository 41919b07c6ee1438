// The network's side of the sandbox token service: a token comes back with a payment (payment service, PaymentWithToken).
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { testCards } from '../../shared/test-cards';
import { endOfMonth } from '../../shared/time';
import type { TokenDirectory } from '../token-service/token-directory';
import type { SandboxTokenRepository } from './token.repository';

export interface SandboxDirectoryDeps {
  tokens: SandboxTokenRepository;
  vault: Vault;
  clock: Clock;
}

export function createSandboxDirectory({ tokens, vault, clock }: SandboxDirectoryDeps): TokenDirectory {
  return {
    async findToken(token) {
      const found = await tokens.findByNumber(await vault.keyedHash('sandbox-token-service-token', token));
      return found && endOfMonth(found.tokenExpiry) > clock.now() ? found.tokenReference : null;
    },
    /** The service keeps no card number, but it can tell whether the card is one of the test cards. */
    async fundingNumber(tokenReference) {
      const token = await tokens.find(tokenReference);
      for (const { number } of testCards) {
        if ((await vault.keyedHash('sandbox-token-service-card', number)) === token?.cardHash) return number;
      }
      return null;
    },
  };
}
