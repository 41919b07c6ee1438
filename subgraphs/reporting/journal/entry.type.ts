// The graph's view of what moved money: the entries of the journal over all merchants.
import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { ConnectionFields } from '../../shared/graph/page.type';
import type { PaymentTypeWord } from '../../shared/vocabulary/payment-type';
import { PaymentTypes } from '../../shared/vocabulary/payment-type.type';
import { EntryActions } from '../payouts/payout.type';
import { entryOrders } from './entry-query';
import type { EntryAction } from './journal';

export const EntryOrders = graphEnum(entryOrders, {
  name: 'LedgerEntryOrder',
  description: 'What comes first in a list of ledger entries.',
  values: {
    NEWEST: 'What happened last.',
    LARGEST: 'The largest amount, whatever its currency.',
  },
});

@ObjectType('LedgerEntry', { simpleResolvers: true, description: 'What moved money of a merchant, as it was booked.' })
export class LedgerEntryType {
  @Field(() => ID, { description: 'Id of the event that was booked.' }) entryId!: string;
  @Field(() => EntryActions, { description: "What moved the merchant's money." }) action!: EntryAction;
  @Field(() => ID, {
    description:
      'Of a charge or refund its operationId, of a payout its payoutId, of what staff booked its ledgerEntryId.',
  })
  actionId!: string;
  @Field(() => Date, { description: 'When it happened, UTC.' }) occurredAt!: Date;
  @Field(() => GraphQLLocalDate, { description: 'The UTC day on which it counts.' }) day!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The way it was paid, for example VISA; null for what is no payment.',
  })
  paymentMethod!: string | null;
  @Field(() => PaymentTypes, { nullable: true, description: 'What kind of payment it was; null for what is none.' })
  paymentType!: PaymentTypeWord | null;
  @Field(() => String, { nullable: true, description: "Usually the order's number." }) reference!: string | null;
  @Field(() => String, { nullable: true, description: "The payment service's reconciliationReference." })
  myReference?: string;
  @Field(() => String, { nullable: true, description: "The order's invoiceid." }) invoiceNumber?: string;
}

@ObjectType('LedgerEntryEdge', { simpleResolvers: true, description: 'One ledger entry in a list, with its cursor.' })
export class LedgerEntryEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => LedgerEntryType, { description: 'The item itself, at this place of the list.' }) node!: LedgerEntryType;
}

@ObjectType('LedgerEntryConnection', { simpleResolvers: true, description: 'One page of ledger entries.' })
export class LedgerEntryConnectionType extends ConnectionFields {
  @Field(() => [LedgerEntryEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: LedgerEntryEdgeType[];
}

@InputType('LedgerEntryFilter', { description: 'Which ledger entries are wanted; everything given must hold.' })
export class LedgerEntryFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Those of any of these merchants; 20 at most.' })
  merchantIds?: string[] | null;
  @Field(() => [EntryActions], { nullable: true, description: 'Any of these.' }) actions?: EntryAction[] | null;
  @Field(() => [String], { nullable: true, description: 'In any of these currencies; 20 at most.' })
  currencies?: string[] | null;
  @Field(() => Date, { nullable: true, description: 'What happened then or later, UTC.' }) from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'What happened then or before, UTC.' }) to?: Date | null;
  @Field(() => String, { nullable: true, description: 'Of that amount or more, in minor units.' })
  minAmount?: string | null;
  @Field(() => String, { nullable: true, description: 'Of that amount or less, in minor units.' })
  maxAmount?: string | null;
}
