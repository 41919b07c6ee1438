// The graph's view of balances and of what staff books; amounts are strings of minor units (document 3 C, Balance item).
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { EntryActions } from './payout.type';
import type { LedgerAction } from './reporting.events';

@ObjectType('Balance', { simpleResolvers: true, description: 'What one UTC day did to the balance in one currency.' })
export class BalanceType {
  @Field(() => String, { description: 'YYYY-MM-DD.' }) day!: string;
  @Field(() => String) currency!: string;
  @Field(() => Int) creditsCount!: number;
  @Field(() => Int) debitsCount!: number;
}

@ObjectType('LedgerEntry', { simpleResolvers: true, description: 'Something that staff booked.' })
export class LedgerEntryType {
  @Field(() => ID) ledgerEntryId!: string;
  @Field(() => EntryActions) action!: LedgerAction;
  @Field(() => ID) merchantId!: string;
  @Field(() => String) currency!: string;
}

@InputType('LedgerEntryInput')
export class LedgerEntryInput {
  @Field(() => ID) merchantId!: string;
  @Field(() => String, { description: 'Minor units; negative only for an adjustment.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => String, { description: 'For the audit.' }) reason!: string;
  @Field(() => ID, { nullable: true, description: 'The payment that it is about.' }) paymentId?: string | null;
  @Field(() => String, { nullable: true, description: 'Printed with the action.' }) reference?: string | null;
}

@InputType('PayoutAccountInput')
export class PayoutAccountInputType {
  @Field(() => ID) merchantId!: string;
  @Field(() => String) iban!: string;
  @Field(() => String) bic!: string;
  @Field(() => String, { description: 'For the audit.' }) reason!: string;
}

@ObjectType('PayoutAccountSet', { simpleResolvers: true })
export class PayoutAccountSetType {
  @Field(() => ID) merchantId!: string;
}
