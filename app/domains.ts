// The domains, wired to each other by plain functions: what one must know of another is handed in here, never imported there.
import { type Access, type AccessDeps, createAccess } from '../subgraphs/access';
import { createMerchants, type Merchants, type MerchantsDeps } from '../subgraphs/merchants';
import { createNotifications, type NotificationsDeps } from '../subgraphs/notifications';
import { createOnboarding, type Onboarding, type OnboardingDeps } from '../subgraphs/onboarding';
import { createPayments, type PaymentsDeps } from '../subgraphs/payments';
import { createReporting, type Reporting, type ReportingDeps } from '../subgraphs/reporting';
import type { SubgraphDefinition } from '../subgraphs/shared/graph/subgraph';
import type { Idempotency, ResultField } from '../subgraphs/shared/idempotency/idempotency';
import type { Find } from '../subgraphs/shared/search';
import { createTokenization, type TokenizationDeps } from '../subgraphs/tokenization';
import { domainNames } from './domain-names';

/** What every domain is built on. */
export type DomainDeps = Omit<AccessDeps, 'readMerchant' | 'readTerminal' | 'isAccount' | 'idempotent' | 'carryOut'> &
  Omit<MerchantsDeps, 'audit' | 'idempotent'> &
  Omit<NotificationsDeps, 'isAccount' | 'idempotent' | 'audit'> &
  Omit<TokenizationDeps, 'idempotent' | 'audit' | 'readAgreement' | 'recipientKey'> &
  Omit<PaymentsDeps, 'onceBegun' | 'audit' | 'readTerminal' | 'readMerchant' | 'judgeAddress' | 'redeemToken'> &
  Omit<
    OnboardingDeps,
    'idempotent' | 'audit' | 'propose' | 'judgeAddress' | 'isMerchantIdTaken' | 'provisionMerchant' | 'mailInsert'
  > &
  Omit<
    ReportingDeps,
    | 'idempotent'
    | 'audit'
    | 'propose'
    | 'readMerchant'
    | 'readMerchantByNumber'
    | 'isPaymentOf'
    | 'readTenantMerchant'
    | 'eventLog'
    | 'searched'
  >;

/** What each name in the list of domains stands for; one that nothing is wired for does not compile. */
interface Domain {
  subgraph: SubgraphDefinition;
  ensureIndexes(): Promise<void>;
}

/** Idempotency by the family of keys under which results are kept: a domain's are sealed under the one that it has anyway. */
interface ResultKeeping {
  idempotentOf(field: ResultField): Idempotency;
}

export function createDomains({ idempotentOf, ...shared }: DomainDeps & ResultKeeping) {
  const [forCards, forSecrets] = [idempotentOf('result.cards'), idempotentOf('result.secrets')];
  const deps = { ...shared, idempotent: idempotentOf('result.results') };
  // Access and the others ask each other, each only when it is called.
  const access = createAccess({
    ...deps,
    idempotent: idempotentOf('result.credentials'),
    // A deleted merchant gets no credentials any more.
    readMerchant: async (environment, merchantId) => {
      const merchant = await merchants.readMerchant(environment, merchantId);
      return merchant?.deletion ? null : merchant;
    },
    readTerminal: (environment, terminalId) => merchants.readTerminal(environment, terminalId),
    isAccount: (environment, accountId) => merchants.isAccount(environment, accountId),
    carryOut: carryingOut(() => ({ reporting, onboarding })),
  });
  const audited = { ...deps, audit: access.audit };
  const merchants: Merchants = createMerchants(audited);
  const notifications = createNotifications({ ...audited, idempotent: forSecrets, isAccount: merchants.isAccount });
  const tokenization = createTokenization({
    ...audited,
    idempotent: forCards,
    readAgreement: merchants.readAgreement,
    recipientKey: access.recipientKey,
  });
  const payments = createPayments({
    ...audited,
    ...merchants.remembered,
    onceBegun: forCards.onceBegun,
    judgeAddress: notifications.judgeAddress,
    redeemToken: tokenization.redeemCryptogram,
  });
  const reporting: Reporting = createReporting({
    ...audited,
    propose: access.propose,
    readMerchant: merchants.readMerchant,
    readMerchantByNumber: merchants.readMerchantByNumber,
    readTenantMerchant: (environment, accountId) => merchants.readMerchant(environment, tenantMerchantId(accountId)),
    isPaymentOf: payments.isPaymentOf,
    eventLog: notifications.stores.events,
    searched: searchedBy(() => ({ payments, merchants, tokenization, onboarding, notifications, reporting }), access),
  });
  const onboarding: Onboarding = createOnboarding({
    ...audited,
    idempotent: forSecrets,
    propose: access.propose,
    judgeAddress: notifications.judgeAddress,
    isMerchantIdTaken: async (environment, merchantId) =>
      (await merchants.readMerchant(environment, merchantId)) !== null,
    provisionMerchant: merchants.provisionMerchant,
  });
  const domains = { access, merchants, tokenization, payments, notifications, onboarding, reporting };
  const served = domainNames.map((name): Domain => domains[name]);
  return {
    ...domains,
    subgraphs: served.map(({ subgraph }) => ({ ...subgraph, recordLook: access.recordLook, clock: shared.clock })),
    ensureIndexes: () => Promise.all(served.map((domain) => domain.ensureIndexes())),
  };
}

type Finders = Record<
  'payments' | 'merchants' | 'tokenization' | 'onboarding' | 'notifications' | 'reporting',
  { find: Find }
>;

/** What each domain finds by a text, each asked only when it is searched. */
function searchedBy(domains: () => Finders, access: Access): ReportingDeps['searched'] {
  return [
    { right: 'payments:read', find: (...asked) => domains().payments.find(...asked) },
    { right: 'merchants:read', find: (...asked) => domains().merchants.find(...asked) },
    { right: 'tokens:read', find: (...asked) => domains().tokenization.find(...asked) },
    { right: 'onboarding:read', find: (...asked) => domains().onboarding.find(...asked) },
    { right: 'callbacks:read', find: (...asked) => domains().notifications.find(...asked) },
    { right: 'ledger:read', find: (...asked) => domains().reporting.find(...asked) },
    { right: 'proposals:read', find: access.find.proposals },
    { right: 'jobs:read', find: access.find.jobs },
    { right: 'people:read', find: access.find.people },
  ];
}

/** What confirmed proposals come to, in the domains that made them. */
function carryingOut(domains: () => { reporting: Reporting; onboarding: Onboarding }): AccessDeps['carryOut'] {
  return {
    booking: (...confirmed) => domains().reporting.carryOutBooking(...confirmed),
    payoutAccount: (...confirmed) => domains().reporting.carryOutPayoutAccount(...confirmed),
    approval: (...confirmed) => domains().onboarding.carryOutApproval(...confirmed),
  };
}

/** The one merchant that a tenant of the sandbox is seeded with. */
export function tenantMerchantId(accountId: string): string {
  return `merchant-${accountId}-1`;
}
