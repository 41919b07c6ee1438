// The signing page in the graph: the application as the merchant reviews it, and what can be done with it (document 3 B, verificationLink).
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { PortalLanguage } from './application';
import {
  BankAccountType,
  CompanyType,
  OnboardingStatuses,
  PortalLanguages,
  QuoteType,
  WebshopType,
} from './application.type';
import { type Ending, endings, type OnboardingStatus } from './transitions';

const maybe = { nullable: true } as const;

const Endings = Object.fromEntries(endings.map((ending) => [ending, ending]));
registerEnumType(Endings, { name: 'OnboardingEnding', description: 'Why we ended an application.' });

@ObjectType('SigningPage', { simpleResolvers: true, description: 'What the holder of a verification link sees.' })
export class SigningPageType {
  @Field(() => ID) onboardingId!: string;
  @Field(() => OnboardingStatuses) status!: OnboardingStatus;
  @Field(() => PortalLanguages) language!: PortalLanguage;
  @Field(() => Date, { description: 'When the link stops working.' }) expiresAt!: Date;
  @Field(() => String, { ...maybe, description: 'Why it was abandoned.' }) reason!: string | null;
  @Field(() => Endings, { ...maybe, description: 'The same where it is no free text of staff.' })
  ending!: Ending | null;
  @Field(() => Int) signatureTriesLeft!: number;
  @Field(() => Boolean) canComplete!: boolean;
  @Field(() => Boolean) canSign!: boolean;
  @Field(() => String, maybe) signedBy!: string | null;
  @Field(() => String, { description: 'ISO 3166-1 alpha-3.' }) country!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => CompanyType) company!: CompanyType;
  @Field(() => [String]) productCodes!: string[];
  @Field(() => WebshopType, maybe) webshop!: WebshopType | null;
  @Field(() => BankAccountType, { ...maybe, description: 'The middle of the IBAN is stars.' })
  bankAccount!: BankAccountType | null;
  @Field(() => QuoteType, maybe) quote!: QuoteType | null;
}

@InputType('SigningContactInput')
export class SigningContactInput {
  @Field(() => String, maybe) firstName?: string | null;
  @Field(() => String, maybe) lastName?: string | null;
  @Field(() => String, maybe) phone?: string | null;
  @Field(() => String, maybe) email?: string | null;
}

@InputType('SigningBankAccountInput')
export class SigningBankAccountInput {
  @Field(() => String, maybe) iban?: string | null;
  @Field(() => String, { ...maybe, description: 'BIC.' }) swift?: string | null;
}

@InputType('CompleteOnboardingFormInput', { description: 'What is left out stays as the partner sent it.' })
export class CompleteOnboardingFormInput {
  @Field(() => SigningContactInput, maybe) contactPerson?: SigningContactInput | null;
  @Field(() => String, maybe) invoiceEmail?: string | null;
  @Field(() => SigningBankAccountInput, maybe) bankAccount?: SigningBankAccountInput | null;
  @Field(() => Boolean, { description: 'Must be true.' }) acceptedTerms!: boolean;
}
