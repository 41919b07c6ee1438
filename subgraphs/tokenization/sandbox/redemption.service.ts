// The network's side of the sandbox token service: a token and its cryptogram come back with a payment (document 1, cryptogram; document 2 A, PaymentWithToken).
import type { Clock } from '../../shared/clock';
import { testCards } from '../../shared/test-cards';
import { endOfMonth } from '../../shared/time';
import type { Vault } from '../../shared/vault';
import type { CryptogramRedemption } from '../cryptogram-redemption';
import { isCryptogramOf } from './cryptogram';
import type { SandboxTokenRepository } from './token.repository';

export interface SandboxRedemptionDeps {
  tokens: SandboxTokenRepository;
  vault: Vault;
  clock: Clock;
}

export function createSandboxRedemption({ tokens, vault, clock }: SandboxRedemptionDeps): CryptogramRedemption {
  return {
    async findToken(token) {
      const found = await tokens.findByNumber(await vault.keyedHash('sandbox-token-service-token', token));
      return found && endOfMonth(found.tokenExpiry) > clock.now() ? found.tokenReference : null;
    },
    async spend({ tokenReference, cryptogram, usedFor }) {
      const token = await tokens.find(tokenReference);
      if (token?.status !== 'ACTIVE' || !(await isCryptogramOf(vault, cryptogram, tokenReference))) return false;
      const cryptogramHash = await vault.keyedHash('sandbox-token-service-redemption', cryptogram);
      return tokens.spend({ cryptogramHash, usedFor, usedAt: clock.now() });
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
