// Events by id from the subgraph as the gateway runs it (compiled): each kind by its own type, whoever may not see one gets null, and fields of other rights are guarded.
import { localSubgraph } from '../../gateway/subgraphs/local-subgraph';
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createNotifications } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import type { AggregateType, NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { silentLog, staff } from '../gateway/fixture';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';

const kinds: [AggregateType, string, Record<string, unknown>, Record<string, unknown>][] = [
  ['virtualAccount', 'TokenEvent', {}, { virtualAccount: { virtualAccountId: 'of-virtualAccount' } }],
  [
    'payment',
    'OperationEvent',
    { operationId: 'o-1', operationResult: 'DECLINED' },
    { operation: { operationId: 'o-1' }, operationResult: 'DECLINED' },
  ],
  [
    'application',
    'OnboardingEvent',
    { status: 'APPROVED' },
    { status: 'APPROVED', application: { id: 'of-application' } },
  ],
  ['payout', 'PayoutEvent', { payoutId: 'p-1' }, { payout: { payoutId: 'p-1' } }],
  ['ledger', 'LedgerEvent', { ledgerEntryId: 'l-1' }, { ledgerEntryId: 'l-1' }],
  ['callbackEndpoint', 'CallbackEndpointEvent', {}, { endpoint: null }],
  [
    'callback',
    'CallbackAttemptEvent',
    { number: 2, result: 'httpError', httpStatus: 503, durationMs: 12, nextAt: new Date(60_000) },
    {
      number: 2,
      result: 'httpError',
      httpStatus: 503,
      durationMs: 12,
      nextAt: '1970-01-01T00:01:00.000Z',
      callback: null,
    },
  ],
  ['job', 'JobEvent', {}, { job: { jobId: 'of-job' } }],
  ['merchant', 'PlainEvent', {}, {}],
  [
    'audit',
    'AuditEvent',
    { action: 'apiKey.issued', subjectType: 'apiKey', subjectId: 'k-1' },
    { action: 'apiKey.issued', subjectType: 'apiKey', subjectId: 'k-1', record: { auditId: 'of-audit' } },
  ],
];
/** Whether an event of the kind names its merchant. */
const named: [string, AggregateType, Record<string, unknown>, boolean][] = [
  ['an application before its approval', 'application', { status: 'PROCESSING' }, false],
  ['an approved application', 'application', { status: 'APPROVED', merchantNumber: 700_001 }, true],
  ['a callback about an application', 'callback', { kind: 'onboarding-webhook' }, false],
  ['a callback about an operation', 'callback', { kind: 'merchant-notification' }, true],
  ['a callback of a kind that only another release knows', 'callback', { kind: 'smoke-signal' }, true],
  ['a payment', 'payment', {}, true],
];
const source = `query ($ids: [ID!]!) { eventsById(eventIds: $ids) { __typename eventId type merchant { merchantId }
  ... on TokenEvent { virtualAccount { virtualAccountId } } ... on OperationEvent { operationResult operation { operationId } }
  ... on OnboardingEvent { status application { id } } ... on PayoutEvent { payout { payoutId } }
  ... on LedgerEvent { ledgerEntryId } ... on JobEvent { job { jobId } } ... on CallbackEndpointEvent { endpoint { endpointId } }
  ... on CallbackAttemptEvent { number result httpStatus durationMs nextAt callback { callbackId } }
  ... on AuditEvent { action subjectType subjectId record { auditId } } } }`;

let stores: TracedStores;
let ask: (
  ids: readonly string[],
  caller: Caller,
) => Promise<{ data?: unknown; errors?: readonly { extensions: Record<string, unknown> }[] }>;
const events = [
  ...kinds.map(([aggregateType, , data]) => ({ aggregateType, data })),
  ...named.map(([, aggregateType, data]) => ({ aggregateType, data })),
].map(
  ({ aggregateType, data }, index): NewEvent => ({
    _id: newId(),
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: 'm-alpha',
    aggregateType,
    aggregateId: `of-${aggregateType}`,
    sequence: 1 + index,
    type: `${aggregateType}.happened`,
    version: 1,
    occurredAt: new Date(0),
    requestId: newId(),
    data,
  }),
);
const ids = events.map(({ _id }) => _id);

beforeAll(async () => {
  stores = await openTracedStores();
  const { product: connection } = stores;
  const { inTransaction } = createCommitter(connection);
  const notifications = createNotifications({
    audit: createAudit(manualClock(new Date())),
    isAccount: async () => true,
    connection,
    inTransaction,
    idempotent: (_context, _field, run) => run(() => []),
    clock: manualClock(new Date()),
    vault: {} as never,
    config: {
      environment: 'sandbox',
      isSandbox: true,
      REST_URL: '',
      EVENT_REPLAY_DAYS: 30,
      CURSOR_KEY: 'AAAA',
      LANES: 1,
    },
  });
  await notifications.ensureIndexes();
  await inTransaction({ events });
  const { name, schema } = await buildSubgraph(notifications.subgraph);
  const run = localSubgraph(name, schema, silentLog).prepare(source, undefined);
  ask = async (wanted, caller) => (await run({ ids: wanted }, requestContext(caller, newId()))) as never;
});
afterAll(() => stores.close());

const admin: Caller = { ...staff, scopes: ['graph:viewer'] };

test('each kind has its type and what it is about, in the order that was asked', async () => {
  const { data, errors } = await ask(ids.slice(0, kinds.length), admin);
  expect(errors).toBeUndefined();
  const expected = kinds.map(([aggregateType, __typename, , shown], index) => ({
    __typename,
    eventId: ids[index],
    type: `${aggregateType}.happened`,
    merchant: aggregateType === 'application' ? null : { merchantId: 'm-alpha' },
    ...shown,
  }));
  expect(data).toEqual({ eventsById: expected });
});

test.each(named.map(([what, , , isNamed], index) => [what, isNamed, ids[kinds.length + index] as string] as const))(
  'of %s the merchant is named: %s',
  async (_what, isNamed, id) => {
    const { data } = await ask([id], admin);
    expect(data).toMatchObject({ eventsById: [{ merchant: isNamed ? { merchantId: 'm-alpha' } : null }] });
  },
);

test("what is another account's or nobody's is null", async () => {
  const { data } = await ask([ids[0] as string, 'none'], { ...admin, accountId: 'beta', scopes: ['graph:read'] });
  expect(data).toEqual({ eventsById: [null, null] });
});

test('a payout, a booking, an endpoint and a callback need a right of their own, the events themselves do not', async () => {
  const { data, errors } = await ask(ids.slice(3, 7), { ...admin, scopes: ['graph:events:read'] });
  expect(data).toMatchObject({
    eventsById: [
      { __typename: 'PayoutEvent', payout: null },
      { __typename: 'LedgerEvent', ledgerEntryId: null },
      { __typename: 'CallbackEndpointEvent', endpoint: null },
      { __typename: 'CallbackAttemptEvent', number: 2, result: 'httpError', callback: null },
    ],
  });
  expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(Array(4).fill('forbidden'));
});

test.each([
  ['may read events alone', { scopes: ['graph:events:read'] as const }],
  ['may read everything of another account', { accountId: 'beta', scopes: ['graph:read'] as const }],
])('whoever %s is not told that something came into the audit', async (_who, more) => {
  const { data, errors } = await ask(ids.slice(kinds.length - 1, kinds.length), { ...admin, ...more });
  expect(errors).toBeUndefined();
  expect(data).toEqual({ eventsById: [null] });
});

test('more than 200 at once, and a caller without the right, are refused', async () => {
  const many = await ask(Array(201).fill('x'), admin);
  expect(many.errors?.[0]?.extensions).toMatchObject({ code: 'invalidInput', field: 'eventIds' });
  const none = await ask(ids, { ...admin, scopes: ['graph:payments:read'] });
  expect(none.errors?.[0]?.extensions).toMatchObject({ code: 'forbidden' });
});
