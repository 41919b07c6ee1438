// The graph's view of applications: what the partner sent, where it stands, how it was decided (document 3 B, Onboarding application).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { type PortalLanguage, portalLanguages } from './application';
import { type OnboardingStatus, onboardingStatuses } from './transitions';

const enumOf = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };

export const OnboardingStatuses = enumOf(onboardingStatuses);
registerEnumType(OnboardingStatuses, { name: 'OnboardingStatus' });
export const PortalLanguages = enumOf(portalLanguages);
registerEnumType(PortalLanguages, { name: 'PortalLanguage' });

const maybe = { nullable: true } as const;

@ObjectType('OnboardingContactPerson', { simpleResolvers: true })
export class ContactPersonType {
  @Field(() => String, maybe) firstName?: string | null;
  @Field(() => String, maybe) lastName?: string | null;
  @Field(() => String, maybe) phone?: string | null;
  @Field(() => String, maybe) email?: string | null;
}

@ObjectType('OnboardingReferenceDetail', { simpleResolvers: true })
export class ReferenceDetailType {
  @Field(() => String, maybe) system?: string | null;
  @Field(() => String, maybe) referenceKey?: string | null;
  @Field(() => String, maybe) referenceValue?: string | null;
}

@ObjectType('OnboardingCompany', { simpleResolvers: true })
export class CompanyType {
  @Field(() => String) organizationNumber!: string;
  @Field(() => String, maybe) vatNumber?: string | null;
  @Field(() => String, maybe) invoiceEmail?: string | null;
  @Field(() => ContactPersonType, maybe) contactPerson?: ContactPersonType | null;
  @Field(() => String, maybe) companyName?: string | null;
  @Field(() => String, maybe) companyAddress?: string | null;
  @Field(() => String, maybe) zipCode?: string | null;
  @Field(() => String, maybe) city?: string | null;
  @Field(() => [ReferenceDetailType]) referenceDetails!: ReferenceDetailType[];
}

@ObjectType('OnboardingWebshop', { simpleResolvers: true })
export class WebshopType {
  @Field(() => String, maybe) url?: string | null;
  @Field(() => String, maybe) name?: string | null;
}

@ObjectType('OnboardingBankAccount', { simpleResolvers: true })
export class BankAccountType {
  @Field(() => String, maybe) iban?: string | null;
  @Field(() => String, { ...maybe, description: 'BIC.' }) swift?: string | null;
}

@ObjectType('QuoteFee', { simpleResolvers: true })
export class QuoteFeeType {
  @Field(() => String) paymentActionType!: string;
  @Field(() => String, { description: 'AMT and TAMT: ten-thousandths of the amount; QTY and TQTY: each.' })
  feeType!: string;
  @Field(() => String, { description: 'Whole number.' }) unitPrice!: string;
  @Field(() => String, { description: 'Whole number.' }) priceVAT!: string;
  @Field(() => String) itemType!: string;
}

@ObjectType('QuotePaymentMethod', { simpleResolvers: true })
export class QuotePaymentMethodType {
  @Field(() => String) paymentMethodProvider!: string;
  @Field(() => Boolean) optional!: boolean;
  @Field(() => Boolean) selected!: boolean;
  @Field(() => [QuoteFeeType]) fees!: QuoteFeeType[];
  @Field(() => String, maybe) paymentMethodVariant1?: string | null;
  @Field(() => String, maybe) paymentMethodVariant2?: string | null;
  @Field(() => String, maybe) paymentMethodVariant3?: string | null;
}

@ObjectType('QuotePaymentOption', { simpleResolvers: true })
export class QuotePaymentOptionType {
  @Field(() => String) itemNo!: string;
  @Field(() => String) paymentType!: string;
  @Field(() => [QuotePaymentMethodType]) paymentMethods!: QuotePaymentMethodType[];
}

@ObjectType('OnboardingQuote', { simpleResolvers: true, description: 'What the merchant was offered.' })
export class QuoteType {
  @Field(() => String) documentNo!: string;
  @Field(() => String) currency!: string;
  @Field(() => String, { description: 'Minor units.' }) signon!: string;
  @Field(() => String, { description: 'Minor units.' }) subscription!: string;
  @Field(() => [QuotePaymentOptionType]) paymentOptions!: QuotePaymentOptionType[];
}

@ObjectType('OnboardingWebhook', { simpleResolvers: true })
export class WebhookType {
  @Field(() => String) eventName!: string;
  @Field(() => String) url!: string;
  @Field(() => String, { description: 'Four stars and its last two characters.' }) authorization!: string;
}

@ObjectType('OnboardingApproval', { simpleResolvers: true, description: 'Who approved, and how far it has come.' })
export class ApprovalType {
  @Field(() => String, { description: 'The authenticated principal.' }) by!: string;
  @Field(() => Date) at!: Date;
  @Field(() => String, maybe) reason!: string | null;
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
  @Field(() => ID) id!: string;
  @Field(() => OnboardingStatuses) status!: OnboardingStatus;
  @Field(() => String, { ...maybe, description: 'Why it was abandoned.' }) reason!: string | null;
  @Field(() => ID, { description: 'Of the merchant that it becomes.' }) merchantId!: string;
  @Field(() => String, { ...maybe, description: 'Once the merchant is made.' })
  merchantNumber!: string | number | null;
  @Field(() => String, { description: 'ISO 3166-1 alpha-3.' }) country!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CompanyType) company!: CompanyType;
  @Field(() => [String]) productCodes!: string[];
  @Field(() => String, maybe) salesCode!: string | null;
  @Field(() => WebshopType, maybe) webshop!: WebshopType | null;
  @Field(() => BankAccountType, maybe) bankAccount!: BankAccountType | null;
  @Field(() => String, maybe) salesRepPartner!: string | null;
  @Field(() => String, { ...maybe, description: 'The operator’s: salesRep<PROVIDER> of REST.' })
  salesRepOperator!: string | null;
  @Field(() => QuoteType, maybe) quote!: QuoteType | null;
  @Field(() => String, maybe) introductionType!: string | null;
  @Field(() => [WebhookType]) webhooks!: WebhookType[];
  @Field(() => GraphQLJSONObject, { description: 'The application as REST shows it.' }) document!: object;
  @Field(() => PortalLanguages) language!: PortalLanguage;
  @Field(() => Int, { description: 'Since it was last created or updated.' }) signatureFailures!: number;
  @Field(() => String, maybe) signedBy!: string | null;
  @Field(() => Date, maybe) signedAt!: Date | null;
  @Field(() => Date, maybe) linkExpiresAt!: Date | null;
  @Field(() => ApprovalType, maybe) approval!: ApprovalType | null;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType('OnboardingApplicationEdge', { simpleResolvers: true })
export class OnboardingApplicationEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => OnboardingApplicationType) node!: OnboardingApplicationType;
}

@ObjectType('OnboardingApplicationConnection', { simpleResolvers: true })
export class OnboardingApplicationConnectionType {
  @Field(() => [OnboardingApplicationEdgeType]) edges!: OnboardingApplicationEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('LinkedOnboarding', {
  simpleResolvers: true,
  description: 'An application with a link that was just made.',
})
export class LinkedOnboardingType {
  @Field(() => OnboardingApplicationType) application!: OnboardingApplicationType;
  @Field(() => String, { description: 'To the signing page; for the merchant alone, shown once.' })
  verificationLink!: string;
}

@InputType('CreateOnboardingInput', { description: 'As document 3 B writes both.' })
export class CreateOnboardingInput {
  @Field(() => GraphQLJSONObject) application!: object;
  @Field(() => GraphQLJSONObject) adminUser!: object;
}

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantStub {
  @Field(() => ID) merchantId!: string;
}
