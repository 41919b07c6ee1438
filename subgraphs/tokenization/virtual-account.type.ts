// The graph's view of virtual accounts and their transactions: masks and metadata, never a number (document 1, Virtual account).
import { Directive, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import { lifecycleTriggers, type VirtualAccountState, virtualAccountStates } from './lifecycle';

const enumOf = <Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };

export const VirtualAccountStates = enumOf(virtualAccountStates);
registerEnumType(VirtualAccountStates, { name: 'VirtualAccountState' });

export const IssuerEvents = enumOf(lifecycleTriggers);
registerEnumType(IssuerEvents, {
  name: 'IssuerEvent',
  description: 'What the issuer or the network does, in the sandbox.',
});

@ObjectType('Merchant', { simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantStub {
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
  @Field(() => ID) virtualAccountId!: string;
  @Field(() => VirtualAccountStates) state!: VirtualAccountState;
  @Field(() => String, { nullable: true, description: '29 upper-case alphanumerics, once assigned.' }) par!:
    | string
    | null;
  @Field(() => String, { description: 'First six digits, stars, last four.' }) accountMasked!: string;
  @Field(() => String, { description: 'MMYYYY' }) accountExpiry!: string;
  @Field(() => String, { description: 'First six digits, stars, last four.' }) tokenMasked!: string;
  @Field(() => String, { description: 'MMYYYY' }) tokenExpiry!: string;
  @Field(() => String, { nullable: true, description: 'Of the deletion by its caller: 1023 to 1027.' }) reasonCode!:
    | string
    | null;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType('VirtualAccountEdge', { simpleResolvers: true })
export class VirtualAccountEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => VirtualAccountType) node!: VirtualAccountType;
}

@ObjectType('VirtualAccountConnection', { simpleResolvers: true })
export class VirtualAccountConnectionType {
  @Field(() => [VirtualAccountEdgeType]) edges!: VirtualAccountEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('VirtualAccountFilter')
export class VirtualAccountFilterInput {
  @Field(() => ID, { nullable: true }) merchantId?: string | null;
  @Field(() => VirtualAccountStates, { nullable: true }) state?: VirtualAccountState | null;
}

@InputType('IdentifiersInput', { description: 'What the caller was assigned at onboarding (document 1).' })
export class IdentifiersInput {
  @Field(() => String) acquirerId!: string;
  @Field(() => String) providerId!: string;
  @Field(() => String) pspId!: string;
}

@InputType('CreateVirtualAccountInput')
export class CreateVirtualAccountInput {
  @Field(() => IdentifiersInput) identifiers!: IdentifiersInput;
  @Field(() => String) merchantId!: string;
  @Field(() => String, { description: 'Compact JWE of the account data, sealed to one of decryptionKeys.' })
  encryptedData!: string;
}

@ObjectType('CreateVirtualAccountResult', { simpleResolvers: true })
export class CreateVirtualAccountResultType {
  @Field(() => VirtualAccountType) virtualAccount!: VirtualAccountType;
  @Field(() => String, { description: "Compact JWE of token and tokenExpiry, sealed to the caller's key." })
  encryptedData!: string;
}

@InputType('UpdateTokenStateInput')
export class UpdateTokenStateInput {
  @Field(() => IdentifiersInput) identifiers!: IdentifiersInput;
  @Field(() => ID) virtualAccountId!: string;
  @Field(() => String, { description: 'Only DELETE is supported.' }) tokenState!: string;
  @Field(() => String, { description: '1023 to 1027' }) reasonCode!: string;
}
