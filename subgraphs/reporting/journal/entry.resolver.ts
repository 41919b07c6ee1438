// Ledger entries in the graph: charges, refunds, deposits, chargebacks, adjustments and payouts of all merchants that the caller may see.
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { MoneyType, moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection } from '../../shared/lists/page';
import type { Payout } from '../payouts/payout';
import { payoutLoader } from '../payouts/payout.reference';
import { PayoutMerchant, PayoutOperation, PayoutPayment, PayoutType } from '../payouts/payout.type';
import { type PayoutLineReads, paidActionLoader } from '../payouts/payout-line.service';
import { EntryOrders, LedgerEntryConnectionType, LedgerEntryFilterInput, LedgerEntryType } from './entry.type';
import type { EntryOrder } from './entry-query';
import type { EntryQueryRepository } from './entry-query.repository';
import { entriesOf, entryLoader } from './entry-query.service';
import { entryFeeOf, type JournalEntry } from './journal';

@Resolver(() => LedgerEntryType)
export class LedgerEntryResolver {
  constructor(private readonly reads: PayoutLineReads & { entries: EntryQueryRepository }) {}

  @Allow('ledger:read')
  @Query(() => LedgerEntryType, {
    nullable: true,
    description: 'One ledger entry; null when it does not exist or the caller may not see it.',
  })
  ledgerEntry(
    @Ctx() context: RequestContext,
    @Arg('entryId', () => ID, { description: 'Id of the entry that is wanted.' }) id: string,
  ): Promise<JournalEntry | null> {
    return entryLoader(context, this.reads.entries).load(id);
  }

  @Allow('ledger:read')
  @Query(() => LedgerEntryConnectionType, {
    description:
      'What moved money of the merchants that the caller may see, newest first. A filter that no index serves is followed for four seconds and then refused as unavailable.',
  })
  ledgerEntries(
    @Ctx() context: RequestContext,
    @Arg('filter', () => LedgerEntryFilterInput, {
      nullable: true,
      description: 'Which entries are wanted; absent: all.',
    })
    filter: LedgerEntryFilterInput | null | undefined,
    @Arg('orderBy', () => EntryOrders, { nullable: true, description: 'What comes first; absent: the newest.' })
    orderBy: EntryOrder | null | undefined,
    @Args(() => PageArgs) { first, after, last, before }: PageArgs,
  ): Promise<Connection<JournalEntry>> {
    return entriesOf(this.reads.entries, context, { filter, orderBy, first, after, last, before });
  }

  @FieldResolver(() => PayoutMerchant, { description: 'The merchant whose money it was.' })
  merchant(@Root() { merchantId }: JournalEntry): PayoutMerchant {
    return { merchantId };
  }

  @FieldResolver(() => String, { description: 'Minor units; negative only for an adjustment.' })
  amount(@Root() { amountMinor }: JournalEntry): string {
    return amountMinor.toString();
  }

  @FieldResolver(() => MoneyType, { description: 'The same with its currency, and as people read it.' })
  money(@Root() { amountMinor, currency }: JournalEntry): MoneyType {
    return moneyOf(amountMinor, currency);
  }

  @FieldResolver(() => MoneyType, { description: 'What the platform charged for it.' })
  fee(@Root() entry: JournalEntry): MoneyType {
    return moneyOf(entryFeeOf(entry), entry.currency);
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
    description: 'The operation that was booked; null for what is no charge and no refund.',
  })
  operation(@Root() { action, actionId }: JournalEntry): PayoutOperation | null {
    return action === 'CHARGE' || action === 'REFUND' ? { operationId: actionId } : null;
  }

  @FieldResolver(() => PayoutType, {
    nullable: true,
    description: 'The payout that it is, or that paid it; null while none has.',
  })
  async payout(@Ctx() context: RequestContext, @Root() { action, actionId }: JournalEntry): Promise<Payout | null> {
    if (action === 'PAYOUT') return payoutLoader(context, this.reads).load(actionId);
    return (await paidActionLoader(this.reads, context).load(actionId))?.payout ?? null;
  }
}
