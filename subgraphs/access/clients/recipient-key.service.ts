// The key that results are sealed to: the newest active one that the calling client has registered, never one from a request
// (decision register 2.1-A, Whose key seals results).
import type { Caller, Environment } from '../../shared/callers/caller';
import type { RecipientKey } from '../../shared/crypto/jwe';
import { createTtlCache } from '../../shared/store/ttl-cache';
import type { ClientRepository } from './client.repository';
import { newestActiveKey } from './encryption-key';

export interface RecipientKeyService {
  /** Null when nothing usable is registered. A change made in another process is seen within 1 s. */
  recipientKey(caller: Pick<Caller, 'credentialId'>): Promise<RecipientKey | null>;
  forgetRemembered(): void;
}

const rememberedMsMax = 800;
const rememberedMax = 1_000;

export function createRecipientKeyService(environment: Environment, clients: ClientRepository): RecipientKeyService {
  const remembered = createTtlCache<RecipientKey>({
    keptMsMax: rememberedMsMax,
    sizeMax: rememberedMax,
    async load(clientId) {
      const [client] = await clients.findForAuthentication(environment, [clientId]);
      const newest = newestActiveKey(client?.encryptionKeys ?? []);
      return newest && { kty: 'RSA', kid: newest.kid, n: newest.n, e: newest.e };
    },
  });
  return {
    recipientKey: ({ credentialId }) => remembered.get(credentialId),
    forgetRemembered: remembered.clear,
  };
}
