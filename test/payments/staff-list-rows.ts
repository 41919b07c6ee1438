// Rows for staff's lists as the database keeps them: what is asked for by a rare value is the oldest of all.

export type Row = { _id: string } & Record<string, unknown>;
type Filters = Record<string, unknown>;

const start = Date.parse('2026-01-01T00:00:00Z');
const secondMs = 1_000;
/** The oldest, which have the rare values. */
const rareCount = 5;
const batch = 5_000;

/** A fiftieth of all is reserved; for how long. */
const heldMs = 1_000_000_000;

const old = new Date(start + 2 * secondMs);

/** For each list a value of each filter that few rows have. */
export const rareFilters: Record<string, Filters> = {
  payments: {
    merchantId: 'rare',
    terminalId: 'rare',
    family: 'service',
    state: 'Unknown',
    orderId: 'rare',
    contractId: 'rare',
    currency: 'JPY',
    merchantIds: ['rare', 'nobody'],
    states: ['Unknown', 'Failed'],
    currencies: ['JPY', 'SEK'],
    minAmount: '90000',
    maxAmount: '7',
    from: old,
    to: old,
    accountIds: ['rare', 'nobody'],
    authorizationExpiresFrom: new Date(start + 2 * heldMs),
    authorizationExpiresTo: new Date(start + heldMs),
  },
  operations: {
    merchantId: 'rare',
    operationId: 'operations-000000001',
    paymentId: 'rare',
    sessionId: 'checkout_sessions-000000001',
    orderId: 'rare',
    terminalId: 'rare',
    family: 'service',
    channel: 'POS',
    channelDetail: 'rare',
    operationType: 'CANCEL',
    operationResult: 'DENIED_BY_RISK',
    paymentMethod: 'APM',
    paymentCircuit: 'rare',
    currency: 'JPY',
    customField: 'rare',
    contractId: 'rare',
    contractType: 'CIT',
    installmentQty: 3,
    fromTime: old,
    toTime: old,
    merchantIds: ['rare', 'nobody'],
    operationTypes: ['CANCEL', 'NOSHOW'],
    operationResults: ['DENIED_BY_RISK', 'CANCELED'],
    paymentMethods: ['APM', 'nothing'],
    paymentCircuits: ['rare', 'nothing'],
    currencies: ['JPY', 'SEK'],
    minAmount: '90000',
    maxAmount: '7',
  },
  checkout_sessions: {
    merchantId: 'rare',
    terminalId: 'rare',
    paymentId: 'rare',
    orderId: 'rare',
    family: 'service',
    kind: 'hpp',
    state: 'READY_FOR_PAYMENT',
    method: 'PAYPAL',
    currency: 'JPY',
    pluginName: 'rare',
    from: old,
    to: old,
  },
  deliveries: {
    status: 'EXHAUSTED',
    kind: 'notify-update',
    merchantId: 'rare',
    endpointId: 'rare',
    eventId: 'deliveries-000000001',
    virtualAccountId: 'rare',
    operationId: 'rare',
    applicationId: 'rare',
    since: old,
    until: old,
  },
};

/** What a person on duty looks for: the few that are not done, and one exact amount. */
export const waitingOnly: [name: 'operations' | 'deliveries', filter: object][] = [
  ['operations', { operationResult: 'PENDING' }],
  ['operations', { minAmount: '7', maxAmount: '7' }],
  ['deliveries', { status: 'PENDING' }],
];

/** Rows of a collection, in batches. */
export function* rowsOf(collection: string, count: number): Generator<Row[]> {
  for (let from = 0; from < count; from += batch)
    yield Array.from({ length: Math.min(batch, count - from) }, (_, index) => rowOf(collection, from + index));
}

function rowOf(collection: string, index: number): Row {
  const isRare = index < rareCount;
  const at = new Date(start + index * secondMs);
  const word = (name: string) => (isRare ? 'rare' : `${name}-${index % 20}`);
  const shared = {
    environment: 'sandbox',
    accountId: isRare ? 'rare' : `account-${index % 10}`,
    merchantId: word('merchant'),
    terminalId: word('terminal'),
    orderId: isRare ? 'rare' : `order-${index}`,
    contractId: isRare ? 'rare' : null,
    paymentId: isRare ? 'rare' : `payment-${index}`,
    // A visit of the same payment.
    sessionId: isRare ? 'checkout_sessions-000000001' : `session-${index}`,
    family: isRare ? 'service' : 'checkout',
    currency: isRare ? 'JPY' : 'EUR',
    createdAt: at,
    time: at,
  };
  return { _id: `${collection}-${String(index).padStart(9, '0')}`, ...shared, ...ownOf(collection, { index, isRare }) };
}

function ownOf(collection: string, { index, isRare }: { index: number; isRare: boolean }): Record<string, unknown> {
  const amountMinor = isRare ? 7 : 100 + (index % 1_000);
  if (collection === 'payments') return { ...reservationOf(index, isRare), ...amounts(amountMinor), entries: [] };
  if (collection === 'operations')
    return {
      amountMinor,
      type: isRare ? 'CANCEL' : 'CAPTURE',
      result: isRare ? 'PENDING' : 'EXECUTED',
      circuit: 'VISA',
      customField: isRare ? 'rare' : null,
      profile: isRare ? 'rare|' : 'usual|',
    };
  if (collection === 'checkout_sessions')
    return { state: isRare ? 'READY_FOR_PAYMENT' : 'PAYMENT_COMPLETE', kind: isRare ? 'hpp' : 'build', amountMinor };
  return {
    kind: 'merchant-notification',
    endpointId: isRare ? 'rare' : `endpoint-${index % 20}`,
    position: index + 1,
    eventId: `deliveries-${String(index).padStart(9, '0')}`,
    orderingKey: isRare ? 'rare' : `key-${index}`,
    status: isRare ? 'EXHAUSTED' : 'DELIVERED',
    open: isRare,
    dueAt: new Date(start),
    attempts: [],
  };
}

/** Most ends one after the other; few end before all others, and few after them. */
function reservationOf(index: number, isRare: boolean): Record<string, unknown> {
  if (isRare || index % 50 !== 0) return { state: isRare ? 'Unknown' : 'Captured', authorizationExpiresAt: null };
  const ends = index < 500 ? heldMs : index < 1_000 ? 2 * heldMs : 1.5 * heldMs + index * secondMs;
  return { state: 'Authorized', authorizationExpiresAt: new Date(start + ends) };
}

const amounts = (amountMinor: number) => ({
  amountMinor,
  authorizedMinor: amountMinor,
  capturedMinor: amountMinor,
  refundedMinor: 0,
});
