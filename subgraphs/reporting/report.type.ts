// The reports as the keys of partners and merchants read them (document 3 C, Endpoints).
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { BalanceType } from './balance.type';
import { PaymentActionType, PayoutType } from './payout.type';

export const ReportSorts = { asc: 'asc', desc: 'desc' } as const;
registerEnumType(ReportSorts, { name: 'ReportSort' });

@ObjectType('CurrencyBalances', { simpleResolvers: true })
export class CurrencyBalancesType {
  @Field(() => String) currency!: string;
  @Field(() => [BalanceType]) balances!: BalanceType[];
}

@ObjectType('PayoutPage', { simpleResolvers: true })
export class PayoutPageType {
  @Field(() => Int) numberOfPayouts!: number;
  @Field(() => [PayoutType]) payouts!: PayoutType[];
}

@ObjectType('PayoutStatement', { simpleResolvers: true })
export class PayoutStatementType {
  @Field(() => PayoutType) payout!: PayoutType;
  @Field(() => [PaymentActionType]) actions!: PaymentActionType[];
}
