// Payouts in the graph, with their merchant, sums and actions, and settlement by staff (reporting interface, Payout).
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { MoneyType, moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection } from '../../shared/lists/page';
import { maskedIban } from '../../shared/masked-iban';
import { entryFeeOf, type JournalEntry } from '../journal/journal';
import type { Payout } from './payout';
import { payoutLoader } from './payout.reference';
import {
  PaymentActionConnectionType,
  PaymentActionMoneyType,
  PaymentActionType,
  PayoutConnectionType,
  PayoutMerchant,
  PayoutOperation,
  PayoutPayment,
  PayoutSumsMoneyType,
  PayoutSumsType,
  PayoutType,
  SettlementType,
} from './payout.type';
import { type PayoutLineReads, paidActionLoader } from './payout-line.service';
import { ListedPayoutsArgs, PayoutsOfOneArgs } from './payout-list.type';
import { actionsOf, isReconciled, type PayoutReads, payoutsOf, payoutsOfMerchant } from './payout-query.service';
import type { ClosedDay } from './settlement.service';

@Resolver(() => PayoutType)
export class PayoutResolver {
  constructor(
    private readonly reads: PayoutReads,
    private readonly settle: (context: RequestContext, date: string, reason: string | null) => Promise<ClosedDay>,
  ) {}

  @Allow('ledger:read')
  @Query(() => PayoutType, {
    nullable: true,
    description: 'One payout; null when it does not exist or the caller may not see it.',
  })
  payout(
    @Ctx() context: RequestContext,
    @Arg('payoutId', () => ID, { description: 'Id of the payout that is wanted.' }) id: string,
  ): Promise<Payout | null> {
    return payoutLoader(context, this.reads).load(id);
  }

  @Allow('ledger:read')
  @Query(() => PayoutConnectionType, {
    description:
      'Newest first; days as YYYY-MM-DD, both inclusive. By `reconciled` each is added up again, for four seconds, and then the list is refused as unavailable.',
  })
  payouts(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { nullable: true, description: 'Payouts of this merchant only; absent: of all.' })
    merchantId: string | null | undefined,
    @Arg('from', () => String, {
      nullable: true,
      description: 'The first UTC day that was closed, as YYYY-MM-DD, inclusive; absent: no start.',
    })
    from: string | null | undefined,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The last UTC day that was closed, as YYYY-MM-DD, inclusive; absent: no end.',
    })
    to: string | null | undefined,
    @Arg('reconciled', () => Boolean, {
      nullable: true,
      description: 'Only those that add up (`Payout.reconciled`), or only those that do not; absent: all.',
    })
    reconciled: boolean | null | undefined,
    @Args(() => ListedPayoutsArgs) asked: ListedPayoutsArgs,
  ): Promise<Connection<Payout>> {
    return payoutsOf(this.reads, context, { merchantId, from, to, reconciled, ...asked });
  }

  @AllowFresh('ledger:settle', 'sandbox:control')
  @Mutation(() => SettlementType, {
    description: 'Closes that UTC day and the earlier open ones; again, it pays only what came since.',
  })
  settleDay(
    @Ctx() context: RequestContext,
    @Arg('date', () => String, { description: 'The UTC day to close, as YYYY-MM-DD.' }) date: string,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<ClosedDay> {
    return this.settle(context, date, reasonOfAct(context, reason));
  }

  @FieldResolver(() => PayoutMerchant, { description: 'The merchant that it belongs to.' })
  merchant(@Root() { merchantId }: Payout): PayoutMerchant {
    return { merchantId };
  }

  @FieldResolver(() => String, { description: 'What was paid, in minor units.' })
  amount(@Root() { amountMinor }: Payout): string {
    return amountMinor.toString();
  }

  @FieldResolver(() => MoneyType, { description: 'The same with its currency, and as people read it.' })
  money(@Root() { amountMinor, currency }: Payout): MoneyType {
    return moneyOf(amountMinor, currency);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'First four, stars, last four of `iban`: no look is recorded of this. Null when none was set.',
  })
  ibanMasked(@Root() { iban }: Payout): string | null {
    return iban && maskedIban(iban);
  }

  @FieldResolver(() => PayoutSumsType, { description: 'What the amount is made of.' })
  sums(@Root() payout: Payout): PayoutSumsType {
    return {
      charged: payout.chargedMinor.toString(),
      refunded: payout.refundedMinor.toString(),
      deposited: payout.depositedMinor.toString(),
      fees: payout.feesMinor.toString(),
      chargebacks: payout.chargebacksMinor.toString(),
      adjustments: payout.adjustmentsMinor.toString(),
      money: sumsMoneyOf(payout),
      chargeCount: payout.chargeCount,
      refundCount: payout.refundCount,
      depositCount: payout.depositCount,
      actionCount: payout.actionCount,
    };
  }

  @FieldResolver(() => Boolean, { description: 'Its sums, added up again from the journal, make its amount.' })
  reconciled(@Root() payout: Payout): Promise<boolean> {
    return isReconciled(this.reads, payout);
  }

  @FieldResolver(() => PaymentActionConnectionType, { description: 'In the order in which they were booked.' })
  actions(@Root() payout: Payout, @Args(() => PageArgs) asked: PageArgs): Promise<Connection<JournalEntry>> {
    return actionsOf(this.reads, payout, asked);
  }
}

function sumsMoneyOf(payout: Payout): PayoutSumsMoneyType {
  const { currency } = payout;
  return {
    charged: moneyOf(payout.chargedMinor, currency),
    refunded: moneyOf(payout.refundedMinor, currency),
    deposited: moneyOf(payout.depositedMinor, currency),
    fees: moneyOf(payout.feesMinor, currency),
    chargebacks: moneyOf(payout.chargebacksMinor, currency),
    adjustments: moneyOf(payout.adjustmentsMinor, currency),
  };
}

@Resolver(() => PaymentActionType)
export class PaymentActionResolver {
  @FieldResolver(() => String, { description: 'Minor units; negative only for an adjustment.' })
  amount(@Root() { amountMinor }: JournalEntry): string {
    return amountMinor.toString();
  }

  @FieldResolver(() => String, { description: 'Minor units; the flexible and the fixed one together.' })
  fee(@Root() entry: JournalEntry): string {
    return entryFeeOf(entry).toString();
  }

  @FieldResolver(() => String, { description: 'Minor units: shares of the amount.' })
  flexibleFee(@Root() { flexibleFeeMinor }: JournalEntry): string {
    return flexibleFeeMinor.toString();
  }

  @FieldResolver(() => String, { description: 'Minor units: per action.' })
  fixedFee(@Root() { fixedFeeMinor }: JournalEntry): string {
    return fixedFeeMinor.toString();
  }

  @FieldResolver(() => PaymentActionMoneyType, {
    description: 'The same with their currency, and as people read them.',
  })
  money(@Root() entry: JournalEntry): PaymentActionMoneyType {
    const { amountMinor, flexibleFeeMinor, fixedFeeMinor, currency } = entry;
    return {
      amount: moneyOf(amountMinor, currency),
      fee: moneyOf(entryFeeOf(entry), currency),
      flexibleFee: moneyOf(flexibleFeeMinor, currency),
      fixedFee: moneyOf(fixedFeeMinor, currency),
    };
  }

  @Allow('payments:read')
  @FieldResolver(() => PayoutPayment, {
    nullable: true,
    description: 'The payment that it belongs to; null when the caller may not see it or there is none.',
  })
  payment(@Root() { paymentId }: JournalEntry): PayoutPayment | null {
    return paymentId === null ? null : { paymentId };
  }

  @Allow('payments:read')
  @FieldResolver(() => PayoutOperation, {
    nullable: true,
    description: 'The operation that it is about; null when there is none or the caller may not see it.',
  })
  operation(@Root() { action, actionId }: JournalEntry): PayoutOperation | null {
    return action === 'CHARGE' || action === 'REFUND' ? { operationId: actionId } : null;
  }
}

@Resolver(() => PayoutMerchant)
export class MerchantPayoutsResolver {
  constructor(private readonly reads: PayoutReads) {}

  @Allow('ledger:read')
  @FieldResolver(() => PayoutConnectionType, {
    nullable: true,
    description: 'Newest first; days as YYYY-MM-DD, both inclusive.',
  })
  payouts(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: PayoutMerchant,
    @Arg('from', () => String, {
      nullable: true,
      description: 'The first UTC day that was closed, as YYYY-MM-DD, inclusive; absent: no start.',
    })
    from: string | null | undefined,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The last UTC day that was closed, as YYYY-MM-DD, inclusive; absent: no end.',
    })
    to: string | null | undefined,
    @Args(() => PayoutsOfOneArgs) asked: PayoutsOfOneArgs,
  ): Promise<Connection<Payout>> {
    return payoutsOfMerchant(this.reads, context, merchantId, { from, to, ...asked });
  }
}

@Resolver(() => PayoutOperation)
export class OperationPayoutResolver {
  constructor(private readonly reads: PayoutLineReads) {}

  @Allow('ledger:read')
  @FieldResolver(() => PayoutType, { nullable: true, description: 'The payout that paid it, or took it back.' })
  async payout(@Ctx() context: RequestContext, @Root() { operationId }: PayoutOperation): Promise<Payout | null> {
    return (await paidActionLoader(this.reads, context).load(operationId))?.payout ?? null;
  }
}
