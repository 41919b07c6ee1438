// The graph's view of merchants, agreements and accounts.
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { graphEnum } from '../shared/graph/graph-enum';
import { NodeType } from '../shared/graph/node.type';
import { ConnectionFields } from '../shared/graph/page.type';
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
import { merchantOrders } from './merchant-list';

export const MerchantStatuses = graphEnum(merchantStatuses, {
  name: 'MerchantStatus',
  description: 'Whether a merchant or a terminal may be used.',
  values: {
    ACTIVE: 'It may take payments.',
    INACTIVE: 'It takes no new payments; what was begun may be ended.',
  },
});
export const Invoicings = graphEnum(invoicings, {
  name: 'Invoicing',
  description: 'Whether a merchant is sent invoices.',
  values: {
    ENABLED: 'Invoices are sent.',
    DISABLED: 'No invoices are sent.',
  },
});
export const MerchantOrders = graphEnum(merchantOrders, {
  name: 'MerchantOrder',
  description: 'What comes first in a list of merchants.',
  values: {
    ID: 'Along their merchantId, which is the usual order.',
    NAME: 'By name, in whatever case and without accents.',
    NEWEST: 'What was made last.',
  },
});
export const AgreementStatuses = graphEnum(agreementStatuses, {
  name: 'AgreementStatus',
  description: 'Whether an agreement may be used.',
  values: {
    ACTIVE: 'Cards may be tokenized and used under it.',
    SUSPENDED: 'Nothing may be done under it until it is ACTIVE again.',
    TERMINATED: 'It has ended for good.',
  },
});
export const CardSchemes = graphEnum(schemes, {
  name: 'CardScheme',
  description: 'The card networks whose cards may be tokenized.',
  values: {
    VISA: 'Cards of the Visa network.',
    MASTERCARD: 'Cards of the Mastercard network.',
    DISCOVER: 'Cards of the Discover network.',
  },
});

@ObjectType('Account', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'A tenant: owns clients, merchants and agreements.',
})
@Directive('@key(fields: "accountId")')
export class AccountType {
  @Field(() => ID, { description: 'Id of the tenant, given when it was made.' }) accountId!: string;
  @Field(() => String, { description: "The tenant's name as people know it." }) name!: string;
}

@ObjectType('Merchant', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'Somebody who sells, and is paid out to.',
})
@Directive('@key(fields: "merchantId")')
export class MerchantType {
  @Field(() => ID, { description: 'Acquirer merchant identifier.' }) merchantId!: string;
  @Field(() => Int, { description: 'The number by which reports name it, unique on the platform.' })
  merchantNumber!: number;
  @Field(() => String, { description: "The merchant's name, as payers and staff see it." }) name!: string;
  @Field(() => MerchantStatuses, { description: 'Whether it may take payments.' }) status!: MerchantStatus;
  @Field(() => Invoicings, { description: 'Whether the merchant is sent invoices.' }) invoicing!: Invoicing;
  @Field(() => String, { description: 'ISO 4217 code that it is paid out in.' }) currency!: string;
  @Field(() => String, { description: 'ISO 3166-1 alpha-2.' }) country!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The organization number in the register of its country; null when unknown.',
  })
  orgNumber!: string | null;
  @Field(() => String, { nullable: true, description: 'The number for value-added tax; null when there is none.' })
  vatNumber!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The category of its trade, the four digits of ISO 18245; null when unknown.',
  })
  merchantCategoryCode!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The city that stands on the payer's bank statement; null when unknown.",
  })
  merchantCity!: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The prefix that external sources put before the merchant's references; null when there is none.",
  })
  prefix!: string | null;
  @Field(() => String, { nullable: true, description: 'Who its maker says to be; the audit knows the credential.' })
  createdBy!: string | null;
  @Field(() => String, { nullable: true, description: 'Who the last one that changed it over REST says to be.' })
  updatedBy!: string | null;
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
  @Field(() => Date, { description: 'When it was last changed, UTC.' }) updatedAt!: Date;
}

@ObjectType('Agreement', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'Between acquirer, provider and PSP: what lets a PSP act for the merchants enrolled under it.',
})
@Directive('@key(fields: "agreementId")')
export class AgreementType {
  @Field(() => ID, { description: 'Id of the agreement between acquirer, provider and PSP.' }) agreementId!: string;
  @Field(() => String, { description: "The acquirer's id in the triple of acquirer, provider and PSP." })
  acquirerId!: string;
  @Field(() => String, { description: "The provider's id in the triple of acquirer, provider and PSP." })
  providerId!: string;
  @Field(() => String, { description: "The PSP's id in the triple of acquirer, provider and PSP." }) pspId!: string;
  @Field(() => AgreementStatuses, { description: 'Whether tokenization under it is allowed now.' })
  status!: AgreementStatus;
  @Field(() => [CardSchemes], { description: 'Card schemes that may be tokenized under it.' }) schemes!: Scheme[];
  @Field(() => Date, { description: 'When it was made, UTC.' }) createdAt!: Date;
}

@ObjectType('MerchantEdge', { simpleResolvers: true, description: 'One merchant in a list, with its cursor.' })
export class MerchantEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => MerchantType, { description: 'The item itself, at this place of the list.' }) node!: MerchantType;
}

@InputType('MerchantFilter', { description: 'Everything given must hold.' })
export class MerchantFilterInput {
  @Field(() => String, {
    nullable: true,
    description: 'Merchants with this in their id or their name, in whatever case, or with this number.',
  })
  text?: string | null;
  @Field(() => MerchantStatuses, { nullable: true, description: 'Merchants with this status that are not deleted.' })
  status?: MerchantStatus | null;
  @Field(() => [MerchantStatuses], {
    nullable: true,
    description: 'Merchants with any of these statuses that are not deleted; 20 at most.',
  })
  statuses?: MerchantStatus[] | null;
  @Field(() => [ID], { nullable: true, description: 'Merchants of any of these tenants; 20 at most.' })
  accountIds?: string[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Deleted merchants only, or none of them; absent: both.' })
  isDeleted?: boolean | null;
}

@ObjectType('MerchantConnection', { simpleResolvers: true, description: 'One page of merchants.' })
export class MerchantConnectionType extends ConnectionFields {
  @Field(() => [MerchantEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: MerchantEdgeType[];
}

@ObjectType('AgreementEdge', { simpleResolvers: true, description: 'One agreement in a list, with its cursor.' })
export class AgreementEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => AgreementType, { description: 'The item itself, at this place of the list.' }) node!: AgreementType;
}

@ObjectType('AgreementConnection', { simpleResolvers: true, description: 'One page of agreements.' })
export class AgreementConnectionType extends ConnectionFields {
  @Field(() => [AgreementEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: AgreementEdgeType[];
}

@InputType('CreateAgreementInput', { description: 'A new agreement between acquirer, provider and PSP.' })
export class CreateAgreementInput {
  @Field(() => ID, { description: 'The tenant that the agreement belongs to.' }) accountId!: string;
  @Field(() => String, { description: "The acquirer's id in the triple of acquirer, provider and PSP." })
  acquirerId!: string;
  @Field(() => String, { description: "The provider's id in the triple of acquirer, provider and PSP." })
  providerId!: string;
  @Field(() => String, { description: "The PSP's id in the triple of acquirer, provider and PSP." }) pspId!: string;
  @Field(() => [CardSchemes], { nullable: true, description: 'All of them when nothing is said.' })
  schemes?: Scheme[] | null;
}

@InputType('CreateMerchantInput', { description: 'A new merchant of a tenant.' })
export class CreateMerchantInput {
  @Field(() => ID, { description: 'The tenant that it belongs to.' }) accountId!: string;
  @Field(() => ID, { description: 'Id for the merchant, chosen by the caller, unique and never changed.' })
  merchantId!: string;
  @Field(() => Int, { nullable: true, description: 'The next free one when nothing is said.' })
  merchantNumber?: number | null;
  @Field(() => String, { description: "The merchant's name, as payers and staff see it." }) name!: string;
  @Field(() => Invoicings, { defaultValue: 'ENABLED', description: 'Whether the merchant is sent invoices.' })
  invoicing!: Invoicing;
  @Field(() => String, {
    defaultValue: usualCurrency,
    description: 'The currency, three letters of ISO 4217, for example EUR.',
  })
  currency!: string;
  @Field(() => String, { defaultValue: usualCountry, description: 'Where it is at home, two letters of ISO 3166-1.' })
  country!: string;
}
