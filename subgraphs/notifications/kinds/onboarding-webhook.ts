// The onboarding status webhook: one for each address that the application gave for the event (administration interface, Events; 2.3-B of the decision register).
// The Authorization value stays sealed until the moment of sending.
import type { Sealed } from '../../shared/crypto/vault';
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { CallbackContent, CallbackDefinition } from './callback-definition';

const toldEvents: readonly string[] = [
  'onboarding.initiated',
  'onboarding.awaiting_signature',
  'onboarding.signature_failed',
  'onboarding.processing',
  'onboarding.approved',
  'onboarding.abandoned',
];

interface Webhook {
  url: string;
  authorizationSealed: Sealed;
}

export const onboardingWebhook = {
  description: 'Tells a partner that an onboarding application moved on.',
  build,
  givenAddresses,
  subject: 'application',
  policy: { parkClientErrorsAfter: null, goneDisablesEndpoint: true },
} satisfies CallbackDefinition;

/** The webhooks of an event, or null when there are none; throws a plain Error for an event without its facts. */
function build(event: EventRecord): readonly CallbackContent[] | null {
  if (!toldEvents.includes(event.type)) return null;
  const webhooks = webhooksOf(event);
  if (webhooks.length === 0) return null;
  const body = JSON.stringify(envelope(event));
  return webhooks.map(({ url, authorizationSealed }) => ({
    path: '',
    headers: {},
    body,
    orderingKey: event.aggregateId,
    address: url,
    authorization: authorizationSealed,
  }));
}

function envelope({ _id, type, occurredAt, data, merchantId: eventMerchantId }: EventRecord) {
  const { onboardingId, status, reason, merchantId = eventMerchantId, merchantNumber } = data;
  if (typeof onboardingId !== 'number' || typeof status !== 'string' || typeof merchantId !== 'string')
    throw new Error(`event ${_id} lacks onboardingId, status or merchantId`);
  return {
    id: _id,
    merchantId,
    merchantNumber: typeof merchantNumber === 'number' ? merchantNumber : undefined,
    timestamp: new Date(occurredAt).toISOString(),
    event: type,
    data: { onboardingId, status, reason: typeof reason === 'string' && reason !== '' ? reason : undefined },
  };
}

/** The first of each address: what is configured twice for one event is told once. */
function webhooksOf({ _id, data }: EventRecord): Webhook[] {
  const given = data['webhooks'] ?? [];
  if (!Array.isArray(given) || !given.every(isWebhook)) throw new Error(`event ${_id} has webhooks that are none`);
  return [...new Map([...given].reverse().map((webhook) => [webhook.url, webhook])).values()].reverse();
}

function isWebhook(value: unknown): value is Webhook {
  const { url, authorizationSealed } = (value ?? {}) as Partial<Webhook>;
  return typeof url === 'string' && url !== '' && typeof authorizationSealed?.ciphertext === 'string';
}

/** The addresses in an event that no body could be made of. */
function givenAddresses({ data }: EventRecord): string[] {
  const given = data['webhooks'];
  const urls = Array.isArray(given) ? given.map((webhook: Partial<Webhook> | null) => webhook?.url) : [];
  return [...new Set(urls.filter((url) => typeof url === 'string'))];
}
