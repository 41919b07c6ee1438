// Figures in the graph: one question, and of its rows only what is selected is worked out.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { selectedAlong } from '../../shared/graph/shown-members';
import { answerMetrics, type MetricReads } from './metric.service';
import {
  MetricCallbacksType,
  MetricDimensions,
  MetricFilterInput,
  MetricIntervals,
  MetricOnboardingType,
  MetricRangeInput,
  MetricsType,
  MetricVolumeType,
} from './metric.type';
import { type MetricDimension, type MetricInterval, readQuestion } from './metric-question';
import { callbacksOf, chargebacksOf, funnelOf, type MetricRow } from './metric-row';
import { MetricRowType, ShownRow, volumeShown } from './metric-row.type';

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
    const rows = await answerMetrics(this.reads, context, question, selectedAlong(info, ['rows']));
    return { ...question, rows };
  }

  @FieldResolver(() => [MetricRowType], {
    description: 'By interval, then by group; groups without figures have none.',
  })
  rows(@Root() { rows }: { rows: MetricRow[] }): ShownRow[] {
    return rows.map((row) => new ShownRow(row));
  }
}

@Resolver(() => MetricRowType)
export class MetricRowResolver {
  @Allow('ledger:read')
  @FieldResolver(() => MetricVolumeType, {
    nullable: true,
    description: "What payers' banks took back; null where terminals, methods, circuits or countries are asked about.",
  })
  chargebacks(@Root() { row }: ShownRow): MetricVolumeType | null {
    return row.isOfMerchants ? volumeShown(chargebacksOf(row)) : null;
  }

  @Allow('callbacks:read')
  @FieldResolver(() => MetricCallbacksType, {
    nullable: true,
    description: 'Callbacks; null where terminals, methods, circuits or countries are asked about.',
  })
  callbacks(@Root() { row }: ShownRow): MetricCallbacksType | null {
    return row.isOfMerchants ? callbacksOf(row) : null;
  }

  @Allow('onboarding:read')
  @FieldResolver(() => MetricOnboardingType, {
    nullable: true,
    description: 'Applications; null where terminals, methods, circuits or countries are asked about.',
  })
  onboarding(@Root() { row }: ShownRow): MetricOnboardingType | null {
    return row.isOfMerchants ? funnelOf(row) : null;
  }
}
