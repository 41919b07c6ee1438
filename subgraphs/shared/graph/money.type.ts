// An amount of money with all that it takes to show it, one type of the graph that every subgraph with amounts shares.
import { Directive, Field, ObjectType } from 'type-graphql';

@ObjectType('Money', { simpleResolvers: true, description: 'An amount in its currency, exact.' })
@Directive('@shareable')
export class MoneyType {
  @Field(() => String, { description: 'A whole number of minor units, negative when it went the other way.' })
  minor!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
}

export function moneyOf(minor: bigint, currency: string): MoneyType {
  return { minor: minor.toString(), currency };
}
