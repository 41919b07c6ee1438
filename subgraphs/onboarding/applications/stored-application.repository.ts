// What stands in the collection of applications, and the schema that the database holds it to (onboarding interface, Onboarding application).
import { environments } from '../../shared/callers/caller';
import {
  absentOr,
  absentOrNull,
  maybeText,
  orNull,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import { onboardingStatuses } from '../../shared/vocabulary/onboarding-status';
import { paymentTypes } from '../../shared/vocabulary/payment-type';
import { onboardingCountries } from '../organization-number';
import {
  type ApplicationFacts,
  type Approval,
  approvalSteps,
  type BankAccount,
  type Company,
  type ContactPerson,
  type OnboardingCase,
  portalLanguages,
  type ReferenceDetail,
  type StoredWebhook,
  type VerificationLink,
} from './application';
import { feeTypes, itemTypes, type Quote, type QuoteFee, type QuoteMethod, type QuoteOption } from './quote';
import { endings } from './transitions';

export const applicationsCollection = 'onboarding_applications';

/** `keyHash` is of release 0.3.0: written and read no more. */
type StoredApproval = Approval & { keyHash?: string | null };

/** `ordinal` is the id as a number: the order of lists. */
export type StoredApplication = Omit<OnboardingCase, 'applicationId' | 'approval'> & {
  _id: string;
  ordinal: number;
  approval: StoredApproval | null;
};

const quoteFeePart = storedPart<QuoteFee>({
  paymentActionType: storedText,
  feeType: there(String, { enum: feeTypes }),
  unitPrice: there(Number),
  priceVAT: there(Number),
  itemType: there(String, { enum: itemTypes }),
});
const quoteMethodPart = storedPart<QuoteMethod>({
  paymentMethodProvider: storedText,
  optional: there(Boolean),
  selected: there(Boolean),
  fees: there([quoteFeePart]),
  paymentMethodVariant1: absentOr(String),
  paymentMethodVariant2: absentOr(String),
  paymentMethodVariant3: absentOr(String),
});
const quoteOptionPart = storedPart<QuoteOption>({
  itemNo: storedText,
  paymentType: there(String, { enum: paymentTypes }),
  paymentMethods: there([quoteMethodPart]),
});
const quotePart = storedPart<Quote>({
  documentNo: storedText,
  currency: storedText,
  signon: there(Number),
  subscription: there(Number),
  paymentOptions: there([quoteOptionPart]),
});

const companyPart = storedPart<Company>({
  organizationNumber: storedText,
  vatNumber: absentOr(String),
  invoiceEmail: absentOr(String),
  contactPerson: absentOr(
    storedPart<ContactPerson>({
      firstName: absentOr(String),
      lastName: absentOr(String),
      phone: absentOr(String),
      email: absentOr(String),
    }),
  ),
  companyName: absentOr(String),
  companyAddress: absentOr(String),
  zipCode: absentOr(String),
  city: absentOr(String),
  referenceDetails: absentOr([
    storedPart<ReferenceDetail>({
      system: absentOr(String),
      referenceKey: absentOr(String),
      referenceValue: absentOr(String),
    }),
  ]),
});

const factsPart = storedPart<ApplicationFacts>({
  country: there(String, { enum: onboardingCountries }),
  currency: storedText,
  company: there(companyPart),
  productCodes: absentOr([String]),
  salesCode: absentOr(String),
  webshop: absentOr(
    storedPart<NonNullable<ApplicationFacts['webshop']>>({ url: absentOr(String), name: absentOr(String) }),
  ),
  bankAccount: absentOr(storedPart<BankAccount>({ iban: absentOr(String), swift: absentOr(String) })),
  salesRepPartner: absentOr(String),
  salesRepOperator: absentOr(String),
  quote: absentOr(quotePart),
  amlCustomerIntroductionType: absentOr(
    storedPart<NonNullable<ApplicationFacts['amlCustomerIntroductionType']>>({ introductionType: storedText }),
  ),
});

const webhookPart = storedPart<StoredWebhook>({
  eventName: storedText,
  url: storedText,
  authorizationSealed: there(sealedPart),
  authorizationMasked: storedText,
});
const approvalPart = storedPart<StoredApproval>({
  by: storedText,
  at: there(Date),
  requestId: storedText,
  reason: maybeText,
  step: there(String, { enum: approvalSteps }),
  terminalId: maybeText,
  keyHash: absentOrNull(String),
});

export const applicationSchema = storedSchema<StoredApplication>(applicationsCollection, {
  _id: storedText,
  ordinal: there(Number),
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  logSlot: absentOr(Number),
  isLive: there(Boolean),
  status: there(String, { enum: onboardingStatuses }),
  reason: maybeText,
  ending: absentOrNull(String, { enum: endings }),
  facts: there(factsPart),
  webhooks: orNull([webhookPart]),
  language: there(String, { enum: portalLanguages }),
  adminUserSealed: orNull(sealedPart),
  link: orNull(storedPart<VerificationLink>({ hash: storedText, expiresAt: there(Date) })),
  resentAt: there([Date]),
  signatureFailures: there(Number),
  signature: orNull(storedPart<NonNullable<OnboardingCase['signature']>>({ name: storedText, at: there(Date) })),
  approval: orNull(approvalPart),
  merchantNumber: orNull(Number),
  createdAt: there(Date),
  updatedAt: there(Date),
  touchedAt: there(Date),
  version: there(Number),
  sequence: there(Number),
});
applicationSchema.index(
  { environment: 1, merchantId: 1 },
  { name: 'live_merchant', unique: true, partialFilterExpression: { isLive: true } },
);
applicationSchema.index(
  { 'link.hash': 1 },
  { unique: true, partialFilterExpression: { 'link.hash': { $exists: true } } },
);
applicationSchema.index({ environment: 1, accountId: 1, ordinal: -1 });
applicationSchema.index({ environment: 1, accountId: 1, status: 1, ordinal: -1 });
applicationSchema.index({ environment: 1, status: 1, ordinal: -1 });
applicationSchema.index({ environment: 1, ordinal: -1 });
applicationSchema.index({ environment: 1, 'facts.company.organizationNumber': 1, ordinal: -1 });
applicationSchema.index({ environment: 1, status: 1, touchedAt: 1 });
applicationSchema.index(
  { environment: 1, touchedAt: 1 },
  {
    name: 'approvals_under_way',
    partialFilterExpression: { status: 'PROCESSING', 'approval.step': { $exists: true } },
  },
);
