// The three reports for the keys of partners and merchants, one persisted operation each (document 3 C, Endpoints).
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import type { SortDirection } from './report';
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
  @Query(() => [CurrencyBalancesType])
  balanceReport(
    @Ctx() { caller }: RequestContext,
    @Arg('fromDate', () => String) fromDate: string,
    @Arg('toDate', () => String) toDate: string,
    @Arg('merchantNumber', () => String, { nullable: true }) merchantNumber?: string | null,
    @Arg('currencies', () => [String], { nullable: true }) currencies?: string[] | null,
    @Arg('sort', () => ReportSorts, { nullable: true }) sort?: SortDirection | null,
  ): Promise<CurrencyBalances[]> {
    return reportBalances(this.deps, caller, { fromDate, toDate, merchantNumber, currencies, sort });
  }

  @Allow('reporting')
  @Query(() => PayoutPageType)
  payoutReport(
    @Ctx() { caller }: RequestContext,
    @Arg('fromDate', () => String) fromDate: string,
    @Arg('toDate', () => String) toDate: string,
    @Arg('merchantNumber', () => String, { nullable: true }) merchantNumber?: string | null,
    @Arg('currency', () => String, { nullable: true }) currency?: string | null,
    @Arg('pageNumber', () => Int, { nullable: true }) pageNumber?: number | null,
    @Arg('pageSize', () => Int, { nullable: true }) pageSize?: number | null,
  ): Promise<PayoutPage> {
    const page = { pageNumber, pageSize };
    return reportPayouts(this.deps, caller, { fromDate, toDate, merchantNumber, currency, ...page });
  }

  @Allow('reporting')
  @Query(() => PayoutStatementType)
  payoutStatement(
    @Ctx() { caller }: RequestContext,
    @Arg('payoutId', () => ID) payoutId: string,
    @Arg('merchantNumber', () => String, { nullable: true }) merchantNumber?: string | null,
    @Arg('pageNumber', () => Int, { nullable: true }) pageNumber?: number | null,
    @Arg('pageSize', () => Int, { nullable: true }) pageSize?: number | null,
  ): Promise<PayoutStatement> {
    return reportPayout(this.deps, caller, { payoutId, merchantNumber, pageNumber, pageSize });
  }
}
