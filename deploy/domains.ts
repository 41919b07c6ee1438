// The domains, wired to each other by plain functions: what one must know of another is handed in here, never imported there.
import { type AccessDeps, createAccess } from '../subgraphs/access';
import { createMerchants, type Merchants, type MerchantsDeps } from '../subgraphs/merchants';
import { createNotifications, type NotificationsDeps } from '../subgraphs/notifications';
import { createOnboarding, type OnboardingDeps } from '../subgraphs/onboarding';
import { createPayments, type PaymentsDeps } from '../subgraphs/payments';
import { createReporting, type ReportingDeps } from '../subgraphs/reporting';
import { createTokenization, type TokenizationDeps } from '../subgraphs/tokenization';

/** What every domain is built on. */
export type DomainDeps = Omit<AccessDeps, 'readMerchant' | 'readTerminal'> &
  Omit<MerchantsDeps, 'audit'> &
  Omit<NotificationsDeps, 'isAccount'> &
  Omit<TokenizationDeps, 'audit' | 'readAgreement' | 'recipientKey'> &
  Omit<PaymentsDeps, 'audit' | 'readTerminal' | 'readMerchant' | 'judgeAddress' | 'redeemToken'> &
  Omit<OnboardingDeps, 'audit' | 'judgeAddress' | 'isMerchantIdTaken' | 'provisionMerchant' | 'mailInsert'> &
  Omit<ReportingDeps, 'audit' | 'readMerchant' | 'readMerchantByNumber' | 'readTenantMerchant' | 'eventLog'>;

export function createDomains(deps: DomainDeps) {
  // Access and merchants ask each other, each only when it is called.
  const access = createAccess({
    ...deps,
    // A deleted merchant gets no credentials any more.
    readMerchant: async (environment, merchantId) => {
      const merchant = await merchants.readMerchant(environment, merchantId);
      return merchant?.deletion ? null : merchant;
    },
    readTerminal: (environment, terminalId) => merchants.readTerminal(environment, terminalId),
  });
  const merchants: Merchants = createMerchants({ ...deps, audit: access.audit });
  const notifications = createNotifications({ ...deps, isAccount: merchants.isAccount });
  const tokenization = createTokenization({
    ...deps,
    audit: access.audit,
    readAgreement: merchants.readAgreement,
    recipientKey: access.recipientKey,
  });
  const payments = createPayments({
    ...deps,
    audit: access.audit,
    readTerminal: merchants.readTerminal,
    readMerchant: merchants.readMerchant,
    judgeAddress: notifications.judgeAddress,
    redeemToken: tokenization.redeemCryptogram,
  });
  const reporting = createReporting({
    ...deps,
    audit: access.audit,
    readMerchant: merchants.readMerchant,
    readMerchantByNumber: merchants.readMerchantByNumber,
    readTenantMerchant: (environment, accountId) => merchants.readMerchant(environment, tenantMerchantId(accountId)),
    eventLog: notifications.stores.events,
  });
  const onboarding = createOnboarding({
    ...deps,
    audit: access.audit,
    judgeAddress: notifications.judgeAddress,
    isMerchantIdTaken: async (environment, merchantId) =>
      (await merchants.readMerchant(environment, merchantId)) !== null,
    provisionMerchant: merchants.provisionMerchant,
  });
  const domains = [access, merchants, notifications, tokenization, payments, onboarding, reporting];
  return {
    access,
    merchants,
    notifications,
    tokenization,
    payments,
    reporting,
    onboarding,
    subgraphs: domains.map(({ subgraph }) => subgraph),
    /** Makes every index; done once, before the roles start. */
    ensureIndexes: () => Promise.all(domains.map((domain) => domain.ensureIndexes())),
  };
}

/** The one merchant that a tenant of the sandbox is seeded with. */
export function tenantMerchantId(accountId: string): string {
  return `merchant-${accountId}-1`;
}
