// The graph's view of what merchants are owed, over all of them.
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { ConnectionFields } from '../../shared/graph/page.type';
import { balanceOrders } from './merchant-balance';

export const BalanceOrders = graphEnum(balanceOrders, {
  name: 'MerchantBalanceOrder',
  description: 'What comes first in a list of balances.',
  values: {
    MERCHANT: 'By merchantId, and of one merchant by currency.',
    AMOUNT: 'By currency, and of each the largest first.',
  },
});

@ObjectType('MerchantBalance', {
  simpleResolvers: true,
  description: 'What a merchant is owed in one currency now, before it is paid out.',
})
export class MerchantBalanceType {
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
}

@ObjectType('MerchantBalanceTotal', {
  simpleResolvers: true,
  description: 'What the balances of one currency add up to.',
})
export class MerchantBalanceTotalType {
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => Int, { description: 'How many balances there are.' }) count!: number;
}

@ObjectType('MerchantBalanceEdge', { simpleResolvers: true, description: 'One balance in a list, with its cursor.' })
export class MerchantBalanceEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => MerchantBalanceType, { description: 'The item itself, at this place of the list.' })
  node!: MerchantBalanceType;
}

@ObjectType('MerchantBalanceConnection', { simpleResolvers: true, description: 'One page of balances.' })
export class MerchantBalanceConnectionType extends ConnectionFields {
  @Field(() => [MerchantBalanceEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: MerchantBalanceEdgeType[];
}

@InputType('MerchantBalanceFilter', { description: 'Which balances are wanted; everything given must hold.' })
export class MerchantBalanceFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Those of any of these merchants; 20 at most.' })
  merchantIds?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'In any of these currencies; 20 at most.' })
  currencies?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Of that amount or more, in minor units; may be negative.' })
  minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Of that amount or less, in minor units; may be negative.' })
  maxAmount?: string | null;
}
