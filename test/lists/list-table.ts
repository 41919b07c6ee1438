// Every list of the graph: the values that its filters are asked for, whose child it is, and what it may read more than a page, with the reason.
import type { Asked, ListPlan } from './list-plan';
import { own } from './list-rows';
import { dayOf, rowId, timeOf, tokenWithEvents } from './row-place';

const [early, late] = [timeOf(2), timeOf(1_000_000)];
const days = { from: { rare: dayOf(0), common: dayOf(0) }, to: { rare: dayOf(2), common: dayOf(100_000) } };
const times = { from: { rare: late, common: early }, to: { rare: early, common: late } };
const ofMerchant = { merchantId: { rare: 'rare', common: own.merchantId } };
const ofTerminal = { terminalId: { rare: 'rare', common: 'terminal-0' } };
const only = (rare: unknown): Asked => ({ rare });
const severalMerchants = { rare: ['rare', 'nobody'], common: [own.merchantId, 'merchant-21'] };

const paymentFilter = {
  ...ofMerchant,
  ...ofTerminal,
  ...times,
  family: { rare: 'paymentService', common: 'checkout' },
  state: { rare: 'Unknown', common: 'Captured' },
  orderId: only('rare'),
  contractId: only('rare'),
  currency: { rare: 'JPY', common: 'EUR' },
  merchantIds: severalMerchants,
  states: { rare: ['Unknown', 'Failed'], common: ['Captured', 'Unknown'] },
  currencies: { rare: ['JPY', 'SEK'], common: ['EUR', 'JPY'] },
  minAmount: { rare: '90000', common: '1' },
  maxAmount: { rare: '7', common: '90000' },
  accountIds: { rare: ['rare', 'nobody'], common: [own.accountId, 'account-1'] },
  authorizationExpiresFrom: { rare: late, common: early },
  authorizationExpiresTo: { rare: early, common: late },
};
const paymentsFollowed = ['family', 'currency', 'currencies', 'minAmount', 'maxAmount'];

const operationFilter = {
  ...ofMerchant,
  ...ofTerminal,
  operationId: only(rowId(1)),
  paymentId: only('rare'),
  sessionId: only(rowId(1)),
  orderId: only('rare'),
  customField: only('rare'),
  contractId: only('rare'),
  family: { rare: 'paymentService', common: 'checkout' },
  currency: { rare: 'JPY', common: 'EUR' },
  channel: { rare: 'POS', common: 'ECOMMERCE' },
  channelDetail: { rare: 'rare', common: 'usual' },
  operationType: { rare: 'CANCEL', common: 'CAPTURE' },
  operationResult: { rare: 'DENIED_BY_RISK', common: 'EXECUTED' },
  paymentMethod: { rare: 'APM', common: 'CARD' },
  paymentCircuit: { rare: 'rare', common: 'VISA' },
  contractType: only('CIT'),
  installmentQty: only(3),
  merchantIds: severalMerchants,
  operationTypes: { rare: ['CANCEL', 'NOSHOW'], common: ['CAPTURE', 'CANCEL'] },
  operationResults: { rare: ['DENIED_BY_RISK', 'FAILED'], common: ['EXECUTED', 'FAILED'] },
  paymentMethods: { rare: ['APM'], common: ['APM', 'CARD'] },
  paymentCircuits: { rare: ['rare', 'none'], common: ['VISA', 'rare'] },
  currencies: { rare: ['JPY', 'SEK'], common: ['EUR', 'JPY'] },
  fromTime: times.from,
  toTime: times.to,
  minAmount: { rare: '90000', common: '1020' },
  maxAmount: { rare: '7', common: '180' },
};
const operationOrders = ['Amount', 'Type', 'Result'].map((word) => `orderBy operation${word}`);
const operationsFollowed = [
  'terminalId',
  'family',
  'channel',
  'channelDetail',
  'operationType',
  'operationResult',
  'paymentMethod',
  'paymentCircuit',
  'operationTypes',
  'operationResults',
  'paymentMethods',
  'paymentCircuits',
  'currencies',
  'currency',
  'contractType',
  'installmentQty',
  'minAmount',
  'maxAmount',
];

/** What a merchant's own indexes serve. */
const isNoAmount = (name: string) => !name.endsWith('Amount');
const isNotOfMerchants = (name: string) => name !== 'orderId';

const sessionFilter = {
  ...ofMerchant,
  ...ofTerminal,
  ...times,
  paymentId: only('rare'),
  orderId: only('rare'),
  family: { rare: 'paymentService', common: 'checkout' },
  kind: { rare: 'HOSTED', common: 'BUILD' },
  state: { rare: 'READY_FOR_PAYMENT', common: 'PAYMENT_COMPLETE' },
  pluginName: only('rare'),
  method: { rare: 'PAYPAL', common: 'CARDS' },
  currency: { rare: 'JPY', common: 'EUR' },
};
const sessionsFollowed = ['terminalId', 'orderId', 'family', 'kind', 'method', 'currency', 'pluginName'];

const payoutFilter = {
  ...days,
  currencies: { rare: ['JPY', 'SEK'], common: ['EUR', 'JPY'] },
  minAmount: { rare: '90000', common: '1' },
  maxAmount: { rare: '0', common: '90000' },
};
const payoutsFollowed = ['currencies', 'minAmount', 'maxAmount'];

const merchant = `merchant(merchantId: "${own.merchantId}")`;
const payment = `payment(paymentId: "${rowId(20)}")`;
const token = `virtualAccount(virtualAccountId: "${rowId(20)}")`;
const operation = `operation(operationId: "${rowId(20)}")`;
const application = 'onboardingApplication(id: "21")';

export const listPlans: Record<string, ListPlan> = {
  'Query.accounts': {},
  'Query.agreements': {},
  'Query.apiKeys': { asked: { kind: { rare: 'CONSUMER', common: 'CHECKOUT' }, ...ofMerchant, ...ofTerminal } },
  'Query.auditRecords': {
    asked: {
      subjectId: { rare: 'rare', common: 'subject-0' },
      actor: { rare: 'rare', common: 'usual' },
      action: { rare: 'merchant.deleted', common: 'payment.captured' },
      actors: { rare: ['rare', 'nobody'], common: ['usual', 'rare'] },
      actions: {
        rare: ['merchant.deleted', 'merchant.enrolled'],
        common: ['payment.captured', 'merchant.deleted'],
      },
      ...times,
    },
  },
  'Query.balanceReport': {
    asked: { currencies: only(['JPY']), merchantNumber: only('1000') },
    always: { fromDate: dayOf(0), toDate: dayOf(20) },
    sums: 400,
    isForAccounts: true,
  },
  'Query.balances': { always: { merchantId: own.merchantId, from: dayOf(0), to: dayOf(20) }, sums: 400 },
  'Query.callbackEndpoints': {
    asked: {
      health: { rare: ['DEGRADED', 'DISABLED'], common: ['HEALTHY', 'DISABLED'] },
      origin: { rare: 'https://rare.example', common: 'https://shop.example' },
      ...ofMerchant,
    },
    // Where the last callbacks of a merchant go is looked up first.
    sums: 1_010,
  },
  'Query.callbackOrigins': {
    asked: { health: { rare: ['DEGRADED', 'DISABLED'], common: ['HEALTHY', 'DISABLED'] }, ...ofMerchant },
    // As many endpoints as are read at once for a page, in the order of three states.
    sums: 1_010,
    isTotalFollowed: true,
  },
  'Query.callbacks': {
    asked: {
      ...ofMerchant,
      status: { rare: 'EXHAUSTED', common: 'DELIVERED' },
      endpointId: only('rare'),
      kind: { rare: 'NOTIFY_UPDATE', common: 'MERCHANT_NOTIFICATION' },
      statuses: { rare: ['EXHAUSTED', 'PENDING'], common: ['DELIVERED', 'EXHAUSTED'] },
      kinds: { rare: ['NOTIFY_UPDATE', 'ONBOARDING_WEBHOOK'], common: ['MERCHANT_NOTIFICATION', 'NOTIFY_UPDATE'] },
      merchantIds: severalMerchants,
      endpointIds: only(['rare', 'nobody']),
      eventId: only(rowId(1)),
      virtualAccountId: only('rare'),
      operationId: only('rare'),
      applicationId: only('rare'),
      since: times.from,
      until: times.to,
    },
    // Statuses of callbacks that wait, beside statuses of others, have no index in common.
    followed: ['kind', 'kinds', 'statuses', 'since', 'until'],
  },
  'Query.checkoutSessions': { asked: sessionFilter, followed: sessionsFollowed },
  'Query.clients': {},
  'Query.jobs': {
    asked: {
      state: { rare: 'PAUSED', common: 'DONE' },
      states: { rare: ['PAUSED', 'CANCELLED'], common: ['DONE', 'PAUSED'] },
    },
  },
  'Query.merchants': {
    asked: {
      text: { rare: 'shop 21', common: 'SHOP' },
      status: { rare: 'INACTIVE', common: 'ACTIVE' },
      statuses: { rare: ['INACTIVE'], common: ['ACTIVE', 'INACTIVE'] },
      accountIds: { rare: ['rare', 'nobody'], common: [own.accountId, 'account-1'] },
      isDeleted: { rare: true, common: false },
    },
    followed: ['text', 'isDeleted'],
  },
  'Query.ledgerEntries': {
    asked: {
      merchantIds: severalMerchants,
      actions: { rare: ['CHARGEBACK', 'DEPOSIT'], common: ['CHARGE', 'CHARGEBACK'] },
      currencies: { rare: ['JPY', 'SEK'], common: ['EUR', 'JPY'] },
      ...times,
      minAmount: { rare: '90000', common: '1020' },
      maxAmount: { rare: '7', common: '180' },
    },
    followed: ['currencies', 'minAmount', 'maxAmount', 'orderBy LARGEST'],
  },
  'Query.merchantBalances': {
    asked: {
      merchantIds: severalMerchants,
      currencies: { rare: ['JPY', 'SEK'], common: ['EUR', 'JPY'] },
      minAmount: { rare: '90000', common: '1020' },
      maxAmount: { rare: '7', common: '180' },
    },
    followed: ['minAmount', 'maxAmount'],
  },
  'Query.onboardingApplications': {
    asked: {
      status: { rare: 'SIGNATURE_FAILED', common: 'APPROVED' },
      statuses: { rare: ['SIGNATURE_FAILED', 'ABANDONED'], common: ['APPROVED', 'SIGNATURE_FAILED'] },
      oldestFirst: { rare: true, common: false },
    },
  },
  // Each point counted up to a thousand.
  'Query.onboardingCounts': { sums: 1_010 },
  'Query.operations': {
    asked: operationFilter,
    followed: [...operationsFollowed, ...operationOrders, 'orderBy orderId', 'orderBy paymentCircuit'],
  },
  'Query.orders': {
    asked: paymentFilter,
    followed: ['currency', 'currencies', 'minAmount', 'maxAmount'],
  },
  // An account's reservations are looked for among all that are held.
  'Query.payments': { asked: paymentFilter, followed: [...paymentsFollowed, 'orderBy EXPIRING_SOONEST'] },
  // By whether it is reconciled, the actions of each payout are added up.
  'Query.payouts': {
    asked: { ...ofMerchant, ...payoutFilter, merchantIds: severalMerchants, reconciled: { rare: true, common: false } },
    followed: payoutsFollowed,
    sums: 1_010,
  },
  'Query.people': {},
  'Query.proposals': { asked: { status: { rare: 'EXPIRED', common: 'CONFIRMED' }, resultId: { rare: 'rare' } } },
  'Query.sandboxMails': { always: { first: 10 } },
  // Texts of every shape: search-plans.test.ts.
  'Query.search': { always: { text: 'rare' } },
  'Query.virtualAccounts': { asked: { ...ofMerchant, state: { rare: 'SUSPENDED', common: 'ACTIVE' } } },
  'Job.rows': { parent: `job(jobId: "${rowId(20)}")`, asked: { outcome: { rare: 'FAILED', common: 'SUCCEEDED' } } },
  'Merchant.balances': { parent: merchant, always: { from: dayOf(0), to: dayOf(20) }, sums: 400 },
  'Merchant.callbacks': { parent: merchant },
  'Merchant.checkoutSessions': {
    parent: merchant,
    asked: sessionFilter,
    followed: sessionsFollowed.filter(isNotOfMerchants),
  },
  'Merchant.operations': {
    parent: merchant,
    asked: operationFilter,
    followed: operationsFollowed.filter((name) => isNoAmount(name) && name !== 'operationType'),
    // Behind a cursor in the middle of many operations of one amount, those before it are passed over in the index; a type that most have is followed.
    followedWhenMany: ['minAmount', 'maxAmount', 'orderBy operationAmount', 'operationType'],
  },
  'Merchant.payments': { parent: merchant, asked: paymentFilter, followed: paymentsFollowed },
  'Merchant.payouts': {
    parent: merchant,
    asked: payoutFilter,
    followed: ['minAmount', 'maxAmount'],
    followedWhenMany: ['currencies'],
  },
  'Merchant.virtualAccounts': { parent: merchant },
  'OnboardingApplication.callbacks': { parent: application },
  'OnboardingApplication.timeline': { parent: application },
  'Operation.callbacks': { parent: operation },
  'Operation.timeline': { parent: operation },
  'Order.operations': { parent: `order(merchantId: "${own.merchantId}", orderId: "order-20")` },
  // Along the events of one payment, which the database reads ahead.
  'Payment.callbacks': { parent: payment, sums: 400 },
  // The visits of one payment, found by it and put in order.
  'Payment.checkoutSessions': { parent: payment, sums: 400 },
  'Payment.operations': { parent: payment },
  'Payment.timeline': { parent: payment },
  'Payout.actions': { parent: `payout(payoutId: "${rowId(20)}")` },
  'VirtualAccount.callbacks': { parent: token },
  'VirtualAccount.timeline': { parent: `virtualAccount(virtualAccountId: "${tokenWithEvents}")` },
  'VirtualAccount.transactions': { parent: token },
};

/** Lists that read no collection that grows. */
export const smallLists: Record<string, string> = {
  'Mutation.rollDecryptionKey': 'the few decryption keys of the environment',
  'Mutation.retireDecryptionKey': 'the few decryption keys of the environment',
  'Query.eventsById': 'events by id, as many as ids are given',
  'Query.decryptionKeys': 'the few decryption keys of the environment',
  'Query.paymentMethods': 'methods of one terminal, from its own record',
  'Query.receivedCallbacks': 'the end of a capped collection, in the order of insertion, up to `first`',
  'Query.testCards': 'a table of the program',
  'Viewer.savedViews': 'the views of one person, and those that its colleagues share',
};
