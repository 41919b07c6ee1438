// Balances in the graph, and what staff books by hand (reporting interface, Balance item; sandbox control).
import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { moneyOf } from '../../shared/graph/money.type';
import { ProposedType } from '../../shared/graph/proposal.type';
import type { Balance } from '../journal/balance';
import { EntryActions, PayoutMerchant } from '../payouts/payout.type';
import type { LedgerAction } from '../reporting.events';
import { type BalanceReads, balancesOfMerchant, isDayReconciled, type MerchantBalance } from './balance.service';
import {
  BalanceMoneyType,
  BalanceType,
  LedgerEntryInput,
  PayoutAccountInputType,
  SandboxLedgerEntryType,
} from './balance.type';
import {
  bookLedgerEntry,
  type LedgerDeps,
  type LedgerEntry,
  proposeLedgerEntry,
  proposePayoutAccount,
} from './ledger.service';

@Resolver(() => BalanceType)
export class BalanceResolver {
  constructor(private readonly reads: BalanceReads) {}

  @Allow('ledger:read')
  @Query(() => [BalanceType], { description: 'By currency and day, at most 366 days; without days, the last 31.' })
  balances(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'The merchant whose balances are wanted.' }) merchantId: string,
    @Arg('from', () => String, {
      nullable: true,
      description: 'The first UTC day, as YYYY-MM-DD, inclusive; absent: 31 days in all.',
    })
    from?: string | null,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The last UTC day, as YYYY-MM-DD, inclusive; absent: today.',
    })
    to?: string | null,
  ): Promise<MerchantBalance[]> {
    return balancesOfMerchant(this.reads, context, merchantId, { from, to });
  }

  @FieldResolver(() => String, { description: 'What was added to the balance on that day, in minor units.' })
  credits(@Root() { creditsMinor }: Balance): string {
    return creditsMinor.toString();
  }

  @FieldResolver(() => String, { description: 'What was taken from the balance on that day, in minor units.' })
  debits(@Root() { debitsMinor }: Balance): string {
    return debitsMinor.toString();
  }

  @FieldResolver(() => String, { description: 'Minor units: what the day before closed with.' })
  opening(@Root() { openingMinor }: Balance): string {
    return openingMinor.toString();
  }

  @FieldResolver(() => String, { description: 'Minor units: opening plus credits less debits.' })
  closing(@Root() { closingMinor }: Balance): string {
    return closingMinor.toString();
  }

  @FieldResolver(() => BalanceMoneyType, { description: 'Its amounts with their currency, and as people read them.' })
  money(@Root() { currency, creditsMinor, debitsMinor, openingMinor, closingMinor }: Balance): BalanceMoneyType {
    return {
      credits: moneyOf(creditsMinor, currency),
      debits: moneyOf(debitsMinor, currency),
      opening: moneyOf(openingMinor, currency),
      closing: moneyOf(closingMinor, currency),
    };
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description: "The day's credits and debits are those of its entries, added up again; null for an account's total.",
  })
  reconciled(@Ctx() context: RequestContext, @Root() balance: MerchantBalance): Promise<boolean> | null {
    return balance.merchantId ? isDayReconciled(this.reads, context, balance) : null;
  }
}

@Resolver(() => PayoutMerchant)
export class MerchantBalancesResolver {
  constructor(private readonly reads: BalanceReads) {}

  @Allow('ledger:read')
  @FieldResolver(() => [BalanceType], {
    nullable: true,
    description: 'By currency and day, at most 366 days; without days, the last 31.',
  })
  balances(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: PayoutMerchant,
    @Arg('from', () => String, {
      nullable: true,
      description: 'The first UTC day, as YYYY-MM-DD, inclusive; absent: 31 days in all.',
    })
    from?: string | null,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The last UTC day, as YYYY-MM-DD, inclusive; absent: today.',
    })
    to?: string | null,
  ): Promise<MerchantBalance[]> {
    return balancesOfMerchant(this.reads, context, merchantId, { from, to });
  }
}

@Resolver(() => SandboxLedgerEntryType)
export class LedgerResolver {
  constructor(
    private readonly deps: LedgerDeps,
    private readonly merchantOfTenant: (context: RequestContext, tenant: string) => Promise<string>,
  ) {}

  @AllowFresh('ledger:book')
  @Mutation(() => ProposedType, { description: 'Money that the merchant paid in; a second person confirms it.' })
  bookDeposit(
    @Ctx() context: RequestContext,
    @Arg('input', () => LedgerEntryInput, { description: 'Everything that the call is about, in one object.' })
    input: LedgerEntryInput,
  ): Promise<ProposedType> {
    return this.proposed(context, 'DEPOSIT', input);
  }

  @AllowFresh('ledger:book')
  @Mutation(() => ProposedType, { description: "Money that a payer's bank took back; a second person confirms it." })
  bookChargeback(
    @Ctx() context: RequestContext,
    @Arg('input', () => LedgerEntryInput, { description: 'Everything that the call is about, in one object.' })
    input: LedgerEntryInput,
  ): Promise<ProposedType> {
    return this.proposed(context, 'CHARGEBACK', input);
  }

  @AllowFresh('ledger:book')
  @Mutation(() => ProposedType, {
    description: 'A correction, negative to take money away; a second person confirms it.',
  })
  bookAdjustment(
    @Ctx() context: RequestContext,
    @Arg('input', () => LedgerEntryInput, { description: 'Everything that the call is about, in one object.' })
    input: LedgerEntryInput,
  ): Promise<ProposedType> {
    return this.proposed(context, 'ADJUSTMENT', input);
  }

  @AllowFresh('payout-account:write')
  @Mutation(() => ProposedType, {
    description: 'Where payouts go that are closed after a second person has confirmed it.',
  })
  async setPayoutAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => PayoutAccountInputType, { description: 'Everything that the call is about, in one object.' })
    input: PayoutAccountInputType,
  ): Promise<ProposedType> {
    return { proposal: await proposePayoutAccount(this.deps, context, input) };
  }

  @Allow('sandbox:control')
  @Mutation(() => SandboxLedgerEntryType, { description: "Books to the tenant's own merchant; in the sandbox only." })
  async bookSandboxEntry(
    @Ctx() context: RequestContext,
    @Arg('tenant', () => ID, { description: 'The merchant whose books are changed.' }) tenant: string,
    @Arg('action', () => EntryActions, { description: 'What is to have moved the money.' }) action: LedgerAction,
    @Arg('amount', () => String, { description: 'How much is booked, in minor units.' }) amount: string,
    @Arg('currency', () => String, { description: 'The currency of the booking, three letters of ISO 4217.' })
    currency: string,
  ): Promise<LedgerEntry> {
    const merchantId = await this.merchantOfTenant(context, tenant);
    const input = { action, merchantId, amount, currency, reason: 'sandbox' };
    return this.deps.idempotent<LedgerEntry>(context, 'bookSandboxEntry', (complete) =>
      bookLedgerEntry(this.deps, context, input, (entry) => ({ updates: complete(entry) })),
    );
  }

  private async proposed(
    context: RequestContext,
    action: LedgerAction,
    { merchantId, amount, currency, reason, paymentId, reference }: LedgerEntryInput,
  ): Promise<ProposedType> {
    const input = { action, merchantId, amount, currency, reason, paymentId, reference };
    return { proposal: await proposeLedgerEntry(this.deps, context, input) };
  }

  @FieldResolver(() => String, { description: 'How much was moved, in minor units.' })
  amount(@Root() { amountMinor }: LedgerEntry): string {
    return amountMinor.toString();
  }
}
