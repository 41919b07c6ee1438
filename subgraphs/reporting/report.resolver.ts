// The three reports for the keys of partners and merchants, one persisted operation each (reporting interface, Endpoints).
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { Allow } from '../shared/callers/allow';
import type { RequestContext } from '../shared/callers/context';
import type { ReportSortDirection } from './report';
import { CurrencyBalancesType, PayoutPageType, PayoutStatementType, ReportSorts } from './report.type';
import {
  type CurrencyBalances,
  type PayoutPage,
  type PayoutStatement,
  type ReportDeps,
  reportBalances,
  reportPayout,
  reportPayouts,
} from './reporting.service';

@Resolver()
export class ReportResolver {
  constructor(private readonly deps: ReportDeps) {}

  @Allow('reporting')
  @Query(() => [CurrencyBalancesType], {
    description:
      'The balances of a merchant or of a whole account by currency and day, as the report over REST has them.',
  })
  balanceReport(
    @Ctx() { caller }: RequestContext,
    @Arg('fromDate', () => String, { description: 'The first UTC day, as YYYY-MM-DD, inclusive.' }) fromDate: string,
    @Arg('toDate', () => String, { description: 'The last UTC day, as YYYY-MM-DD, inclusive.' }) toDate: string,
    @Arg('merchantNumber', () => String, {
      nullable: true,
      description: 'The number of the merchant; absent: the whole account.',
    })
    merchantNumber?: string | null,
    @Arg('currencies', () => [String], {
      nullable: true,
      description: 'Only these currencies, three letters of ISO 4217 each; absent: all.',
    })
    currencies?: string[] | null,
    @Arg('sort', () => ReportSorts, {
      nullable: true,
      description: 'Whether the oldest or the newest day comes first; absent: the oldest.',
    })
    sort?: ReportSortDirection | null,
  ): Promise<CurrencyBalances[]> {
    return reportBalances(this.deps, caller, { fromDate, toDate, merchantNumber, currencies, sort });
  }

  @Allow('reporting')
  @Query(() => PayoutPageType, {
    description: 'The payouts of a merchant or of a whole account by pages, as the report over REST has them.',
  })
  payoutReport(
    @Ctx() { caller }: RequestContext,
    @Arg('fromDate', () => String, { description: 'The first UTC day, as YYYY-MM-DD, inclusive.' }) fromDate: string,
    @Arg('toDate', () => String, { description: 'The last UTC day, as YYYY-MM-DD, inclusive.' }) toDate: string,
    @Arg('merchantNumber', () => String, {
      nullable: true,
      description: 'The number of the merchant; absent: the whole account.',
    })
    merchantNumber?: string | null,
    @Arg('currency', () => String, {
      nullable: true,
      description: 'Only this currency, three letters of ISO 4217; absent: all.',
    })
    currency?: string | null,
    @Arg('pageNumber', () => Int, { nullable: true, description: 'Number of the page; absent: the first.' })
    pageNumber?: number | null,
    @Arg('pageSize', () => Int, {
      nullable: true,
      description: 'How many payouts a page has; absent: the usual number of the report.',
    })
    pageSize?: number | null,
  ): Promise<PayoutPage> {
    const page = { pageNumber, pageSize };
    return reportPayouts(this.deps, caller, { fromDate, toDate, merchantNumber, currency, ...page });
  }

  @Allow('reporting')
  @Query(() => PayoutStatementType, {
    description: 'One payout with the actions that it pays, by pages, as the report over REST has it.',
  })
  payoutStatement(
    @Ctx() { caller }: RequestContext,
    @Arg('payoutId', () => ID, { description: 'Id of the payout that is wanted.' }) payoutId: string,
    @Arg('merchantNumber', () => String, {
      nullable: true,
      description: "The number of the merchant that the payout must belong to; absent: any of the account's.",
    })
    merchantNumber?: string | null,
    @Arg('pageNumber', () => Int, { nullable: true, description: 'Number of the page; absent: the first.' })
    pageNumber?: number | null,
    @Arg('pageSize', () => Int, {
      nullable: true,
      description: 'How many actions a page has; absent: the usual number of the report.',
    })
    pageSize?: number | null,
  ): Promise<PayoutStatement> {
    return reportPayout(this.deps, caller, { payoutId, merchantNumber, pageNumber, pageSize });
  }
}
