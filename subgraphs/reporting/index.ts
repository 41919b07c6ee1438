// Reporting: the double-entry journal fed from the event log, settlement and payouts, balances and the reports on them (reporting interface).
import type { Connection } from 'mongoose';
import type { RecordChange } from '../shared/callers/audit';
import type { RequestContext } from '../shared/callers/context';
import type { CarryOut, Propose } from '../shared/callers/proposal';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import { DomainError } from '../shared/errors';
import { classesOf } from '../shared/graph/classes-of';
import { MoneyResolver } from '../shared/graph/money.resolver';
import { MoneyType } from '../shared/graph/money.type';
import { ProposalStub, ProposedType } from '../shared/graph/proposal.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import { newId } from '../shared/ids';
import type { Metrics } from '../shared/log/metrics';
import type { Find } from '../shared/search';
import type { InTransaction } from '../shared/store/unit-of-work';
import { BalanceResolver, LedgerResolver, MerchantBalancesResolver } from './balances/balance.resolver';
import * as balanceTypes from './balances/balance.type';
import {
  bookLedgerEntry,
  type LedgerInput,
  type PayoutAccountInput,
  seedPayoutAccount,
  setPayoutAccount,
} from './balances/ledger.service';
import { createMerchantBalanceRepository } from './balances/merchant-balance.repository';
import {
  MerchantBalanceListResolver,
  MerchantBalanceResolver,
  MerchantBalanceTotalResolver,
} from './balances/merchant-balance.resolver';
import * as merchantBalanceTypes from './balances/merchant-balance.type';
import { createBooksCheckRepository } from './checks/books-check.repository';
import { type Checked, checkBooks, type MovingBooks } from './checks/books-check.service';
import { applyRebuilt, type BookReads, type Rebuilt, rebuildBooks } from './checks/rebuild.service';
import { type BookSet, bookCollections, rollUpCollections } from './journal/collections.repository';
import { LedgerEntryResolver } from './journal/entry.resolver';
import * as entryTypes from './journal/entry.type';
import { createEntryQueryRepository } from './journal/entry-query.repository';
import { bookNext, type Fed, type FeedDeps, openFeeds } from './journal/feed.service';
import { createJournalRepository } from './journal/journal.repository';
import type { Feed, ReadLog } from './journal/read-log';
import { createRebuildRepository } from './journal/rebuild.repository';
import { createCallbackSumRepository } from './metrics/callback-sum.repository';
import { type CallbackTally, createCallbackTally } from './metrics/callback-tally';
import { countNext, openFigureFeeds, type RebuiltFigures, rebuildFigures } from './metrics/figure-feed.service';
import { MetricRowResolver, MetricsResolver } from './metrics/metric.resolver';
import type { MetricReads } from './metrics/metric.service';
import * as metricTypes from './metrics/metric.type';
import { createRollUpRepository } from './metrics/roll-up.repository';
import { createDayRepository } from './payouts/day.repository';
import { settleByHand } from './payouts/day-by-hand.service';
import { createOpenActionsRepository } from './payouts/open-actions.repository';
import {
  payoutMerchantReference,
  payoutOperationReference,
  payoutPaymentReference,
  payoutReference,
} from './payouts/payout.reference';
import { createPayoutRepository } from './payouts/payout.repository';
import {
  MerchantPayoutsResolver,
  OperationPayoutResolver,
  PaymentActionResolver,
  PayoutResolver,
} from './payouts/payout.resolver';
import * as payoutTypes from './payouts/payout.type';
import type { PayoutLineReads } from './payouts/payout-line.service';
import { createScheduleRepository } from './payouts/schedule.repository';
import { type ClosedByItself, settleDue } from './payouts/schedule.service';
import { type ClosedDay, type ClosingTurn, settle } from './payouts/settlement.service';
import type { IsPaymentOf, ReadMerchantByNumber, ReadReportedMerchant, ReadTenantMerchant } from './ports';
import { ReportResolver } from './report.resolver';
import * as reportTypes from './report.type';
import { createBookSearch } from './search/book-search.repository';
import { SearchResolver } from './search/search.resolver';
import type { Searched } from './search/search.service';
import * as searchTypes from './search/search.type';

export type { CallbackTally, CountedAttempt } from './metrics/callback-tally';

export interface ReportingDeps {
  connection: Connection;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  config: Pick<Config, 'environment'>;
  /** The access domain's audit record of a change, as a write. */
  audit: RecordChange;
  propose: Propose;
  /** The merchants domain's answers. */
  readMerchant: ReadReportedMerchant;
  readMerchantByNumber: ReadMerchantByNumber;
  /** The merchant of a tenant of the sandbox; null: there is no such tenant. */
  readTenantMerchant: ReadTenantMerchant;
  /** The payments domain's answer. */
  isPaymentOf: IsPaymentOf;
  /** What every domain finds by a text. */
  searched: readonly Searched[];
  /** The notifications domain's event log. */
  eventLog: ReadLog;
  /** Whether the feed of the journal is made to stand still: nothing is paid meanwhile. */
  isFeedStill(): Promise<boolean>;
  metrics?: Pick<Metrics, 'bookDifferences'>;
  /** Longest wait of a settlement for the journal, 8 s when absent, and of a rebuild for the log. */
  feedWaitMsMax?: number;
  /** Most ranges of actions in a payout; 50,000 when absent. */
  runsMax?: number;
}

export interface Reporting {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** What bookings and payout accounts come to that a second person confirmed. */
  carryOutBooking: CarryOut;
  carryOutPayoutAccount: CarryOut;
  /** The lanes of the log of which something may be left to book. */
  feeds(): Promise<Feed[]>;
  /** Books the next events of a lane; for its one leader. */
  bookNext(feed: Feed, session?: FeedDeps['session'], from?: number | null): Promise<Fed>;
  /** The lanes of the log of which something may be left to count. */
  figureFeeds(): Promise<Feed[]>;
  /** Counts the next events of a lane; for its one leader. */
  countNext(feed: Feed, session?: FeedDeps['session'], from?: number | null): Promise<Fed>;
  /** Adds up what becomes of callbacks, for a process that delivers some. */
  callbackTally(): CallbackTally;
  /** All figures again from the log, beside those in use, and what differs; with `isApplied` they take their place. Nobody may feed meanwhile. */
  rebuildFigures(isApplied: boolean): Promise<RebuiltFigures>;
  /** Closes a day by hand. */
  settle(date: string, requestId: string): Promise<ClosedDay>;
  /** Makes the first payout account of a merchant; safe to repeat. */
  seedPayoutAccount(account: { merchantId: string; iban: string; bic: string }): Promise<void>;
  /** Closes yesterday once it is 02:00 UTC, for a lane or for all; null when that was done. */
  settleDue(turn?: ClosingTurn): Promise<ClosedByItself | null>;
  /** Adds everything up again; without `moving` the books must stand still. */
  checkBooks(moving?: MovingBooks): Promise<Checked>;
  /** The journal again from the log, beside the one in use, and what differs; with `isApplied` it takes its place. Nobody may feed meanwhile. */
  rebuild(isApplied: boolean): Promise<Rebuilt>;
  ensureIndexes(): Promise<void>;
}

/** Wires the domain; nothing is read before the first request, so a connection that is not open will do for the contract. */
export function createReporting(deps: ReportingDeps): Reporting {
  const { connection, eventLog: log } = deps;
  const { environment } = deps.config;
  const { journal, openActions, payouts } = booksOf(connection, 'live');
  const days = createDayRepository(connection);
  const counts = createBooksCheckRepository(connection);
  const schedule = createScheduleRepository(connection);
  const { reads: figureReads, prepare: prepareFigures, ...figures } = figuresOf(deps);
  const ledger = { ...deps, days, journal };
  const reads = { ...deps, days, payouts, openActions, counts };
  const settlement = { ...deps, environment, journal, openActions, payouts, log };
  const merchantOfTenant = async ({ caller }: RequestContext, tenant: string) => {
    const merchant = await deps.readTenantMerchant(caller.environment, tenant);
    if (!merchant) throw new DomainError('notFound');
    return merchant.merchantId;
  };

  const subgraph: SubgraphDefinition = {
    name: 'reporting',
    resolvers: [
      new PayoutResolver(reads, (context, date, reason) => settleByHand(settlement, context, date, reason)),
      new PaymentActionResolver(),
      new OperationPayoutResolver({ ...reads, journal }),
      new MerchantPayoutsResolver(reads),
      new BalanceResolver(reads),
      new MerchantBalancesResolver(reads),
      new LedgerResolver(ledger, merchantOfTenant),
      ...listResolvers({ ...reads, journal }, deps),
      new ReportResolver(reads),
      new MetricsResolver(figureReads),
      new MetricRowResolver(),
      new MoneyResolver(),
    ],
    types,
    unmasked: { Payout: { subjectType: 'payout', key: 'payoutId', fields: ['iban'] } },
    references: {
      Payout: payoutReference(reads),
      Merchant: payoutMerchantReference,
      Operation: payoutOperationReference,
      Payment: payoutPaymentReference,
    },
  };

  return {
    subgraph,
    find: createBookSearch(connection),
    async carryOutBooking(context, input, conclude) {
      await bookLedgerEntry(ledger, context, input as unknown as LedgerInput, ({ ledgerEntryId }) =>
        conclude(ledgerEntryId),
      );
    },
    carryOutPayoutAccount: (context, input, conclude) =>
      setPayoutAccount(ledger, context, input as unknown as PayoutAccountInput, () => conclude(null)),
    feeds: () => openFeeds({ journal, log, environment }),
    bookNext: (feed, session, from) => bookNext({ journal, log, environment, session, from }, feed),
    ...figures,
    settle: (date, requestId) => settle(settlement, date, requestId),
    seedPayoutAccount: (account) => seedPayoutAccount(deps, environment, account),
    settleDue: (turn) => settleDue({ ...settlement, schedule }, newId(), turn),
    async checkBooks(moving) {
      const checked = await checkBooks({ ...settlement, days, counts }, moving);
      deps.metrics?.bookDifferences.set(checked.differences.length);
      return checked;
    },
    async rebuild(isApplied) {
      const [live, rebuilt] = [booksOf(connection, 'live'), booksOf(connection, 'rebuilt')];
      const rebuilding = {
        environment,
        log,
        live,
        rebuilt,
        store: createRebuildRepository(connection, bookCollections),
        publishedWaitMsMax: deps.feedWaitMsMax,
      };
      const made = await rebuildBooks(rebuilding);
      if (isApplied) await applyRebuilt(rebuilding, made);
      return made;
    },
    async ensureIndexes() {
      await Promise.all([
        journal.prepare(environment),
        payouts.ensureIndexes(),
        schedule.ensureIndexes(),
        prepareFigures(),
      ]);
    },
  };
}

const types = [
  ...classesOf(payoutTypes, balanceTypes, merchantBalanceTypes, entryTypes, reportTypes, searchTypes, metricTypes),
  MoneyType,
  ProposalStub,
  ProposedType,
];

/** Lists over all merchants: of what moved their money, and of what they are owed; and the search. */
function listResolvers(
  reads: PayoutLineReads,
  { connection, searched }: Pick<ReportingDeps, 'connection' | 'searched'>,
): object[] {
  const entries = createEntryQueryRepository(connection);
  return [
    new LedgerEntryResolver({ ...reads, entries }),
    new SearchResolver({ ...reads, entries, searched }),
    new MerchantBalanceResolver(createMerchantBalanceRepository(connection)),
    new MerchantBalanceListResolver(),
    new MerchantBalanceTotalResolver(),
  ];
}

function booksOf(connection: Connection, set: BookSet): BookReads {
  return {
    journal: createJournalRepository(connection, set),
    openActions: createOpenActionsRepository(connection, set),
    payouts: createPayoutRepository(connection, set),
  };
}

type Figures = Pick<Reporting, 'figureFeeds' | 'countNext' | 'callbackTally' | 'rebuildFigures'>;

/** The figures beside the books: their own feed, and what answers from them. */
function figuresOf({ connection, config: { environment }, eventLog: log, clock }: ReportingDeps): Figures & {
  reads: MetricReads;
  prepare(): Promise<void>;
} {
  const rollUps = createRollUpRepository(connection);
  const callbackSums = createCallbackSumRepository(connection);
  const counting = { rollUps, log, environment };
  return {
    reads: { rollUps, callbackSums, clock },
    figureFeeds: () => openFigureFeeds(counting),
    countNext: (feed, session, from) => countNext({ ...counting, session, from }, feed),
    callbackTally: () => createCallbackTally(environment, callbackSums),
    rebuildFigures(isApplied) {
      const store = createRebuildRepository(connection, rollUpCollections);
      return rebuildFigures({ ...counting, rebuilt: createRollUpRepository(connection, 'rebuilt'), store }, isApplied);
    },
    async prepare() {
      await Promise.all([rollUps.prepare(), callbackSums.ensureIndexes()]);
    },
  };
}
