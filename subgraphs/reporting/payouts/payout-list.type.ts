// How the graph is asked for payouts beside their days: by currencies and amounts, and among all merchants by several of them.
import { ArgsType, Field, ID } from 'type-graphql';
import { PageArgs } from '../../shared/graph/page.type';

@ArgsType()
export class PayoutsOfOneArgs extends PageArgs {
  @Field(() => [String], { nullable: true, description: 'Payouts in any of these currencies; 20 at most.' })
  currencies?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive; negative: what was taken back.' })
  minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Minor units, inclusive; negative: what was taken back.' })
  maxAmount?: string | null;
}

@ArgsType()
export class ListedPayoutsArgs extends PayoutsOfOneArgs {
  @Field(() => [ID], { nullable: true, description: 'Payouts of any of these merchants; 20 at most.' })
  merchantIds?: string[] | null;
}
