// What the graph adds to a transaction as it was sent: its amount as people read it.
import { FieldResolver, Resolver, Root } from 'type-graphql';
import { MoneyType, moneyOf } from '../../shared/graph/money.type';
import { alphabeticCurrency } from '../../shared/money';
import { CardTransactionType } from './card-transaction.type';

@Resolver(() => CardTransactionType)
export class CardTransactionResolver {
  @FieldResolver(() => MoneyType, {
    nullable: true,
    description: 'The amount with its currency, and as people read it; null for a number that is no currency.',
  })
  money(@Root() { amount, currencyCode }: CardTransactionType): MoneyType | null {
    const currency = alphabeticCurrency(currencyCode);
    return currency === null ? null : moneyOf(BigInt(amount), currency);
  }
}
