// The graph's view of the sandbox's test cards.
import { Field, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import {
  type CardOutcome,
  cardOutcomes,
  type TestCard,
  type TokenizationOutcome,
  tokenizationOutcomes,
} from '../../shared/test-cards';

const CardOutcomes = graphEnum(cardOutcomes, {
  name: 'CardOutcome',
  description: 'What paying with a test card comes to.',
  values: {
    AUTHORIZED: 'The payment is authorized without a challenge.',
    CHALLENGE_AUTHORIZED: 'The issuer asks the payer for a code; with the right one the payment is authorized.',
    CHALLENGE_DECLINED: 'The issuer asks for a code, and declines the payment after it.',
    CHALLENGE_FAILED: 'The issuer asks for a code, and no code is right.',
    DECLINED: 'The issuer declines the payment.',
    DECLINED_INSUFFICIENT_FUNDS: 'The issuer declines because the card has too little money.',
    DENIED_BY_RISK: 'The check for fraud stops the payment.',
    FAILED: 'The payment fails for a technical reason.',
    PENDING_THEN_AUTHORIZED: 'The result is open at first, and authorized after a while.',
    UNKNOWN_THEN_AUTHORIZED: 'The acquirer does not answer at first; asked later, it says authorized.',
  },
});

const TokenizationOutcomes = graphEnum(tokenizationOutcomes, {
  name: 'TokenizationOutcome',
  description: 'What tokenizing a test card comes to.',
  values: {
    TOKENIZED: 'The card is tokenized.',
    REFUSED: 'The card network refuses the card.',
    FAILED: 'The token service fails for a technical reason.',
    NOT_TOKENIZABLE: 'The card belongs to a network that has no tokens here.',
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
