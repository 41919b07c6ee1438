// Payments: the money core, the payment service, hosted checkout and its sessions (payment interface).
import type { Connection } from 'mongoose';
import type { RecordChange } from '../shared/callers/audit';
import { type Environment, systemCaller } from '../shared/callers/caller';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import type { Vault } from '../shared/crypto/vault';
import { DomainError } from '../shared/errors';
import { ActionReasonType } from '../shared/graph/action.type';
import { classesOf } from '../shared/graph/classes-of';
import { MoneyResolver } from '../shared/graph/money.resolver';
import { MoneyType } from '../shared/graph/money.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { OnceBegun } from '../shared/idempotency/once-begun';
import type { Metrics } from '../shared/log/metrics';
import { withoutUndefined } from '../shared/present-members';
import type { Find } from '../shared/search';
import { allSlots, isFirst, type SlotRange } from '../shared/store/slot';
import type { InTransaction } from '../shared/store/unit-of-work';
import { CheckoutPageResolver } from './checkout/checkout-page.resolver';
import * as pageTypes from './checkout/checkout-page.type';
import { CheckoutSandboxResolver } from './checkout/checkout-sandbox.resolver';
import { OperationActionResolver, OperationChoicesResolver } from './checkout/operation-action.resolver';
import { createOperationActions } from './checkout/operation-action.service';
import * as warningTypes from './checkout/warning.type';
import { type NameSettings, readNames } from './configured-names';
import type { AlternativeMethod } from './connectors/alternative-method';
import type { ThreeDs } from './connectors/three-ds';
import { unconfiguredAcquirer, unconfiguredMethods } from './connectors/unconfigured-connectors';
import { unconfiguredThreeDs } from './connectors/unconfigured-three-ds';
import { type ContractRepository, createContractRepository } from './contracts/contract.repository';
import { findConsent, readConsent } from './contracts/contract.service';
import { AcquirerCallResolver } from './money/acquirer-call.resolver';
import * as callTypes from './money/acquirer-call.type';
import { CaptureBatchResolver } from './money/capture-batch.resolver';
import type { Money, Settled } from './money/money';
import { createMoney } from './money/money.service';
import {
  operationMerchantReference,
  operationReference,
  type PaymentReads,
  paymentReference,
} from './operations/operation.reference';
import { OperationResolver } from './operations/operation.resolver';
import * as operationTypes from './operations/operation.type';
import { createOperationQueryRepository } from './operations/operation-query.repository';
import { OperationPossibleActionsResolver, PaymentActionsResolver } from './operations/post-action.resolver';
import * as postActionTypes from './operations/post-action.type';
import * as merchantTypes from './payment/merchant-stub.type';
import { MerchantPaymentsResolver, OrderResolver, PaymentResolver } from './payment/payment.resolver';
import * as paymentTypes from './payment/payment.type';
import { createKeyedMutex } from './payment/payment-lock.service';
import { PaymentMethodResolver } from './payment/payment-method.resolver';
import * as methodTypes from './payment/payment-method.type';
import { PaymentMoneyType } from './payment/payment-money.type';
import { createPaymentQueryRepository } from './payment/payment-query.repository';
import { createPaymentSearch } from './payment/payment-search.repository';
import { createPaymentReader } from './payment-service/create-payment';
import { createPaymentService, type PaymentService } from './payment-service/payment-calls.service';
import { PaymentServiceResolver } from './payment-service/payment-service.resolver';
import * as serviceTypes from './payment-service/payment-service.type';
import { createChargedTokens } from './payment-service/stored-token.service';
import type { JudgeAddress, ReadMerchant, ReadTerminal, RedeemToken } from './ports';
import { createChallengeRepository } from './sandbox/challenge.repository';
import { createSandboxConnectors, type SandboxConnectors } from './sandbox/sandbox-connectors.service';
import { createSandboxThreeDs } from './sandbox/three-ds.service';
import { createCardEntryRepository } from './sessions/card-entry.repository';
import {
  type CheckoutSessionRepository,
  createCheckoutSessionRepository,
} from './sessions/checkout-session.repository';
import { CheckoutSessionResolver } from './sessions/checkout-session.resolver';
import { exclusiveWaitMsMax, twinWaitMsMax } from './sessions/checkout-session.service';
import * as sessionTypes from './sessions/checkout-session.type';
import { closeSessionsOf } from './sessions/merchant-end.service';
import { expireSessions } from './sessions/session-ending.service';
import { openVisit } from './sessions/session-opening';
import { createSessionQueryRepository } from './sessions/session-query.repository';
import { sessionQueryResolvers } from './sessions/session-query.resolver';
import * as sessionQueryTypes from './sessions/session-query.type';
import { createVisitRepository } from './sessions/visit.repository';

export type { CheckoutTerminal } from './ports';

export interface PaymentsDeps {
  connection: Connection;
  inTransaction: InTransaction;
  onceBegun: OnceBegun;
  clock: Clock;
  vault: Vault;
  config: Pick<Config, 'environment' | 'isSandbox' | 'PAY_URL' | 'ACS_URL' | 'AUTHORIZATION_HOURS'> & NameSettings;
  /** The access domain's audit record of a staff action, as a write. */
  audit: RecordChange;
  /** The merchants domain's answers. */
  readTerminal: ReadTerminal;
  readMerchant: ReadMerchant;
  /** The notifications domain's judgement of an address that shall be called. */
  judgeAddress: JudgeAddress;
  /** The tokenization domain's answer about a card token that is paid with. */
  redeemToken: RedeemToken;
  /** `sha384-...` of the field script as it is served. */
  sriHash: string;
  metrics?: Pick<Metrics, 'raisedOutcomes' | 'acquirer' | 'alternativeMethods'>;
  /** A provider's 3-D Secure server and alternative methods; the sandbox has its own. */
  threeDs?: ThreeDs;
  alternativeMethods?: AlternativeMethod;
  /** Longest wait for one answer of a connector; real time. */
  answerMsMax?: number;
}

export interface Payments {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** Whether that merchant has a payment of that id. */
  isPaymentOf(environment: Environment, merchantId: string, paymentId: string): Promise<boolean>;
  /** The janitor of money, of a lane or of all: lost calls, open outcomes, expired authorizations, DEFERRED captures; run at least every second. */
  settle(stopping?: AbortSignal, slots?: SlotRange): Promise<Settled>;
  /** The janitor of sessions, of a lane or of all: forgotten ones end, sealed card parts are wiped; run every few seconds. Returns how many ended. */
  expireSessions(stopping?: AbortSignal, slots?: SlotRange): Promise<number>;
  /** Ends open sessions of a merchant that was deleted; returns how many are open still. */
  closeSessionsOf(environment: Environment, merchantId: string): Promise<number>;
  ensureIndexes(): Promise<void>;
}

/** Wires the domain; nothing is read before the first request, so a connection that is not open will do for the contract. */
export function createPayments(deps: PaymentsDeps): Payments {
  const operations = createOperationQueryRepository(deps.connection);
  const payments = createPaymentQueryRepository(deps.connection);
  const { environment, isSandbox, ACS_URL } = deps.config;
  const simulated = createSandboxConnectors({ ...deps, environment, methodOrigin: ACS_URL });
  const money = moneyOf(deps, simulated);
  const reads = { operations, payments };
  const sessions = createCheckoutSessionRepository(deps.connection);
  const visits = createSessionQueryRepository(deps.connection);
  const cards = createCardEntryRepository(deps.connection);
  const contracts = createContractRepository(deps.connection);
  const challenges = createChallengeRepository(deps.connection, environment);
  const owners: { ensureIndexes(): Promise<void> }[] = [money, simulated, sessions, cards, contracts, challenges];
  const simulator = createSandboxThreeDs({ challenges, clock: deps.clock, acsUrl: ACS_URL });
  const threeDs = deps.threeDs ?? (isSandbox ? simulator : unconfiguredThreeDs());
  const late = () => new DomainError('unavailable', undefined, { retryAfterSeconds: 1 });
  const runExclusive = createKeyedMutex(exclusiveWaitMsMax, late);
  const runPaying = createKeyedMutex(twinWaitMsMax, late);
  const stores = { sessions, visits: createVisitRepository(deps.connection), cards, contracts };
  const checkout = { ...deps, ...stores, money, threeDs, runExclusive, runPaying };
  const paymentService = paymentServiceOf(deps, { money, sessions, contracts });

  const subgraph: SubgraphDefinition = {
    name: 'payments',
    resolvers: [
      new PaymentMethodResolver(deps.readTerminal),
      new CaptureBatchResolver(money),
      new AcquirerCallResolver(money),
      new CheckoutSessionResolver(checkout),
      new CheckoutPageResolver(checkout),
      new CheckoutSandboxResolver(checkout),
      new OperationResolver(reads),
      new OperationActionResolver(reads, createOperationActions({ ...deps, money })),
      new PaymentServiceResolver(paymentService),
      ...shownResolvers(reads, deps.clock),
      ...sessionQueryResolvers(visits, reads),
    ],
    types: [...classesOf(...types), ActionReasonType, MoneyType, PaymentMoneyType],
    unmasked: {
      Operation: { subjectType: 'operation', key: 'operationId', fields: ['customerInfo'] },
      Order: { subjectType: 'order', key: 'orderId', fields: ['order'] },
    },
    references: {
      Operation: operationReference(reads),
      Payment: paymentReference(reads),
      Merchant: operationMerchantReference,
    },
  };

  return {
    subgraph,
    find: createPaymentSearch(deps.connection),
    async isPaymentOf(from, merchantId, paymentId) {
      const [found] = await payments.findParts(systemCaller(from, 'ledger'), [paymentId], []);
      return found?.merchantId === merchantId;
    },
    async settle(stopping, slots = allSlots) {
      const settled = await money.settle(stopping, slots);
      if (isFirst(slots)) deps.metrics?.raisedOutcomes.set(settled.raised);
      return settled;
    },
    expireSessions: (stopping, slots) => expireSessions(checkout, stopping, slots),
    closeSessionsOf: (from, merchantId) => closeSessionsOf(checkout, from, merchantId),
    async ensureIndexes() {
      await Promise.all(owners.map((repository) => repository.ensureIndexes()));
    },
  };
}

/** What payments and operations show of themselves. */
function shownResolvers(reads: PaymentReads, clock: Clock): object[] {
  return [
    new OperationChoicesResolver(reads, clock),
    new OperationPossibleActionsResolver(reads, clock),
    new PaymentActionsResolver(clock),
    new PaymentResolver(reads),
    new MoneyResolver(),
    new OrderResolver(reads),
    new MerchantPaymentsResolver(reads),
  ];
}

interface ServiceParts {
  money: Money;
  sessions: CheckoutSessionRepository;
  contracts: ContractRepository;
}

function moneyOf(deps: PaymentsDeps, simulated: SandboxConnectors): Money {
  const { connection, inTransaction, clock, config, metrics, answerMsMax } = deps;
  const { environment, isSandbox, AUTHORIZATION_HOURS } = config;
  const methods = isSandbox ? simulated.alternativeMethods : unconfiguredMethods;
  return createMoney({
    connection,
    inTransaction,
    clock,
    environment,
    acquirer: isSandbox ? simulated.acquirer : unconfiguredAcquirer,
    alternativeMethods: deps.alternativeMethods ?? methods,
    authorizationMs: AUTHORIZATION_HOURS * 3_600_000,
    observeAcquirer: ({ call, outcome, seconds }) => metrics?.acquirer.observe({ call, outcome }, seconds),
    observeMethods: ({ call, outcome, seconds }) => metrics?.alternativeMethods.observe({ call, outcome }, seconds),
    ...withoutUndefined({ answerMsMax }),
  });
}

function paymentServiceOf(deps: PaymentsDeps, { money, sessions, contracts }: ServiceParts): PaymentService {
  const consents = { ...deps, contracts, money };
  return createPaymentService({
    ...deps,
    money,
    readRequest: createPaymentReader(readNames(deps.config), deps.config.isSandbox),
    openVisit: (visit, sessionId) => openVisit({ sessions }, visit, sessionId, deps.clock.now()),
    readChargedToken: createChargedTokens({
      ...deps,
      money,
      findConsent: (caller, stored) => findConsent(consents, caller, stored),
    }),
    readConsent: (caller, paymentId) => readConsent(consents, caller, paymentId),
  });
}

const types = [
  methodTypes,
  operationTypes,
  paymentTypes,
  serviceTypes,
  merchantTypes,
  warningTypes,
  sessionTypes,
  pageTypes,
  callTypes,
  sessionQueryTypes,
  postActionTypes,
];
