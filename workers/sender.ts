// Turns a due callback into a signed request of one endpoint (tokenization interface, outbound call; Standard Webhooks; T1 of the decision register: exact spelling).
import {
  type CallbackEndpoint,
  type DueCallback,
  type NotificationsStores,
  securityTokenMark,
  signingKey,
  signingSecrets,
  webhookSignature,
} from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import type { SealedField } from '../subgraphs/shared/crypto/sealed-fields';
import type { Sealed, Vault } from '../subgraphs/shared/crypto/vault';
import { DomainError } from '../subgraphs/shared/errors';
import type { Egress, EgressReply } from './egress';

export type Sender = (callback: DueCallback) => Promise<EgressReply>;

const blocked: EgressReply = { result: 'blockedTarget', status: null, retryAfter: null, excerpt: null, durationMs: 0 };

export interface SenderDeps {
  egress: Egress;
  vault: Pick<Vault, 'open'>;
  clock: Clock;
  stores: Pick<NotificationsStores, 'signingEndpoint'>;
}

/** Opens the endpoint's secrets once; the sender signs every attempt with all that are live. */
export async function openSender(
  { egress, vault, clock, stores }: SenderDeps,
  endpoint: CallbackEndpoint,
  address: string,
): Promise<Sender> {
  const ofEndpoint = egress.targetOf(address);
  const { secrets, authorization: sealedValue } = await stores.signingEndpoint(endpoint);
  const live = signingSecrets(secrets, clock.now());
  const opened = await openSecrets(vault, endpoint, { live, sealedValue }).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  // The account's data was destroyed: nothing can be signed any more.
  if (!opened) return async () => ({ ...blocked, result: 'notOpened' });
  const { keys, authorization } = opened;

  return async ({ eventId, accountId, address: own, path, headers: frozen, body: kept, ...sealed }) => {
    const target = own ? egress.targetOf(own) : ofEndpoint;
    if (!target) return blocked;
    const open = (field: SealedField, value: Sealed | null) =>
      value && vault.open({ owner: accountId, field }, value).catch(() => null);
    const [token, ownValue] = await Promise.all([
      open('notification.securityToken', sealed.securityToken),
      open('callback.authorization', sealed.authorization),
    ]);
    if ((sealed.securityToken && token === null) || (sealed.authorization && ownValue === null))
      return { ...blocked, result: 'notOpened' };
    const body = token === null ? kept : withToken(kept, token);
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = ['Content-Type', 'application/json', 'Accept', 'application/json'];
    for (const [name, value] of Object.entries(frozen)) headers.push(name, value);
    headers.push('webhook-id', eventId, 'webhook-timestamp', String(timestampSeconds));
    headers.push('webhook-signature', webhookSignature({ id: eventId, timestampSeconds, body }, keys));
    const value = ownValue ?? authorization;
    if (value) headers.push('Authorization', value);
    return egress.send({ target, path, headers, body });
  };
}

async function openSecrets(
  vault: SenderDeps['vault'],
  { accountId: owner }: CallbackEndpoint,
  { live, sealedValue }: { live: ReturnType<typeof signingSecrets>; sealedValue: Sealed | null },
) {
  const keys = live.map(async ({ sealed }) =>
    signingKey(await vault.open({ owner, field: 'callbackEndpoint.secret' }, sealed)),
  );
  const authorization = sealedValue && (await vault.open({ owner, field: 'callback.authorization' }, sealedValue));
  return { keys: await Promise.all(keys), authorization };
}

/** The first mark is the token's place; what a merchant sent may contain the same characters further on. */
function withToken(body: string, token: string): string {
  return body.replace(JSON.stringify(securityTokenMark), () => JSON.stringify(token));
}
