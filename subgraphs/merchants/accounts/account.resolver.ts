// Accounts in the graph: staff open them and list them, each tenant reads its own.
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { PageArgs } from '../../shared/graph/page.type';
import { idAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection } from '../../shared/lists/page';
import type { Account } from '../merchant';
import { accountLoader, type MerchantReads } from '../merchant.reference';
import { AccountType } from '../merchant.type';
import { type AccountServiceDeps, createAccount } from './account.service';
import { AccountConnectionType, CreateAccountInput } from './account.type';

@Resolver(() => AccountType)
export class AccountResolver {
  constructor(
    private readonly reads: MerchantReads,
    private readonly deps: AccountServiceDeps,
  ) {}

  @Allow('merchants:read')
  @Query(() => AccountType, {
    nullable: true,
    description: 'One tenant; null when it does not exist or the caller may not see it.',
  })
  account(
    @Ctx() context: RequestContext,
    @Arg('accountId', () => ID, { description: 'Id of the tenant that is wanted.' }) accountId: string,
  ): Promise<Account | null> {
    return accountLoader(context, this.reads).load(accountId);
  }

  @Allow('merchants:read')
  @Query(() => AccountConnectionType, { description: 'The accounts that the caller may see, by accountId.' })
  async accounts(@Ctx() context: RequestContext, @Args(() => PageArgs) asked: PageArgs): Promise<Connection<Account>> {
    const slice = readSlice(asked, idAt);
    return connection(await this.reads.accounts.list(context.caller, slice), slice, ({ accountId }) => [accountId]);
  }

  @Allow('merchants:write')
  @Mutation(() => AccountType, {
    description:
      'Opens an account, which can then have merchants, agreements, clients and keys. An accountId is never given twice.',
  })
  createAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateAccountInput, { description: 'Id and name of the new account.' })
    input: CreateAccountInput,
  ): Promise<Account> {
    return createAccount(this.deps, context, { ...input });
  }
}
