// The table of what is meant to ask every shard is exact: each entry has something that needs it and that no other entry allows.
import { createCallbackRepository } from '../../subgraphs/notifications/callbacks/callback.repository';
import { createDueCallbacks } from '../../subgraphs/notifications/callbacks/due-callback.repository';
import { createEventLogRepository } from '../../subgraphs/notifications/events/event-log.repository';
import { createContractRepository } from '../../subgraphs/payments/contracts/contract.repository';
import { createAcquirerCallRepository } from '../../subgraphs/payments/money/acquirer-call.repository';
import { createOperationQueryRepository } from '../../subgraphs/payments/operations/operation-query.repository';
import { createPaymentRepository } from '../../subgraphs/payments/payment/payment.repository';
import { createPaymentQueryRepository } from '../../subgraphs/payments/payment/payment-query.repository';
import { createPaymentSearch } from '../../subgraphs/payments/payment/payment-search.repository';
import { createSessionQueryRepository } from '../../subgraphs/payments/sessions/session-query.repository';
import { createMerchantBalanceRepository } from '../../subgraphs/reporting/balances/merchant-balance.repository';
import { createBooksCheckRepository } from '../../subgraphs/reporting/checks/books-check.repository';
import { createJournalRepository } from '../../subgraphs/reporting/journal/journal.repository';
import { createRebuildRepository } from '../../subgraphs/reporting/journal/rebuild.repository';
import { createCallbackSumRepository } from '../../subgraphs/reporting/metrics/callback-sum.repository';
import { createPayoutRepository } from '../../subgraphs/reporting/payouts/payout.repository';
import { createBookSearch } from '../../subgraphs/reporting/search/book-search.repository';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { newId, newOrderedId } from '../../subgraphs/shared/ids';
import { allSlots } from '../../subgraphs/shared/store/slot';
import { createCardTransactionRepository } from '../../subgraphs/tokenization/transactions/card-transaction.repository';
import { type CheckoutWorld, merchantClient, openCheckoutWorld } from '../payments/checkout-world';
import { meantScatter } from './meant-scatter';
import { namesKey } from './slot-rules';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
  await log().prepare(1);
  await callbacks().ensureIndexes();
});
afterAll(() => world?.close());

const staff = systemCaller('sandbox', 'staff');
const { merchantId: _one, ...ofAccount } = merchantClient;
const newestTime = { by: 'operationTime', direction: 'DESC' } as const;
const slice = { size: 1, after: null };
const connection = () => world.stores.product;
const listed = () => createPaymentQueryRepository(connection()).list(ofAccount, {}, slice);
const log = () => createEventLogRepository(connection());
const callbacks = () => createCallbackRepository(connection());
const wholeLog = { layout: 1, lane: 0, ...allSlots };
const calls = () => createAcquirerCallRepository(connection(), 'sandbox');
const shape = { isReference: false, isName: false, isEmail: false, organizationNumbers: [] };
const searched = { text: '', uuid: null, number: null, ...shape };
const card = { lastFour: '4242', expiry: '12/30' };

const asks: Record<string, () => Promise<unknown>> = {
  'sweeps of one lane for everything': () => world.payments.settle(),
  'the log of one lane for everything': () => log().unpositioned(1, wholeLog),
  'events of a process that knows of no slots': () => log().giveSlots(1),
  'the log of before it was cut into slots': () =>
    log().readFormer({ environment: 'sandbox', afterPosition: 0, upTo: 1, limit: 1 }),
  'the stream of what is written to the log': async () => {
    const listener = { onInsert: () => undefined, onEnd: () => undefined };
    return (await log().watch(wholeLog, listener)).close();
  },
  'the life of an application': () => log().timelines(staff, 'application', ['1'], slice),
  'the life of what has an id that does not tell': () => log().timelines(staff, 'virtualAccount', [newId()], slice),
  'ids of releases before': () => createPaymentRepository(connection()).find(staff, newId()),
  'lists over all merchants': listed,
  'later pages by their number': () =>
    createOperationQueryRepository(connection()).page(merchantClient, {}, { order: newestTime, size: 1, number: 1 }),
  'totals of lists': async () => (await listed()).count(),
  'totals of many parents': async () => {
    const pages = createPaymentQueryRepository(connection()).listByMerchants(staff, ['merchant-alpha'], {}, slice);
    return (await pages).get('merchant-alpha')?.count();
  },
  'surveys of operations': () =>
    createOperationQueryRepository(connection()).list(
      staff,
      { merchantId: 'merchant-alpha' },
      { ...slice, order: newestTime },
    ),
  'orders of a list that count once each': () => createPaymentQueryRepository(connection()).listOrderIds(staff, {}),
  'calls that were raised': () => calls().countRaised(),
  'whether any request is known by its key': () => calls().knowsRequests(),
  'callbacks that are due, and the oldest of those that wait': () =>
    createDueCallbacks(connection()).dueEndpoints(new Date(0)),
  'callbacks by their ids': () => callbacks().find(merchantClient, [newId()]),
  'callbacks of a merchant, of an event or of what it is about': () =>
    callbacks().listEach(staff, 'merchantId', ['merchant-alpha'], slice),
  'envelopes of transactions that are over': () =>
    createCardTransactionRepository(connection()).forgetEnvelopes('sandbox', new Date(0), allSlots),
  'the capture batch of an account or of all': () => createPaymentRepository(connection()).listForBatch(staff, '', 1),
  'consents by their token, for a caller of more than one merchant': () =>
    createContractRepository(connection()).findByToken(staff, 'hash'),
  'payouts of all merchants of a partner': () =>
    createPayoutRepository(connection()).list(
      { owner: { environment: 'sandbox', accountId: 'alpha' } },
      { skip: 0, size: 1 },
    ),
  'books and figures that a rebuild compares': () => createRebuildRepository(connection(), ['payouts']).compare(),
  figures: () =>
    createCallbackSumRepository(connection()).read({
      environment: 'sandbox',
      level: 'MERCHANT',
      grain: 'DAY',
      from: new Date(0),
      to: new Date(1),
      limit: 1,
    }),
  'books of a release before': () => createJournalRepository(connection()).listFormerBooks('sandbox', '', 1),
  'the check of all books': () => createBooksCheckRepository(connection()).countBooks({ environment: 'sandbox' }),
  'what all merchants are owed': () => createMerchantBalanceRepository(connection()).totals(staff, {}),
  'cards of a search by staff': () => createPaymentSearch(connection())(staff, { ...searched, card }, 1),
};

test('each entry is tried', () => {
  expect(Object.keys(asks).sort()).toEqual(meantScatter.map(({ name }) => name).sort());
});

test.each(meantScatter.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
  const before = world.stores.statements.length;
  await asks[name]?.();
  const scattered = world.stores.statements.slice(before).filter((statement) => !namesKey(statement));
  const allowing = scattered.map((statement) => meantScatter.filter(({ fits }) => fits(statement)));
  expect(allowing).toContainEqual([entry]);
});

/** A caller of one merchant: what it asks for by id names the slot of that merchant, whatever the id tells. */
test('an id of a release before is looked for in the slot of the one merchant that the caller has', async () => {
  const before = world.stores.statements.length;
  const caller: Caller = merchantClient;
  const payments = createPaymentRepository(connection());
  await Promise.all([
    payments.find(caller, newId()),
    payments.findMany(caller, [newId(), newId()]),
    createOperationQueryRepository(connection()).findMany(caller, [newId()]),
    createContractRepository(connection()).findByToken(caller, 'hash'),
    createContractRepository(connection()).findByOrigin(caller, newId()),
  ]);
  const asked = world.stores.statements.slice(before);
  expect(asked).toHaveLength(5);
  expect(asked.filter((statement) => !namesKey(statement))).toEqual([]);
});

test('a payout or a booking that is searched for by its id is looked for in the slot that the id tells', async () => {
  const before = world.stores.statements.length;
  await createBookSearch(connection())(staff, { ...searched, card: null, uuid: newOrderedId(5) }, 1);
  const asked = world.stores.statements.slice(before);
  const named = asked.map((statement) => [statement.collection, namesKey(statement)]);
  expect(named.sort()).toEqual([
    ['journal_entries', true],
    ['payouts', true],
  ]);
});

test('lists of one merchant, or of a few, name its slot', async () => {
  const before = world.stores.statements.length;
  const few = ['merchant-alpha', 'merchant-beta'];
  const payments = createPaymentQueryRepository(connection());
  const operations = createOperationQueryRepository(connection());
  const sessions = createSessionQueryRepository(connection());
  const sliced = { ...slice, order: newestTime };
  await Promise.all([
    payments.list(staff, { merchantId: 'merchant-alpha' }, slice),
    payments.list(staff, { merchantIds: few }, slice),
    payments.listByMerchants(staff, few, {}, slice),
    operations.list(merchantClient, {}, sliced),
    operations.list(staff, { merchantIds: few }, sliced),
    operations.listByParents(staff, { field: 'merchantId', ids: few }, {}, sliced),
    operations.listByParents(merchantClient, { field: 'paymentId', ids: [newId()] }, {}, sliced),
    operations.listByParents(merchantClient, { field: 'orderId', ids: ['order-1'] }, {}, sliced),
    sessions.list(staff, { merchantId: 'merchant-alpha' }, slice),
    sessions.listByParents(staff, { field: 'merchantId', ids: few }, {}, slice),
    sessions.listByParents(merchantClient, { field: 'paymentId', ids: [newId()] }, {}, slice),
    log().timelines(merchantClient, 'operation', [newId()], slice),
    log().timelines(staff, 'operation', [newOrderedId(5)], slice),
    log().timelines(merchantClient, 'payment', [newId()], slice),
    log().timelines(staff, 'virtualAccount', [newOrderedId(5)], slice),
    log().find(merchantClient, [newId()]),
    log().find(staff, [newOrderedId(5)]),
  ]);
  const asked = world.stores.statements.slice(before);
  expect(asked).toHaveLength(17);
  expect(asked.filter((statement) => !namesKey(statement))).toEqual([]);
});
