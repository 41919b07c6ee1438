// A world for the books: stores of its own, a clock moved by hand, the real event log with positions given on demand, and events as the other domains write them.
import { createAudit } from '../../subgraphs/access/audit/audit';
import { createNotifications, type Lane } from '../../subgraphs/notifications';
import { createReporting, type Reporting, type ReportingDeps } from '../../subgraphs/reporting';
import type { ReadLog } from '../../subgraphs/reporting/journal/read-log';
import type { LedgerAction } from '../../subgraphs/reporting/reporting.events';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { manualClock } from '../../subgraphs/shared/clock';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { isFeedStill } from '../../workers';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';

export const start = new Date('2026-03-01T09:00:00Z');
export const dayMs = 86_400_000;
const environment = 'sandbox' as const;

export interface MerchantOf {
  accountId: string;
  merchantId: string;
  merchantNumber: number;
}

/** Two merchants of one account, and one of another. */
export const merchants = {
  one: { accountId: 'alpha', merchantId: 'm-one', merchantNumber: 1001 },
  two: { accountId: 'alpha', merchantId: 'm-two', merchantNumber: 1002 },
  other: { accountId: 'beta', merchantId: 'm-other', merchantNumber: 2001 },
} as const satisfies Record<string, MerchantOf>;

interface Movement {
  operationType?: string;
  operationResult?: string;
  amount: bigint;
  currency?: string;
  method?: 'CARD' | 'APM';
  circuit?: string;
  at?: Date;
}

export interface ReportingWorld {
  stores: TracedStores;
  clock: ReturnType<typeof manualClock>;
  reporting: Reporting;
  lanes(): Promise<Lane[]>;
  log: ReadLog;
  /** Cuts the log, and what is shared by it, into so many lanes. */
  resize(lanes: number): Promise<void>;
  /** Another process on the same stores. */
  another(more?: Partial<ReportingDeps>): Reporting;
  /** Commits events without giving them a position. */
  commit(...events: NewEvent[]): Promise<void>;
  /** Gives positions to what has none, as the outbox worker does. */
  position(): Promise<void>;
  /** Positions and books everything. */
  feed(): Promise<void>;
  operation(merchant: MerchantOf, movement: Movement): NewEvent;
  ledger(merchant: MerchantOf, action: LedgerAction, amount: bigint, currency?: string): NewEvent;
  approved(merchant: MerchantOf, data: Record<string, unknown>): NewEvent;
  merchantKey(merchant: MerchantOf): Caller;
  partnerKey(accountId: string): Caller;
  staff: Caller;
  /** Settles while the feed runs, as it does in a whole program. */
  settle(date: string, using?: Reporting): Promise<{ date: string; amount: bigint; merchantId: string }[]>;
  /** Forgets everything, for another run on the same stores. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openReportingWorld(lanes = 1): Promise<ReportingWorld> {
  const stores = await openTracedStores();
  const connection = stores.product;
  const clock = manualClock(start);
  const committer = createCommitter(connection);
  const { inTransaction } = committer;
  const byKey = (fits: (merchant: MerchantOf) => boolean) => Object.values(merchants).find(fits) ?? null;
  const config = {
    environment,
    isSandbox: true,
    REST_URL: '',
    EVENT_REPLAY_DAYS: 30,
    CURSOR_KEY: 'c2VjcmV0',
    LANES: lanes,
  };
  const notifications = createNotifications({
    connection,
    inTransaction,
    clock,
    config,
    idempotent: (_context, _field, run) => run(() => []),
    vault: undefined as never,
    audit: createAudit(clock),
    isAccount: async () => true,
  });
  const { events } = notifications.stores;
  const another = (more: Partial<ReportingDeps> = {}) =>
    createReporting({
      connection,
      inTransaction: createCommitter(connection).inTransaction,
      clock,
      config,
      idempotent: (_context, _field, run) => run(() => []),
      audit: (_context, change) => ({ collection: 'audit', document: { _id: newId(), ...change } }),
      propose: async () => ({ proposalId: newId() }),
      readMerchant: async (_environment, merchantId) => byKey((merchant) => merchant.merchantId === merchantId),
      readMerchantByNumber: async (_environment, number) => byKey((merchant) => merchant.merchantNumber === number),
      readTenantMerchant: async (_environment, accountId) => byKey((merchant) => merchant.accountId === accountId),
      isPaymentOf: async () => true,
      isFeedStill: () => isFeedStill(connection, 'journal'),
      eventLog: events,
      searched: [],
      feedWaitMsMax: 60_000,
      ...more,
    });
  const reporting = another();
  await Promise.all([notifications.ensureIndexes(), reporting.ensureIndexes()]);

  // Bounded, because others may go on committing.
  const position = async () => {
    for (const lane of await events.lanes.lanes()) {
      for (let pass = 0; pass < 3; pass += 1) {
        const waiting = await events.unpositioned(500, lane);
        if (waiting.length === 0) break;
        await events.assignPositions({ lane, events: waiting, callbacks: [], fence: 1 });
      }
    }
  };
  const feed = async () => {
    await position();
    await bookAll(reporting);
  };
  const eventOf = (
    { accountId, merchantId }: MerchantOf,
    at: Date,
  ): Omit<NewEvent, 'type' | 'aggregateType' | 'data'> => ({
    _id: newId(),
    environment,
    accountId,
    merchantId,
    aggregateId: newId(),
    sequence: 1,
    version: 1,
    occurredAt: at,
    requestId: newId(),
  });
  const key = (accountId: string, more: Partial<Caller> = {}): Caller => ({
    kind: 'apiKey',
    credentialId: newId(),
    environment,
    accountId,
    scopes: ['reporting'],
    identifiers: [],
    ...more,
  });

  return {
    stores,
    clock,
    reporting,
    lanes: events.lanes.present,
    log: events,
    resize: (count) => events.prepare(count),
    another,
    position,
    feed,
    commit: (...all) => inTransaction({ events: all }),
    operation: (merchant, movement) => ({
      ...eventOf(merchant, movement.at ?? clock.now()),
      aggregateType: 'payment',
      type: 'operation.recorded',
      data: operationData(movement),
    }),
    ledger: (merchant, action, amount, currency = 'EUR') => ({
      ...eventOf(merchant, clock.now()),
      aggregateType: 'ledger',
      type: `ledger.${action.toLowerCase()}Booked`,
      data: { ledgerEntryId: newId(), amount: amount.toString(), currency, reason: 'test' },
    }),
    approved: (merchant, data) => ({
      ...eventOf(merchant, clock.now()),
      aggregateType: 'application',
      type: 'onboarding.approved',
      data,
    }),
    merchantKey: ({ accountId, merchantId }) => key(accountId, { merchantId }),
    partnerKey: (accountId) => key(accountId, { scopes: ['onboarding', 'reporting'] }),
    staff: systemCaller(environment, 'test'),
    async settle(date, using = reporting) {
      let isOver = false;
      const feeding = (async () => {
        while (!isOver) await feed().catch(() => undefined);
      })();
      try {
        const { payouts } = await using.settle(date, newId());
        return payouts.map((payout) => ({
          date: payout.date,
          amount: payout.amountMinor,
          merchantId: payout.merchantId,
        }));
      } finally {
        isOver = true;
        await feeding;
      }
    },
    async empty() {
      const all = stores.connection;
      for (const { collectionName } of await all.getClient().db(all.name).collections())
        if (collectionName !== 'platform_settings' && !collectionName.startsWith('system.'))
          await all.collection(collectionName).deleteMany({});
      await Promise.all([events.prepare(lanes), reporting.ensureIndexes()]);
    },
    async close() {
      await committer.drain();
      await stores.close();
    },
  };
}

/** Books what has its position by now. */
export async function bookAll(reporting: Pick<Reporting, 'feeds' | 'bookNext'>): Promise<void> {
  for (const feed of await reporting.feeds()) while ((await reporting.bookNext(feed)).events > 0);
}

function operationData({ amount, currency = 'EUR', method = 'CARD', circuit = 'VISA', ...movement }: Movement) {
  const { operationType = 'CAPTURE', operationResult = 'EXECUTED' } = movement;
  return {
    operationId: newId(),
    paymentId: newId(),
    orderId: `order-${newId()}`,
    operationType,
    operationResult,
    operationAmount: amount.toString(),
    operationCurrency: currency,
    paymentMethod: method,
    paymentCircuit: circuit,
  };
}
