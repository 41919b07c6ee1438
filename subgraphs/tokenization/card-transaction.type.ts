// The graph's view of transactions: metadata only, no token and no cryptogram (document 1, create transaction).
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { PageInfoType } from '../shared/page.type';
import { IdentifiersInput } from './virtual-account.type';

@ObjectType('CardTransaction', { simpleResolvers: true })
export class CardTransactionType {
  @Field(() => ID) cardTransactionId!: string;
  @Field(() => ID, { description: "The caller's, unique per acquirer merchant." }) transactionId!: string;
  @Field(() => Date) transactionAt!: Date;
  @Field(() => String, { description: 'Minor units with leading zeros as sent.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, numeric.' }) currencyCode!: string;
  @Field(() => Date) createdAt!: Date;
}

@ObjectType('CardTransactionEdge', { simpleResolvers: true })
export class CardTransactionEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => CardTransactionType) node!: CardTransactionType;
}

@ObjectType('CardTransactionConnection', { simpleResolvers: true })
export class CardTransactionConnectionType {
  @Field(() => [CardTransactionEdgeType]) edges!: CardTransactionEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('CreateTransactionInput')
export class CreateTransactionInput {
  @Field(() => IdentifiersInput) identifiers!: IdentifiersInput;
  @Field(() => ID) virtualAccountId!: string;
  @Field(() => String) merchantId!: string;
  @Field(() => String) transactionId!: string;
  @Field(() => String, { description: 'YYYYMMDDhhmmss, UTC.' }) transactionDateTime!: string;
  @Field(() => String, { description: 'Minor units, 1 to 12 digits.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, numeric.' }) currencyCode!: string;
}

@ObjectType('CreateTransactionResult', { simpleResolvers: true })
export class CreateTransactionResultType {
  @Field(() => String, { description: "Compact JWE of token, tokenExpiry and cryptogram, sealed to the caller's key." })
  encryptedData!: string;
}
