// Virtual accounts in the graph: one line per field, everything else is in the services (tokenization interface, the three inbound operations).
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { PageArgs } from '../../shared/graph/page.type';
import { childPageLoader } from '../../shared/lists/child-pages';
import { readSlice, uuidAt } from '../../shared/lists/list-order';
import { type Connection, connection } from '../../shared/lists/page';
import type { CardTransaction } from '../transactions/card-transaction';
import type { CardTransactionRepository } from '../transactions/card-transaction.repository';
import { CardTransactionConnectionType } from '../transactions/card-transaction.type';
import type { LifecycleTrigger } from './lifecycle';
import type { VirtualAccount } from './virtual-account';
import { virtualAccountLoader } from './virtual-account.reference';
import type { VirtualAccountRepository } from './virtual-account.repository';
import {
  AgreementStub,
  IssuerEvents,
  VirtualAccountConnectionType,
  VirtualAccountFilterInput,
  VirtualAccountMerchant,
  VirtualAccountType,
} from './virtual-account.type';

export interface VirtualAccountReads {
  accounts: VirtualAccountRepository;
  transactions: CardTransactionRepository;
}

@Resolver(() => VirtualAccountType)
export class VirtualAccountResolver {
  constructor(
    private readonly reads: VirtualAccountReads,
    private readonly issuerEvent: (
      context: RequestContext,
      virtualAccountId: string,
      trigger: LifecycleTrigger,
    ) => Promise<VirtualAccount>,
  ) {}

  @Allow('tokens:read', 'mts:token', 'mts:transaction', 'mts:lifecycle')
  @Query(() => VirtualAccountType, {
    nullable: true,
    description: 'One tokenized card; null when it does not exist or the caller may not see it.',
  })
  virtualAccount(
    @Ctx() context: RequestContext,
    @Arg('virtualAccountId', () => ID, { description: 'Id of the tokenized card that is wanted.' }) id: string,
  ): Promise<VirtualAccount | null> {
    return virtualAccountLoader(context, this.reads.accounts).load(id);
  }

  @Allow('tokens:read')
  @Query(() => VirtualAccountConnectionType, {
    description: 'The tokenized cards that the caller may see, newest first.',
  })
  async virtualAccounts(
    @Ctx() context: RequestContext,
    @Arg('filter', () => VirtualAccountFilterInput, {
      nullable: true,
      description: 'Which tokenized cards are wanted; absent: all.',
    })
    filter: VirtualAccountFilterInput | null | undefined,
    @Args(() => PageArgs) asked: PageArgs,
  ): Promise<Connection<VirtualAccount>> {
    const slice = readSlice(asked, uuidAt);
    const page = await this.reads.accounts.list(context.caller, filter ?? {}, slice);
    return connection(page, slice, ({ virtualAccountId }) => [virtualAccountId]);
  }

  @Allow('sandbox:control')
  @Mutation(() => VirtualAccountType, { description: 'Sandbox only: what the issuer or the network would do.' })
  applyIssuerEvent(
    @Ctx() context: RequestContext,
    @Arg('virtualAccountId', () => ID, { description: 'Id of the tokenized card that is acted on.' })
    virtualAccountId: string,
    @Arg('event', () => IssuerEvents, { description: 'What the simulated issuer does to the card.' })
    event: LifecycleTrigger,
  ): Promise<VirtualAccount> {
    return this.issuerEvent(context, virtualAccountId, event);
  }

  @FieldResolver(() => VirtualAccountMerchant, { description: 'The merchant that the card was tokenized for.' })
  merchant(@Root() { merchantId }: VirtualAccount): VirtualAccountMerchant {
    return { merchantId };
  }

  @FieldResolver(() => AgreementStub, { description: 'The agreement that it was made under.' })
  agreement(@Root() { agreementId }: VirtualAccount): AgreementStub {
    return { agreementId };
  }

  @FieldResolver(() => CardTransactionConnectionType, { description: 'Transactions made with it, newest first.' })
  async transactions(
    @Ctx() context: RequestContext,
    @Root() { virtualAccountId }: VirtualAccount,
    @Args(() => PageArgs) asked: PageArgs,
  ): Promise<Connection<CardTransaction>> {
    const slice = readSlice(asked, uuidAt);
    const loader = childPageLoader(context, 'VirtualAccount.transactions', slice, (ids) =>
      this.reads.transactions.listByAccounts(context.caller, ids, slice),
    );
    const page = await loader.load(virtualAccountId);
    return connection(page, slice, ({ cardTransactionId }) => [cardTransactionId]);
  }
}

@Resolver(() => VirtualAccountMerchant)
export class MerchantVirtualAccountsResolver {
  constructor(private readonly reads: VirtualAccountReads) {}

  @Allow('tokens:read')
  @FieldResolver(() => VirtualAccountConnectionType, {
    nullable: true,
    description: 'Cards that were tokenized for the merchant, newest first.',
  })
  async virtualAccounts(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: VirtualAccountMerchant,
    @Args(() => PageArgs) asked: PageArgs,
  ): Promise<Connection<VirtualAccount>> {
    const slice = readSlice(asked, uuidAt);
    const loader = childPageLoader(context, 'Merchant.virtualAccounts', slice, (ids) =>
      this.reads.accounts.listByMerchants(context.caller, ids, slice),
    );
    return connection(await loader.load(merchantId), slice, ({ virtualAccountId }) => [virtualAccountId]);
  }
}
