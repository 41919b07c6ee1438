// Merchants and terminals as this subgraph knows them: by their ids; all else of them belongs to the merchants subgraph.
import { Directive, Field, ID, ObjectType } from 'type-graphql';

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class PaymentMerchant {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Terminal', { simpleResolvers: true })
@Directive('@key(fields: "terminalId", resolvable: false)')
export class PaymentTerminal {
  @Field(() => ID) terminalId!: string;
}
