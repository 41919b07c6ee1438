// The graph's view of applications: what the partner sent, where it stands, how it was decided (onboarding interface, Onboarding application).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { type OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import { OnboardingStatuses } from '../../shared/vocabulary/onboarding-status.type';
import type { PaymentTypeWord } from '../../shared/vocabulary/payment-type';
import { PaymentTypes } from '../../shared/vocabulary/payment-type.type';
import { type PortalLanguage, portalLanguages } from './application';
import { feeTypes, itemTypes, type QuoteFee } from './quote';

export const PortalLanguages = graphEnum(portalLanguages, {
  name: 'PortalLanguage',
  description: 'A language of mails and signing pages.',
  values: {
    EN_US: 'English as in the United States.',
    DA_DK: 'Danish as in Denmark.',
    SV_SE: 'Swedish as in Sweden.',
    NO_NO: 'Norwegian as in Norway.',
    DE_DE: 'German as in Germany.',
  },
});

const FeeTypes = graphEnum(feeTypes, {
  name: 'FeeType',
  description: 'What a price in a quote is a price of.',
  values: {
    AMT: 'Ten-thousandths of the amount.',
    TAMT: 'Ten-thousandths of the amount, like AMT.',
    QTY: 'Each time, in minor units.',
    TQTY: 'Each time, like QTY.',
  },
});
const FeeItemTypes = graphEnum(itemTypes, {
  name: 'FeeItemType',
  description: 'What a fee in a quote is charged for.',
  values: { TRANS: 'Charged for each transaction.', SUB: 'Charged for the subscription.' },
});

const maybe = { nullable: true } as const;

@ObjectType('OnboardingContactPerson', { simpleResolvers: true, description: 'A person of the company that applies.' })
export class ContactPersonType {
  @Field(() => String, { ...maybe, description: 'The given name of the person; null when unknown.' })
  firstName?: string | null;
  @Field(() => String, { ...maybe, description: 'The family name of the person; null when unknown.' })
  lastName?: string | null;
  @Field(() => String, { ...maybe, description: 'The telephone number with its country code; null when unknown.' })
  phone?: string | null;
  @Field(() => String, { ...maybe, description: 'The e-mail address of the person; null when unknown.' })
  email?: string | null;
}

@ObjectType('OnboardingReferenceDetail', {
  simpleResolvers: true,
  description: 'The key under which another system knows a company.',
})
export class ReferenceDetailType {
  @Field(() => String, { ...maybe, description: 'Name of the other system; null when not told.' })
  system?: string | null;
  @Field(() => String, { ...maybe, description: 'What the reference is called there; null when not told.' })
  referenceKey?: string | null;
  @Field(() => String, { ...maybe, description: 'The reference itself; null when not told.' })
  referenceValue?: string | null;
}

@ObjectType('OnboardingCompany', {
  simpleResolvers: true,
  description: 'The company that applies to become a merchant.',
})
export class CompanyType {
  @Field(() => String, { description: 'Its number in the register of its country.' }) organizationNumber!: string;
  @Field(() => String, { ...maybe, description: 'The number for value-added tax; null when there is none.' })
  vatNumber?: string | null;
  @Field(() => String, { ...maybe, description: 'Where its invoices are sent; null until it is known.' })
  invoiceEmail?: string | null;
  @Field(() => ContactPersonType, {
    ...maybe,
    description: 'Whom to ask about the application; null until it is known.',
  })
  contactPerson?: ContactPersonType | null;
  @Field(() => String, { ...maybe, description: 'Its registered name; null when not told.' })
  companyName?: string | null;
  @Field(() => String, { ...maybe, description: 'Street and number of its seat; null when not told.' })
  companyAddress?: string | null;
  @Field(() => String, { ...maybe, description: 'The postal code of its seat; null when not told.' })
  zipCode?: string | null;
  @Field(() => String, { ...maybe, description: 'The town of its seat; null when not told.' }) city?: string | null;
  @Field(() => [ReferenceDetailType], { description: 'Under which keys other systems know it.' })
  referenceDetails!: ReferenceDetailType[];
}

@ObjectType('OnboardingWebshop', { simpleResolvers: true, description: 'The web shop of a company that applies.' })
export class WebshopType {
  @Field(() => String, { ...maybe, description: 'The address of the shop; null when not told.' }) url?: string | null;
  @Field(() => String, { ...maybe, description: 'What the shop is called; null when not told.' })
  name?: string | null;
}

@ObjectType('OnboardingBankAccount', {
  simpleResolvers: true,
  description: 'The bank account that a merchant is paid out to.',
})
export class BankAccountType {
  @Field(() => String, { ...maybe, description: 'The international account number (IBAN); null when it is not known.' })
  iban?: string | null;
  @Field(() => String, { ...maybe, description: 'First four, stars, last four of it; null when it is not known.' })
  ibanMasked?: string | null;
  @Field(() => String, { ...maybe, description: 'The code of the bank (BIC); null when unknown.' })
  swift?: string | null;
}

@ObjectType('QuoteFee', { simpleResolvers: true, description: 'What an action with a way to pay costs in a quote.' })
export class QuoteFeeType {
  @Field(() => String, { description: 'The action that the fee is for, for example CHARGE.' })
  paymentActionType!: string;
  @Field(() => FeeTypes, { description: 'What the price is a price of.' }) feeType!: QuoteFee['feeType'];
  @Field(() => String, { description: 'The price of one unit, a whole number.' }) unitPrice!: string;
  @Field(() => String, { description: 'The value-added tax on the price, a whole number.' }) priceVAT!: string;
  @Field(() => FeeItemTypes, { description: 'What it is charged for.' }) itemType!: QuoteFee['itemType'];
}

@ObjectType('QuotePaymentMethod', { simpleResolvers: true, description: 'A way to pay in a quote, with its fees.' })
export class QuotePaymentMethodType {
  @Field(() => String, { description: 'Who provides it, for example VISA.' }) paymentMethodProvider!: string;
  @Field(() => Boolean, { description: 'Whether the merchant may leave it out.' }) optional!: boolean;
  @Field(() => Boolean, { description: 'Whether the merchant takes it.' }) selected!: boolean;
  @Field(() => [QuoteFeeType], { description: 'What each action with it costs.' }) fees!: QuoteFeeType[];
  @Field(() => String, { ...maybe, description: 'Its first variant; null when there is none.' })
  paymentMethodVariant1?: string | null;
  @Field(() => String, { ...maybe, description: 'Its second variant; null when there is none.' })
  paymentMethodVariant2?: string | null;
  @Field(() => String, { ...maybe, description: 'Its third variant; null when there is none.' })
  paymentMethodVariant3?: string | null;
}

@ObjectType('QuotePaymentOption', { simpleResolvers: true, description: 'A group of ways to pay in a quote.' })
export class QuotePaymentOptionType {
  @Field(() => String, { description: 'The number of the item at the partner.' }) itemNo!: string;
  @Field(() => PaymentTypes, { description: 'The kind of payment.' }) paymentType!: PaymentTypeWord;
  @Field(() => [QuotePaymentMethodType], { description: 'The ways to pay of this kind.' })
  paymentMethods!: QuotePaymentMethodType[];
}

@ObjectType('OnboardingQuote', { simpleResolvers: true, description: 'What the merchant was offered.' })
export class QuoteType {
  @Field(() => String, { description: 'The number of the quote at the partner.' }) documentNo!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, { description: 'What joining costs once, in minor units.' }) signon!: string;
  @Field(() => String, { description: 'What each period costs, in minor units.' }) subscription!: string;
  @Field(() => [QuotePaymentOptionType], { description: 'The ways to pay that are quoted, with their fees.' })
  paymentOptions!: QuotePaymentOptionType[];
}

@ObjectType('OnboardingWebhook', {
  simpleResolvers: true,
  description: 'An address that the partner is told of a step at.',
})
export class WebhookType {
  @Field(() => String, { description: 'The step that is told, for example APPROVED.' }) eventName!: string;
  @Field(() => String, { description: 'The address that the partner hears of the step at.' }) url!: string;
  @Field(() => String, { description: 'Four stars and its last two characters.' }) authorization!: string;
}

@ObjectType('OnboardingApproval', { simpleResolvers: true, description: 'Who approved, and how far it has come.' })
export class ApprovalType {
  @Field(() => String, { description: 'The authenticated principal.' }) by!: string;
  @Field(() => Date, { description: 'When staff approved it, UTC.' }) at!: Date;
  @Field(() => String, { ...maybe, description: 'Why staff approved it, in words; null when they did not say.' })
  reason!: string | null;
  @Field(() => String, { description: 'REQUESTED, then PROVISIONED: merchant, number and terminal are there.' })
  step!: string;
}

@ObjectType('OnboardingApplication', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A partner’s application for a new merchant, from the first form to its approval.',
})
@Directive('@key(fields: "id")')
export class OnboardingApplicationType {
  @Field(() => ID, { description: 'Id of the application, given by the platform.' }) id!: string;
  @Field(() => String, {
    description: "What the merchant is called: its company's name, else its shop's, else its organization number.",
  })
  name!: string;
  @Field(() => OnboardingStatuses, { description: 'How far the application has come.' }) status!: OnboardingStatus;
  @Field(() => String, { ...maybe, description: 'Why it was abandoned.' }) reason!: string | null;
  @Field(() => ID, { description: 'Of the merchant that it becomes.' }) merchantId!: string;
  @Field(() => String, { ...maybe, description: 'Once the merchant is made.' })
  merchantNumber!: string | number | null;
  @Field(() => String, { description: 'ISO 3166-1 alpha-3.' }) country!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CompanyType, { description: 'The company that applies.' }) company!: CompanyType;
  @Field(() => [String], { description: 'The products that it applies for.' }) productCodes!: string[];
  @Field(() => String, { ...maybe, description: 'The code of the sale that led to it; null when there was none.' })
  salesCode!: string | null;
  @Field(() => WebshopType, {
    ...maybe,
    description: 'The shop that payments will come from; null when there is none.',
  })
  webshop!: WebshopType | null;
  @Field(() => BankAccountType, {
    ...maybe,
    description: 'Where the merchant is to be paid out to; null until it is known.',
  })
  bankAccount!: BankAccountType | null;
  @Field(() => String, { ...maybe, description: "The partner's person who sold it; null when not told." })
  salesRepPartner!: string | null;
  @Field(() => String, { ...maybe, description: 'The operator’s: salesRep<PROVIDER> of REST.' })
  salesRepOperator!: string | null;
  @Field(() => QuoteType, { ...maybe, description: 'The prices that the merchant signs; null when none were sent.' })
  quote!: QuoteType | null;
  @Field(() => String, { ...maybe, description: 'How the merchant came to the partner; null when not told.' })
  introductionType!: string | null;
  @Field(() => [WebhookType], { description: 'Addresses that the partner is told of each step at.' })
  webhooks!: WebhookType[];
  @Field(() => GraphQLJSONObject, { description: 'The application as REST shows it.' }) document!: object;
  @Field(() => PortalLanguages, { description: 'The language of its mails and of its signing page.' })
  language!: PortalLanguage;
  @Field(() => Int, { description: 'Since it was last created or updated.' }) signatureFailures!: number;
  @Field(() => String, { ...maybe, description: 'Who signed, by name; null until somebody did.' })
  signedBy!: string | null;
  @Field(() => Date, { ...maybe, description: 'When it was signed, UTC; null until it was.' }) signedAt!: Date | null;
  @Field(() => Date, {
    ...maybe,
    description: 'When the link in its mail stops working, UTC; null when there is no link.',
  })
  linkExpiresAt!: Date | null;
  @Field(() => ApprovalType, { ...maybe, description: 'How staff approved it; null until they did.' })
  approval!: ApprovalType | null;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@ObjectType('OnboardingApplicationEdge', {
  simpleResolvers: true,
  description: 'One onboarding application in a list, with its cursor.',
})
export class OnboardingApplicationEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => OnboardingApplicationType, { description: 'The item itself, at this place of the list.' })
  node!: OnboardingApplicationType;
}

@ObjectType('OnboardingApplicationConnection', {
  simpleResolvers: true,
  description: 'One page of onboarding applications.',
})
export class OnboardingApplicationConnectionType extends ConnectionFields {
  @Field(() => [OnboardingApplicationEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: OnboardingApplicationEdgeType[];
}

@ObjectType('LinkedOnboarding', {
  simpleResolvers: true,
  description: 'An application with a link that was just made.',
})
export class LinkedOnboardingType {
  @Field(() => OnboardingApplicationType, { description: 'The application as it stands now.' })
  application!: OnboardingApplicationType;
  @Field(() => String, { description: 'To the signing page; for the merchant alone, shown once.' })
  verificationLink!: string;
}

@InputType('CreateOnboardingInput', { description: 'As the onboarding interface writes both.' })
export class CreateOnboardingInput {
  @Field(() => GraphQLJSONObject, { description: 'The application as the onboarding interface documents it.' })
  application!: object;
  @Field(() => GraphQLJSONObject, {
    description: 'Who will administer the merchant, as the onboarding interface documents it.',
  })
  adminUser!: object;
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class ApplicationMerchant {
  @Field(() => ID) merchantId!: string;
}
