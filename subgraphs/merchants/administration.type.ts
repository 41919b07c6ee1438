// What administration says of a merchant, in the graph: enumerations where the merchant administration has inverted flags.
import { Field, ID, InputType } from 'type-graphql';
import type { Invoicing, MerchantStatus } from './merchant';
import { Invoicings, MerchantStatuses } from './merchant.type';

@InputType('AdministeredMerchantInput', { description: 'A merchant as the administration interface sends it, whole.' })
export class AdministeredMerchantInput {
  @Field(() => ID, { description: 'Id of the merchant, chosen by its account and unique in it.' })
  merchantId!: string;
  @Field(() => String, { description: "The merchant's name, as payers and staff see it." }) name!: string;
  @Field(() => MerchantStatuses, { description: 'Whether the merchant may take payments.' }) status!: MerchantStatus;
  @Field(() => Invoicings, {
    defaultValue: 'ENABLED',
    description: 'Whether the merchant is sent invoices; ENABLED when absent.',
  })
  invoicing!: Invoicing;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The organization number in the register of its country; null when unknown.',
  })
  orgNumber?: string | null;
  @Field(() => String, { nullable: true, description: 'The number for value-added tax; null when there is none.' })
  vatNumber?: string | null;
  @Field(() => String, { nullable: true, description: 'The category of its trade, the four digits of ISO 18245.' })
  merchantCategoryCode?: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The city that stands on the payer's bank statement; null when unknown.",
  })
  merchantCity?: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The prefix that external sources put before the merchant's references; null when there is none.",
  })
  prefix?: string | null;
  @Field(() => String, { description: 'Who the caller says it is.' }) createdBy!: string;
  @Field(() => String, { description: 'Who the caller says it is.' }) updatedBy!: string;
}

@InputType('UpdateMerchantInput', { description: 'What is to change about a merchant; what is absent stays as it is.' })
export class UpdateMerchantInput {
  @Field(() => String, { nullable: true, description: "The merchant's name, as payers and staff see it." })
  name?: string;
  @Field(() => MerchantStatuses, { nullable: true, description: 'Whether it may take payments.' })
  status?: MerchantStatus;
  @Field(() => Invoicings, { nullable: true, description: 'Whether the merchant is sent invoices.' })
  invoicing?: Invoicing;
  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country?: string | null;
  @Field(() => String, { nullable: true, description: 'null takes it away, here and in the fields below.' })
  orgNumber?: string | null;
  @Field(() => String, { nullable: true, description: 'The number for value-added tax; null takes it away.' })
  vatNumber?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The category of its trade, the four digits of ISO 18245; null takes it away.',
  })
  merchantCategoryCode?: string | null;
  @Field(() => String, { nullable: true, description: "The city on the payer's bank statement; null takes it away." })
  merchantCity?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The prefix that external sources put before its references; null takes it away.',
  })
  prefix?: string | null;
}
