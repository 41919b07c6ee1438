// What administration says of a merchant, in the graph: enumerations where document 3 A has inverted flags.
import { Field, ID, InputType } from 'type-graphql';
import type { Invoicing, MerchantStatus } from './merchant';
import { Invoicings, MerchantStatuses } from './merchant.type';

@InputType('AdministeredMerchantInput')
export class AdministeredMerchantInput {
  @Field(() => ID) merchantId!: string;
  @Field(() => String) name!: string;
  @Field(() => MerchantStatuses) status!: MerchantStatus;
  @Field(() => Invoicings, { defaultValue: 'ENABLED' }) invoicing!: Invoicing;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country?: string | null;
  @Field(() => String, { nullable: true }) orgNumber?: string | null;
  @Field(() => String, { nullable: true }) vatNumber?: string | null;
  @Field(() => String, { nullable: true, description: 'Four characters.' }) merchantCategoryCode?: string | null;
  @Field(() => String, { nullable: true }) merchantCity?: string | null;
  @Field(() => String, { nullable: true, description: 'External-source prefix.' }) prefix?: string | null;
  @Field(() => String, { description: 'Who the caller says it is.' }) createdBy!: string;
  @Field(() => String, { description: 'Who the caller says it is.' }) updatedBy!: string;
}

@InputType('UpdateMerchantInput')
export class UpdateMerchantInput {
  @Field(() => String, { nullable: true }) name?: string;
  @Field(() => MerchantStatuses, { nullable: true }) status?: MerchantStatus;
  @Field(() => Invoicings, { nullable: true }) invoicing?: Invoicing;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country?: string | null;
  @Field(() => String, { nullable: true, description: 'null takes it away, here and in the fields below.' })
  orgNumber?: string | null;
  @Field(() => String, { nullable: true }) vatNumber?: string | null;
  @Field(() => String, { nullable: true, description: 'Four characters.' }) merchantCategoryCode?: string | null;
  @Field(() => String, { nullable: true }) merchantCity?: string | null;
  @Field(() => String, { nullable: true, description: 'External-source prefix.' }) prefix?: string | null;
}
