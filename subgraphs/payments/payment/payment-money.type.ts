// The amounts of a payment, each with its currency.
import { Field, ObjectType } from 'type-graphql';
import { MoneyType } from '../../shared/graph/money.type';

@ObjectType('PaymentMoney', { simpleResolvers: true, description: 'The amounts of a payment.' })
export class PaymentMoneyType {
  @Field(() => MoneyType, { nullable: true, description: 'What it is over; null while nobody has said how much.' })
  amount!: MoneyType | null;
  @Field(() => MoneyType, { description: 'What is reserved or was taken in all.' }) authorized!: MoneyType;
  @Field(() => MoneyType, { description: 'What was taken in all.' }) captured!: MoneyType;
  @Field(() => MoneyType, { description: 'What was given back in all.' }) refunded!: MoneyType;
}
