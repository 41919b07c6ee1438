// The graph's view of a checkout session for our own pages: all that a page needs, nothing that a payer must not see (document 2, hosted payment page).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { FieldFrame, FlowState, SessionKind } from './checkout-session';
import { FieldFrameType, FlowStates, SessionKinds } from './checkout-session.type';
import type { Operation, PaymentFamily } from './operation';
import { OperationType } from './operation.type';

@ObjectType('CheckoutMethod', { simpleResolvers: true })
export class CheckoutMethodType {
  @Field(() => String, { description: 'CARDS or an alternative method.' }) method!: string;
  @Field(() => [String]) circuits!: string[];
  @Field(() => String, { nullable: true, description: 'Minor units.' }) fee!: string | null;
}

@ObjectType('CheckoutSummaryLine', { simpleResolvers: true })
export class CheckoutSummaryLineType {
  @Field(() => String) label!: string;
  @Field(() => String) value!: string;
}

@ObjectType('CheckoutSummary', { simpleResolvers: true, description: 'What is paid for, in one language.' })
export class CheckoutSummaryType {
  @Field(() => String, { nullable: true, description: 'ISO 639-2, as sent.' }) language!: string | null;
  @Field(() => [CheckoutSummaryLineType]) lines!: CheckoutSummaryLineType[];
}

@ObjectType('CheckoutPage', { simpleResolvers: true, description: 'One visit of a payer, as our pages draw it.' })
export class CheckoutPageType {
  @Field(() => ID) sessionId!: string;
  @Field(() => String, { description: 'paymentService or checkout' }) family!: PaymentFamily;
  @Field(() => SessionKinds) kind!: SessionKind;
  @Field(() => FlowStates) state!: FlowState;
  @Field(() => String) paymentState!: string;
  @Field(() => String) merchantName!: string;
  @Field(() => String, { nullable: true, description: 'The origin that frames may be framed by and talk to.' })
  merchantOrigin!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the payer pays, minor units, the fee included; null: the payment cannot be paid yet.',
  })
  amount!: string | null;
  @Field(() => String, { nullable: true, description: 'The fee in it; null: none, or not known what is paid with.' })
  fee!: string | null;
  @Field(() => String) currency!: string;
  @Field(() => String, { nullable: true }) orderId!: string | null;
  @Field(() => String, { nullable: true }) description!: string | null;
  @Field(() => String, { nullable: true }) customField!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 639-2, or one of the sixteen words of family A.' })
  language!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "ISO 639-2 of the merchant's country: for a payer whose browser asks for no language of the pages.",
  })
  countryLanguage!: string | null;
  @Field(() => [CheckoutSummaryLineType], { description: "In the order's language, else the first." })
  summary!: CheckoutSummaryLineType[];
  @Field(() => [CheckoutSummaryType], { description: 'In every language that the order has it in.' })
  summaries!: CheckoutSummaryType[];
  @Field(() => [String]) termsAndConditionsIds!: string[];
  @Field(() => [CheckoutMethodType]) methods!: CheckoutMethodType[];
  @Field(() => GraphQLJSONObject, { nullable: true, description: "Family A's rules about cards, as sent." })
  methodRules!: Record<string, unknown> | null;
  @Field(() => String, { nullable: true }) pageType!: string | null;
  @Field(() => String, { nullable: true }) templateName!: string | null;
  @Field(() => String, { nullable: true }) cancelUrl!: string | null;
  @Field(() => String, { nullable: true }) resultUrl!: string | null;
  @Field(() => String, { description: '"1" or "3"' }) flowVersion!: string;
  @Field(() => String, { nullable: true, description: 'CARDS, an alternative method, or nothing chosen yet.' })
  method!: string | null;
  @Field(() => [FieldFrameType]) fields!: FieldFrame[];
  @Field(() => OperationType, { nullable: true, description: 'What ended the session.' }) operation!: Operation | null;
  @Field(() => String, { nullable: true, description: 'Where the browser goes now: a challenge or a method.' })
  redirectUrl!: string | null;
  @Field(() => GraphQLISODateTime, { description: 'The session ends then unless somebody touches it.' })
  idleUntil!: Date;
  @Field(() => Boolean) isTest!: boolean;
  @Field(() => [String], { description: 'Card fields with a valid value.' }) cardEntered!: string[];
}

@ObjectType('CardFieldEntry', { simpleResolvers: true })
export class CardFieldEntryType {
  @Field(() => Boolean) valid!: boolean;
  @Field(() => String, { nullable: true, description: 'Why not: a word of `cardFieldErrors`.' }) error!: string | null;
  @Field(() => String, { nullable: true, description: 'VISA, MC, AMEX, as soon as the number shows it.' })
  brand!: string | null;
  @Field(() => FlowStates) state!: FlowState;
  @Field(() => Int, { nullable: true, description: 'Digits of the security code of this brand.' })
  securityCodeLength!: number | null;
}

@ObjectType('CardFieldError', { simpleResolvers: true })
export class CardFieldErrorType {
  @Field(() => String, {
    description: 'CARD_NUMBER, EXPIRATION_DATE, SECURITY_CODE, CARDHOLDER_NAME, CARDHOLDER_EMAIL',
  })
  field!: string;
  @Field(() => String, { description: 'A word of `cardFieldErrors`.' }) code!: string;
}

@ObjectType('CardEntry', { simpleResolvers: true })
export class CardEntryType {
  @Field(() => FlowStates) state!: FlowState;
  @Field(() => [CardFieldErrorType], { description: 'Empty when the whole card was taken.' })
  errors!: CardFieldErrorType[];
}

@ObjectType('CheckoutState', { simpleResolvers: true })
export class CheckoutStateType {
  @Field(() => FlowStates) state!: FlowState;
}

@ObjectType('PaymentStateAnswer', { simpleResolvers: true })
export class PaymentStateAnswerType {
  @Field(() => String) state!: string;
}

@InputType('CardInput')
export class CardInput {
  @Field(() => String) number!: string;
  @Field(() => String, { description: 'MM/YY' }) expiry!: string;
  @Field(() => String) cvv!: string;
  @Field(() => String, { nullable: true }) holder?: string | null;
  @Field(() => String, { nullable: true }) email?: string | null;
}

@ObjectType('ThreeDsChallenge', {
  simpleResolvers: true,
  description: 'Sandbox only: what the simulated issuer shows.',
})
export class ThreeDsChallengeType {
  @Field(() => ID) challengeId!: string;
  @Field(() => ID) sessionId!: string;
  @Field(() => String) merchantName!: string;
  @Field(() => String, { description: 'Minor units.' }) amount!: string;
  @Field(() => String) currency!: string;
  @Field(() => String) maskedCard!: string;
  @Field(() => String, { description: 'VISA, MC, AMEX' }) scheme!: string;
  @Field(() => String, { nullable: true }) language!: string | null;
  @Field(() => String, { description: 'The code that passes.' }) codeHint!: string;
  @Field(() => String, { description: 'OPEN, PASSED, FAILED, CANCELLED, TIMED_OUT' }) status!: string;
  @Field(() => Int) triesLeft!: number;
  @Field(() => Int, { description: 'How often the code was sent again.' }) resends!: number;
  @Field(() => GraphQLISODateTime) expiresAt!: Date;
  @Field(() => String, { description: 'Where the browser goes once the status is not OPEN.' }) returnUrl!: string;
}

@ObjectType('AlternativeMethodVisit', {
  simpleResolvers: true,
  description: 'Sandbox only: what the simulated method shows.',
})
export class AlternativeMethodVisitType {
  @Field(() => ID) visitId!: string;
  @Field(() => ID) sessionId!: string;
  @Field(() => String) method!: string;
  @Field(() => String) merchantName!: string;
  @Field(() => String, { description: 'Minor units.' }) amount!: string;
  @Field(() => String) currency!: string;
  @Field(() => String, { nullable: true }) language!: string | null;
  @Field(() => String, { description: 'OPEN, PENDING, PAID, DECLINED, CANCELLED' }) status!: string;
  @Field(() => String, { description: 'Where the browser goes once the status is not OPEN.' }) returnUrl!: string;
}
