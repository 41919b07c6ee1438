// The graph's view of merchants, agreements and accounts.
import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { NodeType } from '../shared/node.type';
import { PageInfoType } from '../shared/page.type';
import {
  type AgreementStatus,
  agreementStatuses,
  type Invoicing,
  invoicings,
  type MerchantStatus,
  merchantStatuses,
  type Scheme,
  schemes,
  usualCountry,
  usualCurrency,
} from './merchant';

const enumOf = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, value]));

export const MerchantStatuses = enumOf(merchantStatuses);
registerEnumType(MerchantStatuses, { name: 'MerchantStatus' });
export const Invoicings = enumOf(invoicings);
registerEnumType(Invoicings, { name: 'Invoicing' });
export const AgreementStatuses = enumOf(agreementStatuses);
registerEnumType(AgreementStatuses, { name: 'AgreementStatus' });
export const CardSchemes = enumOf(schemes);
registerEnumType(CardSchemes, { name: 'CardScheme' });

@ObjectType('Account', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A tenant: owns clients, merchants and agreements.',
})
@Directive('@key(fields: "accountId")')
export class AccountType {
  @Field(() => ID) accountId!: string;
  @Field(() => String) name!: string;
}

@ObjectType('Merchant', { implements: NodeType, simpleResolvers: true })
@Directive('@key(fields: "merchantId")')
export class MerchantType {
  @Field(() => ID, { description: 'Acquirer merchant identifier.' }) merchantId!: string;
  @Field(() => Int) merchantNumber!: number;
  @Field(() => String) name!: string;
  @Field(() => MerchantStatuses) status!: MerchantStatus;
  @Field(() => Invoicings) invoicing!: Invoicing;
  @Field(() => String, { description: 'ISO 4217 code that it is paid out in.' }) currency!: string;
  @Field(() => String, { description: 'ISO 3166-1 alpha-2.' }) country!: string;
  @Field(() => String, { nullable: true }) orgNumber!: string | null;
  @Field(() => String, { nullable: true }) vatNumber!: string | null;
  @Field(() => String, { nullable: true }) merchantCategoryCode!: string | null;
  @Field(() => String, { nullable: true }) merchantCity!: string | null;
  @Field(() => String, { nullable: true, description: 'External-source prefix.' }) prefix!: string | null;
  @Field(() => String, { nullable: true, description: 'Who its maker says to be; the audit knows the credential.' })
  createdBy!: string | null;
  @Field(() => String, { nullable: true, description: 'Who the last one that changed it over REST says to be.' })
  updatedBy!: string | null;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType('Agreement', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'Between acquirer, provider and PSP: what lets a PSP act for the merchants enrolled under it.',
})
@Directive('@key(fields: "agreementId")')
export class AgreementType {
  @Field(() => ID) agreementId!: string;
  @Field(() => String) acquirerId!: string;
  @Field(() => String) providerId!: string;
  @Field(() => String) pspId!: string;
  @Field(() => AgreementStatuses) status!: AgreementStatus;
  @Field(() => [CardSchemes], { description: 'Card schemes that may be tokenized under it.' }) schemes!: Scheme[];
  @Field(() => Date) createdAt!: Date;
}

@ObjectType('MerchantEdge', { simpleResolvers: true })
export class MerchantEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => MerchantType) node!: MerchantType;
}

@ObjectType('MerchantConnection', { simpleResolvers: true })
export class MerchantConnectionType {
  @Field(() => [MerchantEdgeType]) edges!: MerchantEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@ObjectType('AgreementEdge', { simpleResolvers: true })
export class AgreementEdgeType {
  @Field(() => String) cursor!: string;
  @Field(() => AgreementType) node!: AgreementType;
}

@ObjectType('AgreementConnection', { simpleResolvers: true })
export class AgreementConnectionType {
  @Field(() => [AgreementEdgeType]) edges!: AgreementEdgeType[];
  @Field(() => PageInfoType) pageInfo!: PageInfoType;
}

@InputType('CreateAgreementInput')
export class CreateAgreementInput {
  @Field(() => ID) accountId!: string;
  @Field(() => String) acquirerId!: string;
  @Field(() => String) providerId!: string;
  @Field(() => String) pspId!: string;
  @Field(() => [CardSchemes], { nullable: true, description: 'All of them when nothing is said.' })
  schemes?: Scheme[] | null;
}

@InputType('CreateMerchantInput')
export class CreateMerchantInput {
  @Field(() => ID) accountId!: string;
  @Field(() => ID) merchantId!: string;
  @Field(() => Int, { nullable: true, description: 'The next free one when nothing is said.' })
  merchantNumber?: number | null;
  @Field(() => String) name!: string;
  @Field(() => Invoicings, { defaultValue: 'ENABLED' }) invoicing!: Invoicing;
  @Field(() => String, { defaultValue: usualCurrency }) currency!: string;
  @Field(() => String, { defaultValue: usualCountry }) country!: string;
}
