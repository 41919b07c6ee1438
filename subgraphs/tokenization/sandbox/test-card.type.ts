// The graph's view of the sandbox's test cards.
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import {
  type CardOutcome,
  cardOutcomes,
  type TestCard,
  type TokenizationOutcome,
  tokenizationOutcomes,
} from '../../shared/test-cards';

const CardOutcomes = Object.fromEntries(cardOutcomes.map((value) => [value, value]));
registerEnumType(CardOutcomes, {
  name: 'CardOutcome',
  description: 'What paying with a test card comes to.',
  valuesConfig: {
    AUTHORIZED: { description: 'The payment is authorized without a challenge.' },
    CHALLENGE_AUTHORIZED: {
      description: 'The issuer asks the payer for a code; with the right one the payment is authorized.',
    },
    CHALLENGE_DECLINED: { description: 'The issuer asks for a code, and declines the payment after it.' },
    CHALLENGE_FAILED: { description: 'The issuer asks for a code, and no code is right.' },
    DECLINED: { description: 'The issuer declines the payment.' },
    DECLINED_INSUFFICIENT_FUNDS: { description: 'The issuer declines because the card has too little money.' },
    DENIED_BY_RISK: { description: 'The check for fraud stops the payment.' },
    FAILED: { description: 'The payment fails for a technical reason.' },
    PENDING_THEN_AUTHORIZED: { description: 'The result is open at first, and authorized after a while.' },
    UNKNOWN_THEN_AUTHORIZED: { description: 'The acquirer does not answer at first; asked later, it says authorized.' },
  },
});

const TokenizationOutcomes = Object.fromEntries(tokenizationOutcomes.map((value) => [value, value]));
registerEnumType(TokenizationOutcomes, {
  name: 'TokenizationOutcome',
  description: 'What tokenizing a test card comes to.',
  valuesConfig: {
    TOKENIZED: { description: 'The card is tokenized.' },
    REFUSED: { description: 'The card network refuses the card.' },
    FAILED: { description: 'The token service fails for a technical reason.' },
    NOT_TOKENIZABLE: { description: 'The card belongs to a network that has no tokens here.' },
  },
});

@ObjectType('TestCard', { simpleResolvers: true, description: 'A card number of the sandbox with a known outcome.' })
export class TestCardType implements TestCard {
  @Field(() => String, { description: 'The card number to type in.' }) number!: string;
  @Field(() => String, { description: 'The network of the card, for example VISA.' }) brand!: TestCard['brand'];
  @Field(() => CardOutcomes, { description: 'What a payment with it comes to.' }) payment!: CardOutcome;
  @Field(() => TokenizationOutcomes, { description: 'What tokenizing it comes to.' })
  tokenization!: TokenizationOutcome;
  @Field(() => String, { description: 'What happens with it, in words.' }) description!: string;
}
