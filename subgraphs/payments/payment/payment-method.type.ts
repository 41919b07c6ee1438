// The graph's view of what a terminal can be paid with (2.2-B of the decision register, paymentService).
import { Field, ObjectType } from 'type-graphql';

@ObjectType('PaymentMethodOffer', { simpleResolvers: true, description: 'A method that the terminal offers.' })
export class PaymentMethodOfferType {
  @Field(() => String, { description: 'As `paymentService` names it.' }) method!: string;
  @Field(() => [String], { description: 'As `paymentCircuit` names them.' }) circuits!: string[];
}
