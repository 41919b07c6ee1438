// An onboarding application: what a partner tells of a new merchant, and what we keep beside it (onboarding interface, Onboarding application; 2.3-B of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import { withoutAbsent, withoutUndefined } from '../../shared/present-members';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import type { OnboardingCountry } from '../organization-number';
import type { Quote } from './quote';
import type { ApplicationEnding } from './transitions';

/** Languages of the signing page and of the mails. */
export const portalLanguages = ['EN_US', 'DA_DK', 'SV_SE', 'NO_NO', 'DE_DE'] as const;
export type PortalLanguage = (typeof portalLanguages)[number];

export interface ContactPerson {
  firstName?: string;
  lastName?: string;
  phone?: string;
  email?: string;
}

export interface ReferenceDetail {
  system?: string;
  referenceKey?: string;
  referenceValue?: string;
}

export interface Company {
  organizationNumber: string;
  vatNumber?: string;
  invoiceEmail?: string;
  contactPerson?: ContactPerson;
  companyName?: string;
  companyAddress?: string;
  zipCode?: string;
  city?: string;
  referenceDetails?: ReferenceDetail[];
}

export interface BankAccount {
  /** Electronic format: no spaces, capitals. */
  iban?: string;
  /** BIC, capitals. */
  swift?: string;
}

/** A status webhook as it was sent: `authorization` is the secret, or the mask of one that we keep. */
export interface WebhookDefinition {
  eventName: string;
  url: string;
  authorization: string;
}

/** The same as it is kept. */
export interface StoredWebhook {
  eventName: string;
  url: string;
  authorizationSealed: Sealed;
  /** Four stars and its last two characters. */
  authorizationMasked: string;
}

/** The application as it was sent and found right. */
export interface ApplicationFacts {
  country: OnboardingCountry;
  /** ISO 4217, alphabetic. */
  currency: string;
  company: Company;
  productCodes?: string[];
  salesCode?: string;
  webshop?: { url?: string; name?: string };
  bankAccount?: BankAccount;
  salesRepPartner?: string;
  /** `salesRep<PROVIDER>` outside. */
  salesRepOperator?: string;
  quote?: Quote;
  amlCustomerIntroductionType?: { introductionType: string };
}

/** One application as a partner sends it. */
export interface SentApplication {
  facts: ApplicationFacts;
  /** null: it says nothing about notifications. */
  webhooks: WebhookDefinition[] | null;
  /** null: we choose one. */
  merchantId: string | null;
}

export interface AdminUser {
  email: string;
  firstName?: string;
  lastName?: string;
  language: PortalLanguage;
  sendActivationEmail: boolean;
}

/** The link to the signing page; only the hash of its token is kept. */
export interface VerificationLink {
  hash: string;
  expiresAt: Date;
}

/** REQUESTED: nothing is made yet. PROVISIONED: merchant, number and terminal are there. */
export const approvalSteps = ['REQUESTED', 'PROVISIONED'] as const;

/** The approval while it is on its way, and afterwards the record of it. */
export interface Approval {
  /** The authenticated principal. */
  by: string;
  at: Date;
  requestId: string;
  reason: string | null;
  step: (typeof approvalSteps)[number];
  terminalId: string | null;
}

export interface OnboardingCase {
  /** An increasing whole number, as text. */
  applicationId: string;
  environment: Environment;
  /** The partner's tenant. */
  accountId: string;
  /** Of the merchant that it becomes. */
  merchantId: string;
  /** The slot of the log in which its events lie, once it has another merchantId than it was created with. */
  logSlot?: number;
  /** Whether it holds its merchantId: all but the abandoned. */
  isLive: boolean;
  status: OnboardingStatus;
  /** Why it was abandoned. */
  reason: string | null;
  /** The same where the reason is one of ours; absent in older records. */
  ending?: ApplicationEnding | null;
  facts: ApplicationFacts;
  webhooks: StoredWebhook[] | null;
  language: PortalLanguage;
  /** The admin user as JSON, sealed; wiped when the application is signed or abandoned. */
  adminUserSealed: Sealed | null;
  link: VerificationLink | null;
  /** When the link was sent again, those of the last day. */
  resentAt: Date[];
  /** Failed signatures since it was last created or updated. */
  signatureFailures: number;
  signature: { name: string; at: Date } | null;
  approval: Approval | null;
  /** Of the merchant, once it is there. */
  merchantNumber: number | null;
  createdAt: Date;
  updatedAt: Date;
  /** When somebody last did something with it: 30 days later it is abandoned. */
  touchedAt: Date;
  version: number;
  /** Of its last event. */
  sequence: number;
}

export const linkDaysMax = 14;
export const idleDaysMax = 30;
export const resendsPerDayMax = 5;
export const signatureFailuresMax = 5;
export const dayMs = 86_400_000;

export function maskAuthorization(authorization: string): string {
  return `****${authorization.slice(-2)}`;
}

export function isMasked(authorization: string): boolean {
  return /^\*{4}[A-Za-z0-9]{2}$/.test(authorization);
}

/** When the link may be sent again, the sendings of the last day and this one; null when there were too many. */
export function decideResend(resentAt: readonly Date[], now: Date): Date[] | null {
  const recent = resentAt.filter((at) => now.getTime() - at.getTime() < dayMs);
  return recent.length < resendsPerDayMax ? [...recent, now] : null;
}

/** The stored webhook that a masked authorization stands for: one of the same address first, then one of the same event and origin. */
export function storedFor(sent: WebhookDefinition, stored: readonly StoredWebhook[]): StoredWebhook | null {
  const alike = stored.filter((each) => each.authorizationMasked === sent.authorization);
  const sameEvent = (each: StoredWebhook) => each.eventName === sent.eventName;
  return (
    alike.find((each) => each.url === sent.url && sameEvent(each)) ??
    alike.find((each) => each.url === sent.url) ??
    alike.find((each) => sameEvent(each) && new URL(each.url).origin === new URL(sent.url).origin) ??
    null
  );
}

/** The origin of the web shop as a terminal may have it: https, in the sandbox loopback http too; none otherwise. */
export function terminalOrigins(facts: ApplicationFacts, isSandbox: boolean): string[] {
  const address = facts.webshop?.url;
  if (!address) return [];
  const { origin, protocol, hostname } = new URL(address);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return protocol === 'https:' || (isSandbox && isLoopback) ? [origin] : [];
}

/** What the merchant is called. */
export function merchantName({ company, webshop }: ApplicationFacts): string {
  return company.companyName || webshop?.name || company.organizationNumber;
}

/** The application as the document writes it, its webhooks' authorizations masked; never the admin user. */
export function printApplication(
  { facts, webhooks, merchantId }: Pick<OnboardingCase, 'facts' | 'webhooks' | 'merchantId'>,
  operatorSalesRep: string,
): Record<string, unknown> {
  const { salesRepOperator, quote, amlCustomerIntroductionType, ...rest } = facts;
  const notifications = webhooks && {
    webhooks: webhooks.map(({ eventName, url, authorizationMasked }) => ({
      eventName,
      url,
      authorization: authorizationMasked,
    })),
  };
  return {
    ...rest,
    ...withoutUndefined({ [operatorSalesRep]: salesRepOperator, quote, amlCustomerIntroductionType }),
    ...withoutAbsent({ notifications }),
    merchantId,
  };
}
