// The graph's view of balances and of what staff books; amounts are strings of minor units (reporting interface, Balance item).
import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MoneyType } from '../../shared/graph/money.type';
import { EntryActions } from '../payouts/payout.type';
import type { LedgerAction } from '../reporting.events';

@ObjectType('Balance', { simpleResolvers: true, description: 'What one UTC day did to the balance in one currency.' })
export class BalanceType {
  @Field(() => GraphQLLocalDate, { description: 'The UTC day that it is about.' }) day!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
  @Field(() => Int, { description: 'How many bookings added to the balance on that day.' }) creditsCount!: number;
  @Field(() => Int, { description: 'How many bookings took from the balance on that day.' }) debitsCount!: number;
}

@ObjectType('BalanceMoney', { simpleResolvers: true, description: 'The amounts of a day with their currency.' })
export class BalanceMoneyType {
  @Field(() => MoneyType, { description: 'What was added to the balance on that day.' }) credits!: MoneyType;
  @Field(() => MoneyType, { description: 'What was taken from the balance on that day.' }) debits!: MoneyType;
  @Field(() => MoneyType, { description: 'What the day before closed with.' }) opening!: MoneyType;
  @Field(() => MoneyType, { description: 'What was owed at its end; negative when the merchant owed it.' })
  closing!: MoneyType;
}

@ObjectType('SandboxLedgerEntry', { simpleResolvers: true, description: 'Something that was booked in the sandbox.' })
export class SandboxLedgerEntryType {
  @Field(() => ID, { description: 'Id of the booking.' }) ledgerEntryId!: string;
  @Field(() => EntryActions, { description: 'What moved the money.' }) action!: LedgerAction;
  @Field(() => ID, { description: 'The merchant whose balance it changed.' }) merchantId!: string;
  @Field(() => String, { description: 'The currency, three letters of ISO 4217, for example EUR.' })
  currency!: string;
}

@InputType('LedgerEntryInput', { description: 'A booking that staff make by hand.' })
export class LedgerEntryInput {
  @Field(() => ID, { description: 'The merchant whose balance is to change.' }) merchantId!: string;
  @Field(() => String, { description: 'Minor units; negative only for an adjustment.' }) amount!: string;
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => String, { description: 'Why, in words, 500 characters at most; kept in the audit.' }) reason!: string;
  @Field(() => ID, { nullable: true, description: 'The payment that it is about.' }) paymentId?: string | null;
  @Field(() => String, { nullable: true, description: 'Printed with the action.' }) reference?: string | null;
}

@InputType('PayoutAccountInput', { description: 'The bank account that a merchant is paid out to from now on.' })
export class PayoutAccountInputType {
  @Field(() => ID, { description: 'The merchant that is paid out.' }) merchantId!: string;
  @Field(() => String, { description: 'The international account number (IBAN).' }) iban!: string;
  @Field(() => String, { description: 'The code of the bank (BIC).' }) bic!: string;
  @Field(() => String, { description: 'Why, in words, 500 characters at most; kept in the audit.' }) reason!: string;
}
