// The caller that holds a key: of a terminal (hosted checkout, X-API-KEY), of a consumer, a partner or a merchant (administration interface, Authentication).
import type { Caller, Scope } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { withoutAbsent } from '../../shared/present-members';
import { type ApiKey, type ApiKeyKind, type KeyHalves, splitApiKey } from './api-key';
import type { ApiKeyService } from './api-key.service';

/** What the holder of a key may do. */
const scopesOfKind: Readonly<Record<ApiKeyKind, readonly Scope[]>> = {
  checkout: ['checkout'],
  consumer: ['administration'],
  partner: ['onboarding', 'reporting'],
  merchant: ['reporting'],
};

/** Kinds that are sent as the whole Authorization value. */
const secretKinds = ['partner', 'merchant'] as const satisfies readonly ApiKeyKind[];

/** The caller that holds this value of X-API-KEY; throws `unauthenticated` or `keyRevoked`. */
export async function authenticateTerminal(apiKeys: ApiKeyService, presented: string): Promise<Caller> {
  return callerOf(await apiKeys.authenticate('checkout', presented));
}

/** The caller that holds this consumer key and its secret; throws `unauthenticated` or `keyRevoked`. */
export async function authenticateConsumer(apiKeys: ApiKeyService, halves: KeyHalves): Promise<Caller> {
  return callerOf(await apiKeys.authenticateHalves('consumer', halves));
}

/** The caller that holds this secret key, of the kind that its visible half names; throws `unauthenticated` or `keyRevoked`. */
export async function authenticateSecretKey(apiKeys: ApiKeyService, presented: string): Promise<Caller> {
  const halves = splitApiKey(presented);
  const kind = secretKinds.find((candidate) => halves?.keyId.startsWith(`${candidate}_`));
  if (!halves || !kind) throw new DomainError('unauthenticated');
  return callerOf(await apiKeys.authenticateHalves(kind, halves));
}

function callerOf({ keyId, kind, environment, accountId, merchantId, holderId }: ApiKey): Caller {
  const isOfMerchant = kind === 'checkout' || kind === 'merchant';
  if (isOfMerchant && merchantId === null) throw new Error(`the key ${keyId} names no merchant`);
  return Object.freeze<Caller>({
    kind: 'apiKey',
    credentialId: keyId,
    environment,
    accountId,
    ...withoutAbsent({ merchantId, terminalId: kind === 'checkout' ? holderId : null }),
    scopes: scopesOfKind[kind],
    identifiers: [],
  });
}
