// Merchants and the accounts that own them; the agreements that let a PSP act for them (tokenization interface, Identifiers assigned at onboarding; merchant administration, Merchant).
import type { Environment, TokenizationIdentifiers } from '../shared/callers/caller';

export const merchantStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type MerchantStatus = (typeof merchantStatuses)[number];

export const invoicings = ['ENABLED', 'DISABLED'] as const;
export type Invoicing = (typeof invoicings)[number];

export const agreementStatuses = ['ACTIVE', 'SUSPENDED', 'TERMINATED'] as const;
export type AgreementStatus = (typeof agreementStatuses)[number];

export const schemes = ['VISA', 'MASTERCARD', 'DISCOVER'] as const;
export type Scheme = (typeof schemes)[number];

/** A tenant: owns clients, merchants and agreements. */
export interface Account {
  accountId: string;
  environment: Environment;
  name: string;
}

export interface Merchant {
  /** Acquirer merchant identifier: unique within the environment. */
  merchantId: string;
  environment: Environment;
  /** The tenant. */
  accountId: string;
  merchantNumber: number;
  name: string;
  status: MerchantStatus;
  invoicing: Invoicing;
  /** ISO 4217 alphabetic code that it is paid out in. */
  currency: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Agreements that it is enrolled under. */
  agreementIds: string[];
  orgNumber: string | null;
  vatNumber: string | null;
  merchantCategoryCode: string | null;
  merchantCity: string | null;
  /** External-source prefix. */
  prefix: string | null;
  /** Who the caller of administration says it is; who it was by its credential stands in the audit. */
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** The application that it came from. */
  applicationId: string | null;
  /** Deleted for good; its id is never used again. */
  deletion: MerchantDeletion | null;
  version: number;
}

export interface MerchantDeletion {
  at: Date;
  /** Who the caller says it is. */
  userId: string;
  /** False until its keys are revoked and its open sessions closed. */
  isDone: boolean;
}

export interface Agreement extends TokenizationIdentifiers {
  agreementId: string;
  environment: Environment;
  accountId: string;
  status: AgreementStatus;
  /** Card schemes that may be tokenized under it. */
  schemes: Scheme[];
  createdAt: Date;
  version: number;
}

/** Which status changes of an agreement exist; TERMINATED is final. */
export const agreementChanges: Readonly<Record<AgreementStatus, readonly AgreementStatus[]>> = {
  ACTIVE: ['SUSPENDED', 'TERMINATED'],
  SUSPENDED: ['ACTIVE', 'TERMINATED'],
  TERMINATED: [],
};

/** What a merchant has that nobody has said it of. */
export const usualCurrency = 'EUR';
export const usualCountry = 'IT';

/** What a merchant is when nobody has said more of it. */
export const emptyDetails = {
  orgNumber: null,
  vatNumber: null,
  merchantCategoryCode: null,
  merchantCity: null,
  prefix: null,
  createdBy: null,
  updatedBy: null,
  applicationId: null,
  deletion: null,
} as const satisfies Partial<Merchant>;

export const merchantIdPattern = /^[A-Za-z0-9._-]{1,35}$/;
export const identifierPattern = /^[A-Za-z0-9-]{1,36}$/;
export const agreementsPerMerchantMax = 50;
