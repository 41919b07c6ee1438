// The lifecycle notification to a token requestor: which events it tells, its path, headers in documented spelling, and body
// (tokenization interface, POST /v1/{acquirerMerchantId}/virtual-accounts/{virtualAccountId}/notify-update; 2.1 of the decision register).
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { CallbackContent, CallbackDefinition } from './callback-definition';

/** The facts that every event of a virtual account carries. */
interface VirtualAccountFacts {
  virtualAccountId: string;
  /** Acquirer merchant identifier. */
  merchantId: string;
  providerId: string;
  accountMasked: string;
  /** MMYYYY. */
  accountExpiry: string;
  accountPar?: string;
  tokenMasked: string;
  /** MMYYYY. */
  tokenExpiry: string;
  tokenStatus: 'ACTIVE' | 'SUSPENDED';
  by?: 'caller' | 'issuer';
}

type UpdateType = 'TOKEN_STATE_CHANGE' | 'CARD_UPDATE';

/** What each event tells the token requestor; what the caller did itself is not told; a deletion by the issuer is told as SUSPENDED, the strongest value there is. */
const updateTypes: Record<string, (facts: VirtualAccountFacts) => UpdateType | null> = {
  'virtualAccount.created': () => null,
  'virtualAccount.suspended': () => 'TOKEN_STATE_CHANGE',
  'virtualAccount.resumed': () => 'TOKEN_STATE_CHANGE',
  'virtualAccount.cardUpdated': ({ by }) => (by === 'caller' ? null : 'CARD_UPDATE'),
  'virtualAccount.deleted': ({ by }) => (by === 'issuer' ? 'TOKEN_STATE_CHANGE' : null),
};

export const notifyUpdate = {
  description: 'Tells a token requestor that one of its tokenized cards changed.',
  build,
  givenAddresses: null,
  subject: 'virtualAccount',
  policy: { parkClientErrorsAfter: null, goneDisablesEndpoint: true },
} satisfies CallbackDefinition;

/** The notification about an event, or null when there is nothing to tell; throws a plain Error for an event without its facts. */
function build(event: EventRecord): CallbackContent | null {
  const updateTypeOf = Object.hasOwn(updateTypes, event.type) ? updateTypes[event.type] : undefined;
  if (!updateTypeOf) return null;
  const facts = factsOf(event);
  const updateType = updateTypeOf(facts);
  if (!updateType) return null;
  const accountInfo = {
    accountMasked: facts.accountMasked,
    accountExpiry: facts.accountExpiry,
    accountPar: facts.accountPar || undefined,
  };
  const isDeleted = event.type === 'virtualAccount.deleted';
  const tokenInfo = {
    tokenMasked: facts.tokenMasked,
    tokenExpiry: facts.tokenExpiry,
    tokenStatus: isDeleted ? 'SUSPENDED' : facts.tokenStatus,
  };
  return {
    path: `/v1/${pathSegment(facts.merchantId)}/virtual-accounts/${pathSegment(facts.virtualAccountId)}/notify-update`,
    headers: { 'X-Request-ID': event._id, 'X-Provider-ID': headerValue(facts.providerId) },
    body: JSON.stringify({
      updateType,
      accountInfo: updateType === 'CARD_UPDATE' ? accountInfo : undefined,
      tokenInfo,
    }),
    orderingKey: event.aggregateId,
  };
}

const required = [
  'virtualAccountId',
  'merchantId',
  'providerId',
  'accountMasked',
  'accountExpiry',
  'tokenMasked',
  'tokenExpiry',
  'tokenStatus',
] as const;

function factsOf({ _id, data }: EventRecord): VirtualAccountFacts {
  const missing = required.filter((name) => typeof data[name] !== 'string' || data[name] === '');
  if (missing.length > 0) throw new Error(`event ${_id} lacks ${missing.join(', ')}`);
  return data as unknown as VirtualAccountFacts;
}

/** One segment that no parser takes for two, nor for a step upwards. */
function pathSegment(value: string): string {
  return /^\.{1,2}$/.test(value) ? value.replaceAll('.', '%2E') : encodeURIComponent(value);
}

function headerValue(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('a header value of a callback is not printable ASCII');
  return value;
}
