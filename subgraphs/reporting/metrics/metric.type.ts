// Figures as the graph shows them.
import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { MoneyType } from '../../shared/graph/money.type';
import type { OperationResult, OperationType, PaymentMethod } from '../../shared/vocabulary/operation';
import { OperationResults, OperationTypes, PaymentMethods } from '../../shared/vocabulary/operation.type';
import { PayoutMerchant } from '../payouts/payout.type';
import { type MetricDimension, type MetricInterval, metricDimensions, metricIntervals } from './metric-question';

export const MetricIntervals = graphEnum(metricIntervals, {
  name: 'MetricInterval',
  description: 'How a range is cut, by the calendar of UTC.',
  values: {
    HOUR: 'Into hours, as they are kept.',
    DAY: 'Into days that begin at midnight.',
    WEEK: 'Into weeks from Monday on.',
    MONTH: 'Into the months of the calendar.',
    WHOLE: 'Not at all.',
  },
});

export const MetricDimensions = graphEnum(metricDimensions, {
  name: 'MetricDimension',
  description: 'By what figures can be told apart.',
  values: {
    MERCHANT: 'The one who sells, and is paid out.',
    TERMINAL: 'The point of sale; of merchants that the filter names.',
    METHOD: 'CARD, or APM for every other method.',
    CIRCUIT: 'The network of the card or the name of the method.',
    CURRENCY: 'What the amounts are in, by ISO 4217.',
    COUNTRY: 'Where the card was issued, as the acquirer says it; null where it does not.',
  },
});

@InputType('MetricRange', { description: 'From one hour to another; both are widened to whole hours of UTC.' })
export class MetricRangeInput {
  @Field(() => Date, { description: 'The first moment.' }) from!: Date;
  @Field(() => Date, { description: 'The moment after the last; up to 400 days after the first.' }) to!: Date;
}

@InputType('MetricFilter', {
  description: 'Everything given must hold; of each up to 100 values, any of which will do.',
})
export class MetricFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Of these merchants only.' }) merchantIds?: string[] | null;
  @Field(() => [ID], { nullable: true, description: 'Through these terminals only; merchantIds has to say whose.' })
  terminalIds?: string[] | null;
  @Field(() => [PaymentMethods], { nullable: true, description: 'By these methods only.' })
  methods?: PaymentMethod[] | null;
  @Field(() => [String], { nullable: true, description: 'Of these networks only, for example VISA.' })
  circuits?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'In these currencies only.' }) currencies?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'By cards of these countries only, for example ITA.' })
  countries?: string[] | null;
}

@ObjectType('MetricGroup', {
  simpleResolvers: true,
  description:
    'What the figures of a row have in common; null for what was not asked to be told apart, and where there is no value.',
})
export class MetricGroupType {
  @Field(() => ID, { nullable: true, description: 'Id of the one who sells.' }) merchantId!: string | null;
  @Field(() => PayoutMerchant, {
    nullable: true,
    description: 'The one who sells; null where merchants are not told apart, and where it is not there (yet).',
  })
  merchant!: PayoutMerchant | null;
  @Field(() => ID, { nullable: true, description: 'The point of sale.' }) terminalId!: string | null;
  @Field(() => PaymentMethods, { nullable: true, description: 'What was paid with.' }) method!: PaymentMethod | null;
  @Field(() => String, { nullable: true, description: 'The network, for example VISA.' }) circuit!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 4217, for example EUR.' }) currency!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166, for example ITA.' }) country!: string | null;
}

@ObjectType('MetricVolume', { simpleResolvers: true, description: 'How often, and how much in each currency.' })
export class MetricVolumeType {
  @Field(() => Int, { description: 'How often it happened.' }) count!: number;
  @Field(() => [MoneyType], { description: 'How much it came to, by currency.' }) volume!: MoneyType[];
}

@ObjectType('MetricOperations', {
  simpleResolvers: true,
  description:
    'Operations of one type with one result; each counts when its result is known, and as PENDING besides while it was not.',
})
export class MetricOperationsType extends MetricVolumeType {
  @Field(() => OperationTypes, { description: 'What was done.' }) type!: OperationType;
  @Field(() => OperationResults, { description: 'What came of it.' }) result!: OperationResult;
}

@ObjectType('MetricReason', { simpleResolvers: true, description: 'Why payments were declined, and how often.' })
export class MetricReasonType {
  @Field(() => String, {
    description:
      "The acquirer's reason, and where it gave none the result; `Operation.declineReason.code` is the same.",
  })
  reason!: string;
  @Field(() => Int, { description: 'How often it was the reason.' }) count!: number;
}

@ObjectType('MetricAuthentication', { simpleResolvers: true, description: '3-D Secure of the payments that had it.' })
export class MetricAuthenticationType {
  @Field(() => Int, { description: 'Payers who were asked to prove themselves, and did or failed.' })
  challenged!: number;
  @Field(() => Int, { description: 'Those who did.' }) passed!: number;
  @Field(() => Int, { description: 'Those who failed, and cards that could not be checked.' }) failed!: number;
  @Field(() => Int, { description: 'Payers who were recognized without being asked.' }) frictionless!: number;
  @Field(() => Int, { description: 'Payments that were exempted as the shop wished.' }) exempted!: number;
  @Field(() => Float, { nullable: true, description: 'The share that was challenged, 0 to 1; null without any.' })
  challengeRate!: number | null;
}

@ObjectType('MetricCallbacks', {
  simpleResolvers: true,
  description:
    'Attempts to deliver callbacks. They are in no log: a process that is killed takes its last five seconds of them along.',
})
export class MetricCallbacksType {
  @Field(() => Int, { description: 'How many attempts were made.' }) attempts!: number;
  @Field(() => Int, { description: 'How many of them the receiver took.' }) delivered!: number;
  @Field(() => Int, { description: 'How many it did not.' }) failed!: number;
  @Field(() => Float, { nullable: true, description: 'The share that was taken, 0 to 1; null without any.' })
  successRate!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds within which half of the answers came, to the first digit upwards.',
  })
  p50Ms!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds within which 95 of 100 answers came, to the first digit upwards.',
  })
  p95Ms!: number | null;
}

@ObjectType('MetricOnboarding', { simpleResolvers: true, description: 'How far applications came.' })
export class MetricOnboardingType {
  @Field(() => Int, { description: 'Applications that partners made.' }) created!: number;
  @Field(() => Int, { description: 'Applications that were signed.' }) signed!: number;
  @Field(() => Int, { description: 'Applications that became merchants.' }) approved!: number;
  @Field(() => Int, { description: 'Signed applications that staff refused.' }) refused!: number;
  @Field(() => Int, { description: 'Applications that ended before they were signed.' }) abandoned!: number;
}

@ObjectType('Metrics', { simpleResolvers: true, description: 'An answer about figures.' })
export class MetricsType {
  @Field(() => Date, { description: 'The first moment that is counted.' }) from!: Date;
  @Field(() => Date, { description: 'The moment after the last.' }) to!: Date;
  @Field(() => MetricIntervals, { description: 'How the range is cut.' }) interval!: MetricInterval;
  @Field(() => [MetricDimensions], { description: 'By what the figures are told apart.' })
  groupBy!: readonly MetricDimension[];
}
