// Balances in the graph over all merchants that the caller may see, with what they add up to.
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { MoneyType, moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import { PayoutMerchant } from '../payouts/payout.type';
import type { BalanceOrder, BalanceTotal, BookBalance } from './merchant-balance';
import type { MerchantBalanceRepository } from './merchant-balance.repository';
import { type BalanceList, merchantBalancesOf } from './merchant-balance.service';
import {
  BalanceOrders,
  MerchantBalanceConnectionType,
  MerchantBalanceFilterInput,
  MerchantBalanceTotalType,
  MerchantBalanceType,
} from './merchant-balance.type';

@Resolver(() => MerchantBalanceType)
export class MerchantBalanceResolver {
  constructor(private readonly balances: MerchantBalanceRepository) {}

  @Allow('ledger:read')
  @Query(() => MerchantBalanceConnectionType, {
    description: 'What the merchants that the caller may see are owed now, one for each merchant and currency.',
  })
  merchantBalances(
    @Ctx() context: RequestContext,
    @Arg('filter', () => MerchantBalanceFilterInput, {
      nullable: true,
      description: 'Which balances are wanted; absent: all.',
    })
    filter: MerchantBalanceFilterInput | null | undefined,
    @Arg('orderBy', () => BalanceOrders, { nullable: true, description: 'What comes first; absent: by merchant.' })
    orderBy: BalanceOrder | null | undefined,
    @Args(() => PageArgs) { first, after, last, before }: PageArgs,
  ): Promise<BalanceList> {
    return merchantBalancesOf(this.balances, context, { filter, orderBy, first, after, last, before });
  }

  @FieldResolver(() => PayoutMerchant, { description: 'The merchant that is owed it.' })
  merchant(@Root() { merchantId }: BookBalance): PayoutMerchant {
    return { merchantId };
  }

  @FieldResolver(() => MoneyType, { description: 'What is owed; negative when the merchant owes it.' })
  money(@Root() { balanceMinor, currency }: BookBalance): MoneyType {
    return moneyOf(balanceMinor, currency);
  }
}

@Resolver(() => MerchantBalanceTotalType)
export class MerchantBalanceTotalResolver {
  @FieldResolver(() => MoneyType, { description: 'Their sum; what merchants owe is taken off.' })
  money(@Root() { balanceMinor, currency }: BalanceTotal): MoneyType {
    return moneyOf(balanceMinor, currency);
  }
}

@Resolver(() => MerchantBalanceConnectionType)
export class MerchantBalanceListResolver {
  @FieldResolver(() => [MerchantBalanceTotalType], {
    description: 'What everything that fits the filter adds up to, by currency; added up when it is asked for.',
  })
  totals(@Root() { totals }: BalanceList): Promise<BalanceTotal[]> {
    return totals();
  }
}
