// The graph's view of checkout sessions for people: what a visit was about and what became of it, and nothing secret (hosted checkout, build and hpp).
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { ConnectionFields } from '../../shared/graph/page.type';
import { WarningType } from '../checkout/warning.type';
import { type ChallengeOutcome, challengeOutcomes } from '../connectors/three-ds';
import type { PaymentFamily } from '../operations/operation';
import { PaymentFamilies } from '../operations/operation.type';
import type { FlowState, SessionKind } from './checkout-session';
import { FlowStates, SessionKinds } from './checkout-session.type';
import type { SessionFacts } from './session-query.repository';

export const ChallengeOutcomes = graphEnum(challengeOutcomes, {
  name: 'ChallengeOutcome',
  description: "What came of an issuer's question to the holder of a card.",
  values: {
    PASSED: 'The holder was recognized.',
    FAILED: 'The holder was not recognized.',
    CANCELLED: 'The holder gave it up.',
    TIMED_OUT: 'The holder did not answer in time.',
  },
});

@ObjectType('CheckoutChallenge', {
  simpleResolvers: true,
  description: "The issuer's question to the holder of the card (3-D Secure), in the course of a visit.",
})
export class CheckoutChallengeType {
  @Field(() => Date, { description: 'When the issuer asked for it and the payer was sent there, UTC.' }) sentAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'When the answer was known here, UTC; null while there is none, or the payer was given up before.',
  })
  answeredAt!: Date | null;
  @Field(() => ChallengeOutcomes, { nullable: true, description: 'What came of it; null with `answeredAt`.' })
  outcome!: ChallengeOutcome | null;
}

@ObjectType('CheckoutSession', { simpleResolvers: true, description: 'One visit of a payer, as its merchant sees it.' })
export class CheckoutSessionType {
  @Field(() => ID, { description: 'Id of the checkout session, the one visit of a payer.' }) sessionId!: string;
  @Field(() => ID, { description: 'Id of the merchant, as its account chose it.' }) merchantId!: string;
  @Field(() => ID, {
    nullable: true,
    description: 'Id of the terminal, the point of sale that it came through; null when none is known.',
  })
  terminalId!: string | null;
  @Field(() => ID, { description: 'Id of the payment, a UUID given by the platform.' }) paymentId!: string;
  @Field(() => PaymentFamilies, { description: 'Which of the two payment interfaces it was made through.' })
  family!: PaymentFamily;
  @Field(() => SessionKinds, { description: 'Whose page the payer fills the card in.' }) kind!: SessionKind;
  @Field(() => FlowStates, { description: 'As last recorded.' }) state!: FlowState;
  @Field(() => String, { description: '"1" or "3"' }) flowVersion!: string;
  @Field(() => String, { nullable: true, description: 'CARDS, an alternative method, or nothing chosen yet.' })
  method!: string | null;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => String, {
    nullable: true,
    description: "The merchant's own number of the order; null when it gave none.",
  })
  orderId!: string | null;
  @Field(() => String, { nullable: true, description: 'As the merchant sent it.' }) language!: string | null;
  @Field(() => String, { nullable: true, description: 'The origin whose page the card fields stand in.' })
  merchantOrigin!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The shop plug-in that the call came from; null when it did not say.',
  })
  pluginName!: string | null;
  @Field(() => [WarningType], {
    description: 'What was noticed about the request and did not stop it; empty as a rule.',
  })
  warnings!: WarningType[];
  @Field(() => CheckoutChallengeType, {
    nullable: true,
    description:
      'The challenge that its payer was sent to; null where there was none, and of visits of 0.4.0 and before.',
  })
  challenge!: CheckoutChallengeType | null;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When the payer or the shop last did something.' }) touchedAt!: Date;
}

@ObjectType('CheckoutSessionEdge', {
  simpleResolvers: true,
  description: 'One checkout session in a list, with its cursor.',
})
export class CheckoutSessionEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => CheckoutSessionType, { description: 'The item itself, at this place of the list.' })
  node!: SessionFacts;
}

@ObjectType('CheckoutSessionConnection', { simpleResolvers: true, description: 'One page of checkout sessions.' })
export class CheckoutSessionConnectionType extends ConnectionFields {
  @Field(() => [CheckoutSessionEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: CheckoutSessionEdgeType[];
}

@InputType('CheckoutSessionFilter', { description: 'Everything given must hold.' })
export class CheckoutSessionFilterInput {
  @Field(() => ID, { nullable: true, description: 'Visits to this merchant only.' }) merchantId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Visits through this terminal only.' }) terminalId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Visits for this payment only.' }) paymentId?: string | null;
  @Field(() => String, { nullable: true, description: 'Visits for this order number of the merchant only.' })
  orderId?: string | null;
  @Field(() => PaymentFamilies, { nullable: true, description: 'Visits of this payment interface only.' })
  family?: PaymentFamily | null;
  @Field(() => SessionKinds, { nullable: true, description: 'Visits with this kind of page only.' })
  kind?: SessionKind | null;
  @Field(() => FlowStates, { nullable: true, description: 'Visits that stand at this point only.' })
  state?: FlowState | null;
  @Field(() => String, { nullable: true, description: 'CARDS or an alternative method.' }) method?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Visits that pay in this currency only, three letters of ISO 4217.',
  })
  currency?: string | null;
  @Field(() => String, { nullable: true, description: 'Visits from this shop plug-in only.' })
  pluginName?: string | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'By creation, inclusive.' }) to?: Date | null;
}
