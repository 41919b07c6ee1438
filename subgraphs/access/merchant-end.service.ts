// What becomes of a merchant's credentials when it is deleted: its keys and those of its terminals are revoked, its clients disabled (decision register 2.3-A, Inactive and Deleted).
import { type Environment, systemCaller } from '../shared/callers/caller';
import { requestContext } from '../shared/callers/context';
import { newId } from '../shared/ids';
import type { ClientRepository } from './clients/client.repository';
import type { ClientService } from './clients/client.service';
import type { ApiKeyRepository } from './keys/api-key.repository';
import type { ApiKeyService } from './keys/api-key.service';

export interface CredentialsEndDeps {
  keys: ApiKeyRepository;
  apiKeys: ApiKeyService;
  clients: ClientRepository;
  service: ClientService;
}

/** Each in its own transaction with its own audit record: harmless to repeat. Keys of the merchant's account stay. */
export async function endCredentialsOf(
  { keys, apiKeys, clients, service }: CredentialsEndDeps,
  environment: Environment,
  merchantId: string,
): Promise<void> {
  const context = requestContext(systemCaller(environment, 'merchant-end'), newId());
  const active = await keys.listActive(context.caller, [merchantId]);
  for (const { keyId } of active) await apiKeys.revoke(context, keyId);
  for (const { clientId } of await clients.listActiveOf(environment, merchantId))
    await service.setStatus(context, { clientId, status: 'DISABLED', reason: null }, () => []);
}
