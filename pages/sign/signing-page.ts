// What the signing page asks of the graph: the application behind a link, and the four things that its holder can do (onboarding interface, verificationLink).
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Execute } from '../page-server';
import { runPageOperation } from '../run-operation';

export interface ShownFee {
  paymentActionType: string;
  feeType: string;
  /** SUB: not per payment, but with the subscription. */
  itemType: 'TRANS' | 'SUB';
  /** Ten thousandths of the amount for AMT and TAMT, minor units otherwise. */
  unitPrice: string;
}

export interface ShownMethod {
  paymentMethodProvider: string;
  selected: boolean;
  fees: ShownFee[];
  paymentMethodVariant1: string | null;
  paymentMethodVariant2: string | null;
  paymentMethodVariant3: string | null;
}

export interface ShownQuote {
  documentNo: string;
  currency: string;
  /** Minor units. */
  signon: string;
  /** Minor units. */
  subscription: string;
  paymentOptions: {
    paymentType: string;
    paymentMethods: ShownMethod[];
  }[];
}

export interface SigningPage {
  onboardingId: string;
  /** Which application was drawn; forms post it. */
  version: number;
  status: 'INITIATED' | 'AWAITING_SIGNATURE' | 'SIGNATURE_FAILED' | 'PROCESSING' | 'APPROVED' | 'ABANDONED';
  /** EN_US, DA_DK, SV_SE, NO_NO or DE_DE. */
  language: string;
  expiresAt: string;
  reason: string | null;
  /** What `reason` says, unless staff wrote it. */
  ending: 'BY_MERCHANT' | 'IDLE' | 'SIGNATURE_FAILED' | 'MERCHANT_ID_TAKEN' | null;
  signatureTriesLeft: number;
  canComplete: boolean;
  canSign: boolean;
  signedBy: string | null;
  country: string;
  currency: string;
  company: {
    organizationNumber: string;
    vatNumber: string | null;
    invoiceEmail: string | null;
    contactPerson: Record<'firstName' | 'lastName' | 'phone' | 'email', string | null> | null;
    companyName: string | null;
    companyAddress: string | null;
    zipCode: string | null;
    city: string | null;
  };
  productCodes: string[];
  webshop: { url: string | null; name: string | null } | null;
  /** The middle of the IBAN is stars. */
  bankAccount: { iban: string | null; swift: string | null } | null;
  quote: ShownQuote | null;
}

/** What is left out stays as the partner sent it. */
export interface CompletedForm {
  contactPerson?: Partial<Record<'firstName' | 'lastName' | 'phone' | 'email', string>>;
  invoiceEmail?: string;
  bankAccount?: { iban?: string; swift?: string };
  acceptedTerms: boolean;
}

/** The link, and what was drawn behind it. */
export interface DrawnApplication {
  linkToken: string;
  version: number;
}

/** Every call throws what the graph refused with, `conflict` where another application was drawn; what no longer fits the state changes nothing and answers the state. */
export interface Signing {
  /** Null for a link that is unknown, too old or replaced. Changes nothing. */
  read(context: RequestContext, linkToken: string): Promise<SigningPage | null>;
  complete(context: RequestContext, shown: DrawnApplication, input: CompletedForm): Promise<SigningPage>;
  sign(context: RequestContext, shown: DrawnApplication, signatoryName: string): Promise<SigningPage>;
  fail(context: RequestContext, linkToken: string): Promise<SigningPage>;
  abandon(context: RequestContext, linkToken: string): Promise<SigningPage>;
}

export function createSigning(execute: Execute): Signing {
  const run = <Result>(context: RequestContext, operation: string, variables: Record<string, unknown>) =>
    runPageOperation<Result>(execute, { context, operation, variables });
  return {
    read: (context, linkToken) => run(context, 'GetSigningPage', { linkToken }),
    complete: (context, { linkToken, version }, input) =>
      run(context, 'CompleteOnboardingForm', { linkToken, version, input }),
    sign: (context, { linkToken, version }, signatoryName) =>
      run(context, 'SignOnboarding', { linkToken, version, signatoryName }),
    fail: (context, linkToken) => run(context, 'FailOnboardingSignature', { linkToken }),
    abandon: (context, linkToken) => run(context, 'AbandonOnboardingByLink', { linkToken }),
  };
}
