// Figures in the graph: one question, and of its rows only what is selected is worked out.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Float, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { moneyOf } from '../../shared/graph/money.type';
import { selectsPath } from '../../shared/graph/shown-members';
import { paymentMethods } from '../../shared/vocabulary/operation';
import { wordOf } from '../../shared/vocabulary/word-of';
import { answerMetrics, type MetricAnswer, type MetricReads } from './metric.service';
import {
  MetricAuthenticationType,
  MetricCallbacksType,
  MetricDimensions,
  MetricFilterInput,
  MetricGroupType,
  MetricIntervals,
  MetricOnboardingType,
  MetricOperationsType,
  MetricRangeInput,
  MetricReasonType,
  MetricRowType,
  MetricsType,
  MetricVolumeType,
} from './metric.type';
import { type MetricDimension, type MetricInterval, readQuestion } from './metric-question';
import {
  authenticationOf,
  callbacksOf,
  chargebacksOf,
  type DecidedCharges,
  decidedOf,
  declinesOf,
  funnelOf,
  type MetricRow,
  movedOf,
  operationFigures,
  type Volume,
} from './metric-row';

@Resolver(() => MetricsType)
export class MetricsResolver {
  constructor(private readonly reads: MetricReads) {}

  @Allow('payments:read')
  @Query(() => MetricsType, {
    description:
      'Figures of everything that the caller may see, by interval and group. They follow what happens within seconds; what is too much at once is refused with `invalidInput`.',
  })
  async metrics(
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('range', () => MetricRangeInput, { description: 'Which time is counted.' }) range: MetricRangeInput,
    @Arg('interval', () => MetricIntervals, {
      defaultValue: 'DAY',
      description: 'How the range is cut, into 1,000 intervals at most.',
    })
    interval: MetricInterval,
    @Arg('groupBy', () => [MetricDimensions], {
      nullable: true,
      description: 'By what the figures are told apart; without it there is one row for each interval.',
    })
    groupBy?: MetricDimension[] | null,
    @Arg('filter', () => MetricFilterInput, { nullable: true, description: 'What is counted; absent: everything.' })
    filter?: MetricFilterInput | null,
  ): Promise<object> {
    const question = readQuestion({ range, interval, groupBy, filter });
    const answer = await answerMetrics(this.reads, context, question, {
      areCallbacksShown: selectsPath(info, ['rows', 'callbacks']),
    });
    return { ...question, answer };
  }

  @FieldResolver(() => [MetricRowType], {
    description: 'By interval, then by group; groups without figures have none.',
  })
  rows(@Root() { answer: { rows } }: { answer: MetricAnswer }): MetricRow[] {
    return rows;
  }
}

@Resolver(() => MetricRowType)
export class MetricRowResolver {
  @FieldResolver(() => MetricGroupType, { description: 'What the figures have in common.' })
  group(@Root() { group }: MetricRow): MetricGroupType {
    const { MERCHANT, TERMINAL, METHOD, CIRCUIT, CURRENCY, COUNTRY } = group;
    return {
      merchantId: MERCHANT ?? null,
      merchant: MERCHANT ? { merchantId: MERCHANT } : null,
      terminalId: TERMINAL ?? null,
      method: wordOf(paymentMethods, METHOD),
      circuit: CIRCUIT ?? null,
      currency: CURRENCY ?? null,
      country: COUNTRY ?? null,
    };
  }

  @FieldResolver(() => [MetricOperationsType], { description: 'All operations, by type and result.' })
  operations(@Root() row: MetricRow): MetricOperationsType[] {
    return operationFigures(row).map(({ type, result, ...volume }) => ({ type, result, ...shown(volume) }));
  }

  @FieldResolver(() => MetricVolumeType, { description: "Payers' money that was taken." })
  captured(@Root() row: MetricRow): MetricVolumeType {
    return shown(movedOf(row, 'captured'));
  }

  @FieldResolver(() => MetricVolumeType, { description: 'Money that was given back.' })
  refunded(@Root() row: MetricRow): MetricVolumeType {
    return shown(movedOf(row, 'refunded'));
  }

  @FieldResolver(() => MetricVolumeType, { description: 'Captures that were undone on their own day.' })
  undone(@Root() row: MetricRow): MetricVolumeType {
    return shown(movedOf(row, 'undone'));
  }

  @FieldResolver(() => Int, { description: 'Charges that were approved: authorizations, increments, no-shows.' })
  approved(@Root() row: MetricRow): number {
    return decidedIn(row).approved;
  }

  @FieldResolver(() => Int, {
    description: 'Charges that were declined or failed; not those that the payer broke off.',
  })
  declined(@Root() row: MetricRow): number {
    return decidedIn(row).declined;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Approved charges among those approved and declined, 0 to 1; null without any.',
  })
  approvalRate(@Root() row: MetricRow): number | null {
    return decidedIn(row).approvalRate;
  }

  @FieldResolver(() => [MetricReasonType], {
    description: 'Why charges were declined, the most frequent reason first.',
  })
  declines(@Root() row: MetricRow): MetricReasonType[] {
    return declinesOf(row);
  }

  @FieldResolver(() => MetricAuthenticationType, { description: 'How payers proved by 3-D Secure who they are.' })
  authentication(@Root() row: MetricRow): MetricAuthenticationType {
    return authenticationOf(row);
  }

  @Allow('ledger:read')
  @FieldResolver(() => MetricVolumeType, {
    nullable: true,
    description: "What payers' banks took back; null where terminals, methods, circuits or countries are asked about.",
  })
  chargebacks(@Root() row: MetricRow): MetricVolumeType | null {
    return row.isOfMerchants ? shown(chargebacksOf(row)) : null;
  }

  @Allow('callbacks:read')
  @FieldResolver(() => MetricCallbacksType, {
    nullable: true,
    description: 'Callbacks; null where terminals, methods, circuits or countries are asked about.',
  })
  callbacks(@Root() row: MetricRow): MetricCallbacksType | null {
    return row.isOfMerchants ? callbacksOf(row) : null;
  }

  @Allow('onboarding:read')
  @FieldResolver(() => MetricOnboardingType, {
    nullable: true,
    description: 'Applications; null where terminals, methods, circuits or countries are asked about.',
  })
  onboarding(@Root() row: MetricRow): MetricOnboardingType | null {
    return row.isOfMerchants ? funnelOf(row) : null;
  }
}

function shown({ count, volume }: Volume): MetricVolumeType {
  return { count, volume: volume.map(({ currency, minor }) => moneyOf(minor, currency)) };
}

const decided = new WeakMap<MetricRow, DecidedCharges>();

/** Of a row that is answered with: three of its fields ask. */
function decidedIn(row: MetricRow): DecidedCharges {
  const known = decided.get(row) ?? decidedOf(row);
  decided.set(row, known);
  return known;
}
