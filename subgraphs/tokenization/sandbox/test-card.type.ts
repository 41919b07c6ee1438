// The graph's view of the sandbox's test cards.
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import {
  type CardOutcome,
  cardOutcomes,
  type TestCard,
  type TokenizationOutcome,
  tokenizationOutcomes,
} from '../../shared/test-cards';

export const CardOutcomes = Object.fromEntries(cardOutcomes.map((value) => [value, value]));
registerEnumType(CardOutcomes, { name: 'CardOutcome' });

export const TokenizationOutcomes = Object.fromEntries(tokenizationOutcomes.map((value) => [value, value]));
registerEnumType(TokenizationOutcomes, { name: 'TokenizationOutcome' });

@ObjectType('TestCard', { simpleResolvers: true })
export class TestCardType implements TestCard {
  @Field(() => String) number!: string;
  @Field(() => String) brand!: TestCard['brand'];
  @Field(() => CardOutcomes, { description: 'What a payment with it comes to.' }) payment!: CardOutcome;
  @Field(() => TokenizationOutcomes, { description: 'What tokenizing it comes to.' })
  tokenization!: TokenizationOutcome;
  @Field(() => String) description!: string;
}
