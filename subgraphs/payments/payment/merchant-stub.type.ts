// A merchant as this subgraph knows one: by its id; its name and status belong to the merchants subgraph.
import { Directive, Field, ID, ObjectType } from 'type-graphql';

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class PaymentMerchant {
  @Field(() => ID) merchantId!: string;
}
