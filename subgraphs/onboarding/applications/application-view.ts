// An application as the graph shows it, and as the merchant reviews it on the signing page: amounts are strings, secrets and the middle of an IBAN are stars (onboarding interface).
import { maskedIban } from '../../shared/masked-iban';
import {
  type ApplicationFacts,
  type BankAccount,
  merchantName,
  type OnboardingCase,
  printApplication,
  signatureFailuresMax,
} from './application';
import type { Quote } from './quote';
import { decideStatus } from './transitions';

/** The application itself, under the names of the document. */
function factsView({ country, currency, company, webshop, quote, ...facts }: ApplicationFacts) {
  const { contactPerson, referenceDetails, ...rest } = company;
  return {
    country,
    currency,
    company: { ...rest, contactPerson: contactPerson ?? null, referenceDetails: referenceDetails ?? [] },
    productCodes: facts.productCodes ?? [],
    salesCode: facts.salesCode ?? null,
    webshop: webshop ?? null,
    quote: quote ? quoteView(quote) : null,
  };
}

function quoteView({ signon, subscription, paymentOptions, ...quote }: Quote) {
  return {
    ...quote,
    signon: String(signon),
    subscription: String(subscription),
    paymentOptions: paymentOptions.map(({ paymentMethods, ...option }) => ({
      ...option,
      paymentMethods: paymentMethods.map(({ fees, ...method }) => ({
        ...method,
        fees: fees.map((fee) => ({ ...fee, unitPrice: String(fee.unitPrice), priceVAT: String(fee.priceVAT) })),
      })),
    })),
  };
}

export type OnboardingView = ReturnType<typeof onboardingView>;

export function onboardingView(onboarding: OnboardingCase, operatorSalesRep: string) {
  const { applicationId, status, reason, merchantId, merchantNumber, facts, webhooks, approval } = onboarding;
  return {
    /** What it is a view of; no field of the graph. */
    shownOf: onboarding,
    id: applicationId,
    name: merchantName(facts),
    status,
    reason,
    merchantId,
    merchantNumber,
    ...factsView(facts),
    bankAccount: facts.bankAccount ? shownBankAccount(facts.bankAccount, true) : null,
    salesRepPartner: facts.salesRepPartner ?? null,
    salesRepOperator: facts.salesRepOperator ?? null,
    introductionType: facts.amlCustomerIntroductionType?.introductionType ?? null,
    webhooks: (webhooks ?? []).map(({ eventName, url, authorizationMasked }) => ({
      eventName,
      url,
      authorization: authorizationMasked,
    })),
    document: printApplication(onboarding, operatorSalesRep),
    language: onboarding.language,
    signatureFailures: onboarding.signatureFailures,
    signedBy: onboarding.signature?.name ?? null,
    signedAt: onboarding.signature?.at ?? null,
    linkExpiresAt: onboarding.link?.expiresAt ?? null,
    approval: approval && { by: approval.by, at: approval.at, reason: approval.reason, step: approval.step },
    createdAt: onboarding.createdAt,
    updatedAt: onboarding.updatedAt,
  };
}

export type SigningPageView = ReturnType<typeof signingPageView>;

/** What the holder of the link may see: never the admin user, a secret, or a whole IBAN. */
export function signingPageView(onboarding: OnboardingCase) {
  const { applicationId, status, language, link, reason, facts } = onboarding;
  if (!link) throw new Error('a signing page without a link');
  return {
    onboardingId: applicationId,
    version: onboarding.version,
    status,
    language,
    expiresAt: link.expiresAt,
    reason,
    ending: onboarding.ending ?? null,
    signatureTriesLeft: signatureFailuresMax - onboarding.signatureFailures,
    canComplete: decideStatus(status, 'COMPLETE_FORM') !== null,
    canSign: decideStatus(status, 'SIGN') !== null,
    signedBy: onboarding.signature?.name ?? null,
    ...factsView(facts),
    bankAccount: facts.bankAccount ? shownBankAccount(facts.bankAccount, false) : null,
  };
}

/** `iban` is masked for the signatory, whose page is opened by a link in a mail. */
function shownBankAccount({ iban, swift }: BankAccount, isWhole: boolean) {
  const ibanMasked = iban ? maskedIban(iban) : null;
  return { iban: (isWhole ? iban : ibanMasked) || null, ibanMasked, swift: swift || null };
}
