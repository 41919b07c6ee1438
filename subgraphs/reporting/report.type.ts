// The reports as the keys of partners and merchants read them (reporting interface, Endpoints).
import { Field, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../shared/graph/graph-enum';
import { BalanceType } from './balances/balance.type';
import { PaymentActionType, PayoutType } from './payouts/payout.type';
import { reportSortDirections } from './report';

export const ReportSorts = graphEnum(reportSortDirections, {
  name: 'ReportSort',
  description: 'The order of days in a report.',
  values: {
    asc: 'Oldest day first.',
    desc: 'Newest day first.',
  },
});

@ObjectType('CurrencyBalances', { simpleResolvers: true, description: 'The balances of one currency, day by day.' })
export class CurrencyBalancesType {
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => [BalanceType], { description: 'One for each day, in the order that was asked for.' })
  balances!: BalanceType[];
}

@ObjectType('PayoutPage', {
  simpleResolvers: true,
  description: 'One numbered page of payouts, as the report over REST has it.',
})
export class PayoutPageType {
  @Field(() => Int, { description: 'How many payouts there are on all pages.' }) numberOfPayouts!: number;
  @Field(() => [PayoutType], { description: 'The payouts of this page.' }) payouts!: PayoutType[];
}

@ObjectType('PayoutStatement', { simpleResolvers: true, description: 'A payout with the actions that it pays.' })
export class PayoutStatementType {
  @Field(() => PayoutType, { description: 'The payout that is told about.' }) payout!: PayoutType;
  @Field(() => [PaymentActionType], {
    description: 'The actions of the page that was asked for, in the order of booking.',
  })
  actions!: PaymentActionType[];
}
