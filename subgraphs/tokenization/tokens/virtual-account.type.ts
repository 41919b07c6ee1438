// The graph's view of virtual accounts and their transactions: masks and metadata, never a number (tokenization interface, Virtual account).
import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { lifecycleTriggers, type VirtualAccountState, virtualAccountStates } from './lifecycle';

export const VirtualAccountStates = graphEnum(virtualAccountStates, {
  name: 'VirtualAccountState',
  description: 'Whether a token may be used.',
  values: {
    ACTIVE: 'It may be paid with.',
    SUSPENDED: 'The issuer blocked it for a while.',
    DELETED: 'It has ended for good.',
  },
});

export const IssuerEvents = graphEnum(lifecycleTriggers, {
  name: 'IssuerEvent',
  description: 'What the issuer or the network does, in the sandbox.',
  values: {
    SUSPEND: 'The issuer blocks the card for a while: the token is suspended.',
    RESUME: 'The issuer lifts the block: the token is active again.',
    REPLACE_CARD: 'The issuer replaces the card: the token stands for the new number.',
    EXTEND_EXPIRY: 'The issuer renews the card: it expires later.',
    ASSIGN_PAR: 'The issuer assigns the reference (PAR) that the card keeps for life.',
    DELETE: 'The issuer closes the card: the token is deleted.',
  },
});

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class VirtualAccountMerchant {
  @Field(() => ID) merchantId!: string;
}

@ObjectType('Agreement', { simpleResolvers: true })
@Directive('@key(fields: "agreementId")')
export class AgreementStub {
  @Field(() => ID) agreementId!: string;
}

@ObjectType('VirtualAccount', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A tokenized card of one merchant.',
})
@Directive('@key(fields: "virtualAccountId")')
export class VirtualAccountType {
  @Field(() => ID, { description: 'Id of the virtual account, the tokenized card.' }) virtualAccountId!: string;
  @Field(() => VirtualAccountStates, { description: 'Whether the token may be used.' }) state!: VirtualAccountState;
  @Field(() => String, { nullable: true, description: '29 upper-case alphanumerics, once assigned.' })
  par!: string | null;
  @Field(() => String, { description: 'First six digits, stars, last four.' }) accountMasked!: string;
  @Field(() => String, { description: 'Month and year in which the card expires, as MMYYYY.' })
  accountExpiry!: string;
  @Field(() => String, { description: 'First six digits, stars, last four.' }) tokenMasked!: string;
  @Field(() => String, { description: 'Month and year in which the token expires, as MMYYYY.' }) tokenExpiry!: string;
  @Field(() => String, { nullable: true, description: 'Of the deletion by its caller: 1023 to 1027.' })
  reasonCode!: string | null;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@ObjectType('VirtualAccountEdge', {
  simpleResolvers: true,
  description: 'One tokenized card in a list, with its cursor.',
})
export class VirtualAccountEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => VirtualAccountType, { description: 'The item itself, at this place of the list.' })
  node!: VirtualAccountType;
}

@ObjectType('VirtualAccountConnection', { simpleResolvers: true, description: 'One page of tokenized cards.' })
export class VirtualAccountConnectionType extends ConnectionFields {
  @Field(() => [VirtualAccountEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: VirtualAccountEdgeType[];
}

@InputType('VirtualAccountFilter', { description: 'Which tokenized cards are wanted; everything given must hold.' })
export class VirtualAccountFilterInput {
  @Field(() => ID, { nullable: true, description: 'Cards tokenized for this merchant only.' })
  merchantId?: string | null;
  @Field(() => VirtualAccountStates, { nullable: true, description: 'Cards whose token is in this state only.' })
  state?: VirtualAccountState | null;
}

@InputType('IdentifiersInput', { description: 'What the caller was assigned at onboarding (tokenization interface).' })
export class IdentifiersInput {
  @Field(() => String, { description: "The acquirer's id in the triple of acquirer, provider and PSP." })
  acquirerId!: string;
  @Field(() => String, { description: "The provider's id in the triple of acquirer, provider and PSP." })
  providerId!: string;
  @Field(() => String, { description: "The PSP's id in the triple of acquirer, provider and PSP." }) pspId!: string;
}

@InputType('CreateVirtualAccountInput', { description: 'A card to be tokenized for a merchant.' })
export class CreateVirtualAccountInput {
  @Field(() => IdentifiersInput, {
    description: 'The triple of acquirer, provider and PSP that the call is made under.',
  })
  identifiers!: IdentifiersInput;
  @Field(() => String, { description: 'Id of the merchant that the card is tokenized for.' }) merchantId!: string;
  @Field(() => String, { description: 'Compact JWE of the account data, sealed to one of decryptionKeys.' })
  encryptedData!: string;
}

@ObjectType('CreateVirtualAccountResult', { simpleResolvers: true, description: 'What came of tokenizing a card.' })
export class CreateVirtualAccountResultType {
  @Field(() => VirtualAccountType, { description: 'The tokenized card.' }) virtualAccount!: VirtualAccountType;
  @Field(() => String, { description: "Compact JWE of token and tokenExpiry, sealed to the caller's key." })
  encryptedData!: string;
}

@InputType('UpdateTokenStateInput', { description: 'The end of a tokenized card, as its caller asks for it.' })
export class UpdateTokenStateInput {
  @Field(() => IdentifiersInput, {
    description: 'The triple of acquirer, provider and PSP that the call is made under.',
  })
  identifiers!: IdentifiersInput;
  @Field(() => ID, { description: 'Id of the virtual account, the tokenized card.' }) virtualAccountId!: string;
  @Field(() => String, { description: 'Only DELETE is supported.' }) tokenState!: string;
  @Field(() => String, { description: '1023 to 1027' }) reasonCode!: string;
}
