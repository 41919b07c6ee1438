// What the onboarding domain is told by other domains, as functions that the composition hands in (onboarding interface; 2.3-B of the decision register).
import type { Environment } from '../shared/callers/caller';
import type { InsertWrite } from '../shared/store/unit-of-work';
import type { PortalLanguage } from './applications/application';

/** Whether somebody has that merchantId, or had it: ids are never given twice. */
export type IsMerchantIdTaken = (environment: Environment, merchantId: string) => Promise<boolean>;

export interface ApprovedMerchant {
  environment: Environment;
  accountId: string;
  applicationId: string;
  merchantId: string;
  name: string;
  orgNumber: string;
  vatNumber: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217, alphabetic. */
  currency: string;
  /** Of the web shop, as browsers print them. */
  origins: string[];
}

/** Makes merchant, number and terminal; the same applicationId gets the same answer again. Refuses with `merchantExists`. */
export type ProvisionMerchant = (
  merchant: ApprovedMerchant,
  requestId: string,
) => Promise<{ merchantNumber: number; terminalId: string }>;

/** A mail that is written in the transaction of what it tells about, and sent afterwards. */
export interface MailDraft {
  environment: Environment;
  accountId: string;
  to: string;
  language: PortalLanguage;
  kind: 'activation';
  /** To be sealed: it carries the link token. */
  link: string;
  companyName: string | null;
  at: Date;
}

export type MailInsert = (draft: MailDraft) => Promise<InsertWrite>;
