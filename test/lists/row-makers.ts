// What the rows of each collection hold that a list of the graph reads, as the database keeps them.
import { profileOf } from '../../subgraphs/payments/operations/operation-facets';
import { cardKeyOf, emailKeyOf } from '../../subgraphs/payments/payment/search-keys';
import { actMakers } from './act-makers';
import { bookMakers } from './book-makers';
import { crowded, type Maker, type Place, rowId, tokenWithEvents } from './row-place';

const application = String(crowded + 1);

const amounts = (amountMinor: number) => ({
  amountMinor,
  authorizedMinor: amountMinor,
  capturedMinor: amountMinor,
  refundedMinor: 0,
});
const amountOf = ({ index, isRare }: Place) => (isRare ? 7 : 100 + (index % 1_000));

/** What belongs to a payment, as payments, operations and sessions have it. */
const paid = ({ isRare, at, word, single, parent }: Place) => ({
  terminalId: word('terminal'),
  orderId: single('order'),
  contractId: isRare ? 'rare' : null,
  paymentId: parent('payment'),
  // A visit of the same payment.
  sessionId: isRare ? rowId(1) : single('session'),
  method: isRare ? 'APM' : 'CARD',
  family: isRare ? 'paymentService' : 'checkout',
  currency: isRare ? 'JPY' : 'EUR',
  createdAt: at,
  time: at,
});

/** A seventh is reserved, and ends one after the other. */
const reservation = ({ index, isRare, at }: Place) => {
  const isHeld = !isRare && index % 7 === 0;
  return {
    state: isRare ? 'Unknown' : isHeld ? 'Authorized' : 'Captured',
    authorizationExpiresAt: isHeld ? at : null,
  };
};

/** What payments were made with: few with the one, nearly all with the other. */
const cards = { rare: { lastFour: '0001', expiry: '12/30' }, usual: { lastFour: '4242', expiry: '12/30' } };

const withoutPayment = ({ paymentId: _paymentId, ...rest }: ReturnType<typeof paid>) => rest;

function operation(place: Place): Record<string, unknown> {
  const { isRare } = place;
  const shared = { ...paid(place), orderId: place.parent('order', `order-${crowded}`) };
  const facets = {
    type: isRare ? 'CANCEL' : 'CAPTURE',
    result: isRare ? 'PENDING' : 'EXECUTED',
    channel: isRare ? 'POS' : 'ECOMMERCE',
    channelDetail: isRare ? 'rare' : 'usual',
    method: shared.method,
    circuit: isRare ? 'rare' : 'VISA',
    terminalId: shared.terminalId,
    contractType: isRare ? 'CIT' : null,
    installmentQty: isRare ? 3 : null,
  };
  const profile = profileOf(facets as unknown as Parameters<typeof profileOf>[0]);
  return { ...shared, ...facets, profile, amountMinor: amountOf(place), customField: isRare ? 'rare' : null };
}

/** Of the events that are many of one thing, half are of an application, and a quarter each of a payment and of a token. */
function aggregateOf(index: number, parent: Place['parent']) {
  const [aggregateType, id] =
    index % 40 === 0
      ? ['application', application]
      : index % 80 === crowded
        ? ['payment', rowId(crowded)]
        : ['virtualAccount', tokenWithEvents];
  return { aggregateType, aggregateId: parent('aggregate', id) };
}

/** What a collection's rows have beside id, environment, account and merchant. */
export const makers = {
  ...actMakers,
  ...bookMakers,
  payments: (place) => ({
    ...withoutPayment(paid(place)),
    ...reservation(place),
    ...amounts(amountOf(place)),
    entries: [],
    details: {},
    cardKey: cardKeyOf(place.isRare ? cards.rare : cards.usual, { environment: 'sandbox', accountId: place.accountId }),
    emailKey: emailKeyOf(place.isRare ? 'rare@shop.example' : 'usual@shop.example'),
  }),
  operations: operation,
  checkout_sessions: (place) => ({
    ...paid(place),
    method: place.isRare ? 'PAYPAL' : 'CARDS',
    pluginName: place.isRare ? 'rare' : null,
    warnings: [],
    state: place.isRare ? 'READY_FOR_PAYMENT' : 'PAYMENT_COMPLETE',
    operationId: place.isRare ? null : rowId(place.index),
    kind: place.isRare ? 'hpp' : 'build',
    amountMinor: amountOf(place),
  }),
  deliveries: ({ index, isRare, at, word, parent }) => ({
    kind: isRare ? 'notify-update' : 'merchant-notification',
    endpointId: word('endpoint'),
    position: index + 1,
    eventId: rowId(index),
    orderingKey: parent('key', index % 40 === 0 ? application : undefined),
    status: isRare ? 'EXHAUSTED' : 'DELIVERED',
    open: isRare,
    dueAt: at,
    createdAt: at,
    endedAt: null,
    attempts: [],
    reason: null,
    redelivery: null,
    path: '/',
    body: '',
  }),
  callback_endpoints: ({ index, single, at, isRare }) => ({
    kind: 'notify-update',
    address: 'https://shop.example',
    origin: isRare ? 'https://rare.example' : index % 2 === 0 ? 'https://shop.example' : `https://${index}.example`,
    addressKey: single('address'),
    createdAt: at,
    authorization: null,
    secrets: [],
    health: { state: isRare ? 'DISABLED' : 'HEALTHY' },
    lease: {},
    version: 1,
    sequence: 1,
  }),
  events: ({ index, parent, at }) => ({
    ...aggregateOf(index, parent),
    sequence: index + 1,
    position: index + 1,
    type: 'virtualAccount.created',
    version: 1,
    occurredAt: at,
    requestId: rowId(index),
    data: index % 80 === crowded ? { operationId: parent('operation') } : {},
  }),
  clients: ({ at }) => ({
    family: 'payments',
    label: 'x',
    status: 'ACTIVE',
    scopes: [],
    identifiers: [],
    secrets: [],
    encryptionKeys: [],
    tokenGeneration: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }),
  api_keys: ({ index, isRare, word, at }) => ({
    kind: isRare ? 'consumer' : 'checkout',
    mode: 'live-test',
    holderId: word('terminal'),
    label: 'x',
    hash: 'x',
    status: index % 2 ? 'ACTIVE' : 'REVOKED',
    place: index,
    createdAt: at,
    revokedAt: null,
  }),
  audit: ({ index, isRare, word, at }) => ({
    at,
    actor: isRare ? 'rare' : 'usual',
    requestId: rowId(index),
    address: null,
    count: 1,
    action: isRare ? 'merchant.deleted' : 'payment.captured',
    subjectType: 'x',
    changes: [],
    subjectId: word('subject'),
  }),
  people: ({ at, index }) => ({
    issuer: 'https://login.example',
    subject: String(index),
    name: `Person ${index}`,
    email: `person-${index}@shop.example`,
    scopes: ['graph:viewer'],
    status: 'ACTIVE',
    sessionGeneration: 1,
    preferences: { theme: 'SYSTEM', density: 'COMFORTABLE', locale: null, timeZone: null },
    lastSeenAt: at,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }),
  merchants: ({ index, isRare, at }) => ({
    merchantId: `merchant-${index}`,
    merchantNumber: 1_000 + index,
    orgNumber: String(20_000_000 + index),
    name: `Shop ${index}`,
    status: isRare ? 'INACTIVE' : 'ACTIVE',
    deletion: isRare && index > 2 ? { at, userId: 'u', isDone: true } : null,
    invoicing: 'ENABLED',
    agreementIds: [],
    createdAt: at,
    updatedAt: at,
    version: 1,
  }),
  terminals: ({ index, at }) => ({
    terminalId: `terminal-${index}`,
    label: 'x',
    status: 'ACTIVE',
    captureType: 'EXPLICIT',
    captureDelayHours: 0,
    origins: [],
    methods: [],
    currencies: [],
    createdAt: at,
    version: 1,
  }),
  agreements: ({ single, at }) => ({
    acquirerId: single('a') + at.getTime(),
    providerId: 'p',
    pspId: 's',
    status: 'ACTIVE',
    schemes: [],
    createdAt: at,
    version: 1,
  }),
  accounts: ({ index }) => ({ name: 'x', accountId: `account-${index}` }),
  onboarding_applications: ({ index, isRare, at }) => ({
    ordinal: index + 1,
    status: isRare ? 'SIGNATURE_FAILED' : 'APPROVED',
    isLive: false,
    createdAt: at,
    touchedAt: at,
    updatedAt: at,
    version: 1,
    webhooks: null,
    approval: null,
    facts: { country: 'DNK', currency: 'DKK', company: { organizationNumber: String(20_000_000 + index) } },
  }),
  mails: ({ at }) => ({
    to: 'x@shop.example',
    kind: 'activation',
    language: 'EN_US',
    link: null,
    companyName: null,
    status: 'SENT',
    tries: 1,
    dueAt: at,
    createdAt: at,
    endedAt: at,
    lastFailure: null,
  }),
  virtual_accounts: ({ isRare, at }) => ({
    acquirerId: 'a',
    providerId: 'p',
    pspId: 's',
    agreementId: 'x',
    state: isRare ? 'SUSPENDED' : 'ACTIVE',
    createdAt: at,
    updatedAt: at,
    version: 1,
    sequence: 1,
  }),
  card_transactions: ({ index, parent, at }) => ({
    acquirerId: 'a',
    virtualAccountId: parent('token'),
    transactionId: rowId(index),
    transactionAt: at,
    amount: '1',
    currencyCode: 'EUR',
    createdAt: at,
    cryptogramHash: rowId(index),
  }),
} satisfies Record<string, Maker>;
