// The graph's view of transactions: metadata only, no token and no cryptogram (tokenization interface, create transaction).
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { ConnectionFields } from '../../shared/graph/page.type';
import { IdentifiersInput } from '../tokens/virtual-account.type';

@ObjectType('CardTransaction', {
  simpleResolvers: true,
  description: 'One transaction that was made with a tokenized card.',
})
export class CardTransactionType {
  @Field(() => ID, { description: 'Id of the transaction, given by the platform.' }) cardTransactionId!: string;
  @Field(() => ID, { description: "The caller's, unique per acquirer merchant." }) transactionId!: string;
  @Field(() => Date, { description: 'When it took place as its caller told, UTC.' }) transactionAt!: Date;
  @Field(() => String, { description: 'Minor units with leading zeros as sent.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, numeric.' }) currencyCode!: string;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}

@ObjectType('CardTransactionEdge', {
  simpleResolvers: true,
  description: 'One card transaction in a list, with its cursor.',
})
export class CardTransactionEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => CardTransactionType, { description: 'The item itself, at this place of the list.' })
  node!: CardTransactionType;
}

@ObjectType('CardTransactionConnection', { simpleResolvers: true, description: 'One page of card transactions.' })
export class CardTransactionConnectionType extends ConnectionFields {
  @Field(() => [CardTransactionEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: CardTransactionEdgeType[];
}

@InputType('CreateTransactionInput', { description: 'A transaction that is about to be made with a tokenized card.' })
export class CreateTransactionInput {
  @Field(() => IdentifiersInput, {
    description: 'The triple of acquirer, provider and PSP that the call is made under.',
  })
  identifiers!: IdentifiersInput;
  @Field(() => ID, { description: 'Id of the virtual account, the tokenized card.' }) virtualAccountId!: string;
  @Field(() => String, { description: 'Id of the merchant that the card was tokenized for.' }) merchantId!: string;
  @Field(() => String, { description: "The caller's id of the transaction, unique per acquirer merchant." })
  transactionId!: string;
  @Field(() => String, { description: 'When it takes place, UTC, as YYYYMMDDhhmmss.' }) transactionDateTime!: string;
  @Field(() => String, { description: 'Minor units, 1 to 12 digits.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, numeric.' }) currencyCode!: string;
}

@ObjectType('CreateTransactionResult', {
  simpleResolvers: true,
  description: 'What the caller needs for the transaction, sealed to its own key.',
})
export class CreateTransactionResultType {
  @Field(() => String, { description: "Compact JWE of token, tokenExpiry and cryptogram, sealed to the caller's key." })
  encryptedData!: string;
}
