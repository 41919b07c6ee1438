// The graph's view of a checkout session for our own pages: all that a page needs, nothing that a payer must not see (payment interface, hosted payment page).
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Operation, PaymentFamily } from '../operations/operation';
import { OperationObjectType } from '../operations/operation.type';
import type { FieldFrame, FlowState, SessionKind } from '../sessions/checkout-session';
import { FieldFrameType, FlowStates, SessionKinds } from '../sessions/checkout-session.type';

@ObjectType('CheckoutMethod', { simpleResolvers: true, description: 'A way to pay that the page offers.' })
export class CheckoutMethodType {
  @Field(() => String, { description: 'CARDS or an alternative method.' }) method!: string;
  @Field(() => [String], { description: 'The networks that it takes, for example VISA and MC.' }) circuits!: string[];
  @Field(() => String, {
    nullable: true,
    description: 'What the payer pays on top with it, in minor units; null when nothing.',
  })
  fee!: string | null;
}

@ObjectType('CheckoutSummaryLine', {
  simpleResolvers: true,
  description: 'One line of the order as the payer is shown it.',
})
export class CheckoutSummaryLineType {
  @Field(() => String, { description: 'What the line is about, for example Shipping.' }) label!: string;
  @Field(() => String, { description: 'What the line says, for example 4.90 EUR.' }) value!: string;
}

@ObjectType('CheckoutSummary', { simpleResolvers: true, description: 'What is paid for, in one language.' })
export class CheckoutSummaryType {
  @Field(() => String, { nullable: true, description: 'ISO 639-2, as sent.' }) language!: string | null;
  @Field(() => [CheckoutSummaryLineType], { description: 'The lines of the summary, as sent.' })
  lines!: CheckoutSummaryLineType[];
}

@ObjectType('CheckoutPage', { simpleResolvers: true, description: 'One visit of a payer, as our pages draw it.' })
export class CheckoutPageType {
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => String, { description: 'paymentService or checkout' }) family!: PaymentFamily;
  @Field(() => SessionKinds, { description: 'Whose page the payer fills the card in.' }) kind!: SessionKind;
  @Field(() => FlowStates, { description: 'Where the visit stands.' }) state!: FlowState;
  @Field(() => String, { description: 'The state of the payment, one of PaymentState.' }) paymentState!: string;
  @Field(() => String, { description: "The merchant's name, as the payer sees it." }) merchantName!: string;
  @Field(() => String, { nullable: true, description: 'The origin that frames may be framed by and talk to.' })
  merchantOrigin!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the payer pays, minor units, the fee included; null: the payment cannot be paid yet.',
  })
  amount!: string | null;
  @Field(() => String, { nullable: true, description: 'The fee in it; null: none, or not known what is paid with.' })
  fee!: string | null;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, {
    nullable: true,
    description: "The merchant's own number of the order; null when it gave none.",
  })
  orderId!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "What is paid for, in the shop's words; null when it gave none.",
  })
  description!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "A text of the shop's own that it finds again in the result; null when none.",
  })
  customField!: string | null;
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
  @Field(() => [String], { description: 'The terms that the payer must accept; empty when there are none.' })
  termsAndConditionsIds!: string[];
  @Field(() => [CheckoutMethodType], { description: 'The ways to pay that the payer may choose from.' })
  methods!: CheckoutMethodType[];
  @Field(() => GraphQLJSONObject, { nullable: true, description: "Family A's rules about cards, as sent." })
  methodRules!: Record<string, unknown> | null;
  @Field(() => String, { nullable: true, description: 'The layout that the shop asked for; null: the usual one.' })
  pageType!: string | null;
  @Field(() => String, { nullable: true, description: 'The look that the shop asked for; null: the usual one.' })
  templateName!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where the payer goes after cancelling; null when the shop gave none.',
  })
  cancelUrl!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where the payer goes after paying; null when the shop gave none.',
  })
  resultUrl!: string | null;
  @Field(() => String, { description: '"1" or "3"' }) flowVersion!: string;
  @Field(() => String, { nullable: true, description: 'CARDS, an alternative method, or nothing chosen yet.' })
  method!: string | null;
  @Field(() => [FieldFrameType], { description: 'The frames that the card is typed into.' }) fields!: FieldFrame[];
  @Field(() => OperationObjectType, { nullable: true, description: 'What ended the session.' })
  operation!: Operation | null;
  @Field(() => String, { nullable: true, description: 'Where the browser goes now: a challenge or a method.' })
  redirectUrl!: string | null;
  @Field(() => GraphQLISODateTime, { description: 'The session ends then unless somebody touches it.' })
  idleUntil!: Date;
  @Field(() => Boolean, { description: 'Whether it is the sandbox, where nobody really pays.' }) isTest!: boolean;
  @Field(() => [String], { description: 'Card fields with a valid value.' }) cardEntered!: string[];
}

@ObjectType('CardFieldEntry', {
  simpleResolvers: true,
  description: 'What became of one card field that the payer filled in.',
})
export class CardFieldEntryType {
  @Field(() => Boolean, { description: 'Whether the value may be paid with.' }) valid!: boolean;
  @Field(() => String, { nullable: true, description: 'Why not: a word of `cardFieldErrors`.' })
  error!: string | null;
  @Field(() => String, { nullable: true, description: 'VISA, MC, AMEX, as soon as the number shows it.' })
  brand!: string | null;
  @Field(() => FlowStates, { description: 'Where the visit stands afterwards.' }) state!: FlowState;
  @Field(() => Int, { nullable: true, description: 'Digits of the security code of this brand.' })
  securityCodeLength!: number | null;
}

@ObjectType('CardFieldError', { simpleResolvers: true, description: 'One card field that was refused, and why.' })
export class CardFieldErrorType {
  @Field(() => String, {
    description: 'CARD_NUMBER, EXPIRATION_DATE, SECURITY_CODE, CARDHOLDER_NAME, CARDHOLDER_EMAIL',
  })
  field!: string;
  @Field(() => String, { description: 'A word of `cardFieldErrors`.' }) code!: string;
}

@ObjectType('CardEntry', {
  simpleResolvers: true,
  description: 'What became of a whole card that was entered at once.',
})
export class CardEntryType {
  @Field(() => FlowStates, { description: 'Where the visit stands afterwards.' }) state!: FlowState;
  @Field(() => [CardFieldErrorType], { description: 'Empty when the whole card was taken.' })
  errors!: CardFieldErrorType[];
}

@ObjectType('CheckoutState', { simpleResolvers: true, description: 'Where a visit stands.' })
export class CheckoutStateType {
  @Field(() => FlowStates, { description: 'The step that the visit has reached.' }) state!: FlowState;
}

@ObjectType('PaymentStateAnswer', { simpleResolvers: true, description: "A payment's state alone." })
export class PaymentStateAnswerType {
  @Field(() => String, { description: 'The state as the payment service spells it.' }) state!: string;
}

@InputType('CardInput', { description: 'A card as it is typed in; never kept in the clear.' })
export class CardInput {
  @Field(() => String, { description: 'The card number, 12 to 19 digits.' }) number!: string;
  @Field(() => String, { description: 'Month and year in which the card expires, as MM/YY.' }) expiry!: string;
  @Field(() => String, { description: 'The security code of three or four digits.' }) cvv!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The name on the card; absent when the page does not ask for it.',
  })
  holder?: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The payer's e-mail address; absent when the page does not ask for it.",
  })
  email?: string | null;
}

@ObjectType('ThreeDsChallenge', {
  simpleResolvers: true,
  description: 'Sandbox only: what the simulated issuer shows.',
})
export class ThreeDsChallengeType {
  @Field(() => ID, { description: 'Id of the question that the issuer asks.' }) challengeId!: string;
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => String, { description: "The merchant's name, as the payer sees it." }) merchantName!: string;
  @Field(() => String, { description: 'What the payer is asked to confirm, in minor units.' }) amount!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, { description: 'The card with its middle digits hidden.' }) maskedCard!: string;
  @Field(() => String, { description: 'VISA, MC, AMEX' }) scheme!: string;
  @Field(() => String, { nullable: true, description: "The language of the page; null: the payer's browser decides." })
  language!: string | null;
  @Field(() => String, { description: 'The code that passes.' }) codeHint!: string;
  @Field(() => String, { description: 'OPEN, PASSED, FAILED, CANCELLED, TIMED_OUT' }) status!: string;
  @Field(() => Int, { description: 'How often the payer may still type a code.' }) triesLeft!: number;
  @Field(() => Int, { description: 'How often the code was sent again.' }) resends!: number;
  @Field(() => GraphQLISODateTime, { description: 'When the question ends by itself, UTC.' }) expiresAt!: Date;
  @Field(() => String, { description: 'Where the browser goes once the status is not OPEN.' }) returnUrl!: string;
}

@ObjectType('AlternativeMethodVisit', {
  simpleResolvers: true,
  description: 'Sandbox only: what the simulated method shows.',
})
export class AlternativeMethodVisitType {
  @Field(() => ID, { description: "Id of the payer's visit to the simulated method." }) visitId!: string;
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => String, { description: 'The method that the payer chose, for example PAYPAL.' }) method!: string;
  @Field(() => String, { description: "The merchant's name, as the payer sees it." }) merchantName!: string;
  @Field(() => String, { description: 'What the payer is asked to pay, in minor units.' }) amount!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, { nullable: true, description: "The language of the page; null: the payer's browser decides." })
  language!: string | null;
  @Field(() => String, { description: 'OPEN, PENDING, PAID, DECLINED, CANCELLED' }) status!: string;
  @Field(() => String, { description: 'Where the browser goes once the status is not OPEN.' }) returnUrl!: string;
}
