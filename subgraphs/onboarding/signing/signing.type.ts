// The signing page in the graph: the application as the merchant reviews it, and what can be done with it (onboarding interface, verificationLink).
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import { OnboardingStatuses } from '../../shared/vocabulary/onboarding-status.type';
import type { PortalLanguage } from '../applications/application';
import {
  BankAccountType,
  CompanyType,
  PortalLanguages,
  QuoteType,
  WebshopType,
} from '../applications/application.type';
import { type ApplicationEnding, endings } from '../applications/transitions';

const maybe = { nullable: true } as const;

const Endings = graphEnum(endings, {
  name: 'OnboardingEnding',
  description: 'Why we ended an application.',
  values: {
    BY_MERCHANT: 'The merchant said that it does not want to go on.',
    IDLE: 'Nobody did anything for too long.',
    SIGNATURE_FAILED: 'The signature failed too often.',
    MERCHANT_ID_TAKEN: 'Another merchant got the id that was asked for.',
  },
});

@ObjectType('SigningPage', { simpleResolvers: true, description: 'What the holder of a verification link sees.' })
export class SigningPageType {
  @Field(() => ID, { description: 'Id of the application that the link belongs to.' }) onboardingId!: string;
  @Field(() => Int, { description: 'What forms send back: which application they were drawn of.' }) version!: number;
  @Field(() => OnboardingStatuses, { description: 'How far the application has come.' }) status!: OnboardingStatus;
  @Field(() => PortalLanguages, { description: 'The language of the page.' }) language!: PortalLanguage;
  @Field(() => Date, { description: 'When the link stops working.' }) expiresAt!: Date;
  @Field(() => String, { ...maybe, description: 'Why it was abandoned.' }) reason!: string | null;
  @Field(() => Endings, { ...maybe, description: 'The same where it is no free text of staff.' })
  ending!: ApplicationEnding | null;
  @Field(() => Int, { description: 'How often a signature may still be tried.' }) signatureTriesLeft!: number;
  @Field(() => Boolean, { description: "Whether the merchant's part may be filled in now." }) canComplete!: boolean;
  @Field(() => Boolean, { description: 'Whether it may be signed now.' }) canSign!: boolean;
  @Field(() => String, { ...maybe, description: 'Who signed, by name; null until somebody did.' })
  signedBy!: string | null;
  @Field(() => String, { description: 'ISO 3166-1 alpha-3.' }) country!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CompanyType, { description: 'The company that applies.' }) company!: CompanyType;
  @Field(() => [String], { description: 'The products that it applies for.' }) productCodes!: string[];
  @Field(() => WebshopType, {
    ...maybe,
    description: 'The shop that payments will come from; null when there is none.',
  })
  webshop!: WebshopType | null;
  @Field(() => BankAccountType, { ...maybe, description: 'The middle of the IBAN is stars.' })
  bankAccount!: BankAccountType | null;
  @Field(() => QuoteType, { ...maybe, description: 'The prices that the merchant signs; null when none were sent.' })
  quote!: QuoteType | null;
}

@InputType('SigningContactInput', { description: 'Whom to ask about the application.' })
export class SigningContactInput {
  @Field(() => String, { ...maybe, description: 'The given name of the person; null when unknown.' })
  firstName?: string | null;
  @Field(() => String, { ...maybe, description: 'The family name of the person; null when unknown.' })
  lastName?: string | null;
  @Field(() => String, { ...maybe, description: 'The telephone number with its country code; null when unknown.' })
  phone?: string | null;
  @Field(() => String, { ...maybe, description: 'The e-mail address of the person; null when unknown.' })
  email?: string | null;
}

@InputType('SigningBankAccountInput', { description: 'The bank account that a merchant wants to be paid out to.' })
export class SigningBankAccountInput {
  @Field(() => String, { ...maybe, description: 'The international account number (IBAN); null when it is not known.' })
  iban?: string | null;
  @Field(() => String, { ...maybe, description: 'The code of the bank (BIC).' }) swift?: string | null;
}

@InputType('CompleteOnboardingFormInput', { description: 'What is left out stays as the partner sent it.' })
export class CompleteOnboardingFormInput {
  @Field(() => SigningContactInput, {
    ...maybe,
    description: 'Whom to ask about the application; absent: as it stands.',
  })
  contactPerson?: SigningContactInput | null;
  @Field(() => String, { ...maybe, description: 'Where invoices are sent; absent: as it stands.' })
  invoiceEmail?: string | null;
  @Field(() => SigningBankAccountInput, {
    ...maybe,
    description: 'Where the merchant is paid out to; absent: as it stands.',
  })
  bankAccount?: SigningBankAccountInput | null;
  @Field(() => Boolean, { description: 'Must be true.' }) acceptedTerms!: boolean;
}
