// The three inbound operations of document 1 as mutations; each is one REST route.
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import { type CardTransactionDeps, type CreatedTransaction, createTransaction } from './card-transaction.service';
import { CreateTransactionInput, CreateTransactionResultType } from './card-transaction.type';
import { updateTokenState } from './token-state.service';
import type { VirtualAccount } from './virtual-account';
import { type CreatedVirtualAccount, createVirtualAccount } from './virtual-account.service';
import {
  CreateVirtualAccountInput,
  CreateVirtualAccountResultType,
  UpdateTokenStateInput,
  VirtualAccountType,
} from './virtual-account.type';

@Resolver()
export class CardOperationResolver {
  constructor(private readonly deps: CardTransactionDeps) {}

  @Allow('mts:token')
  @Mutation(() => CreateVirtualAccountResultType)
  createVirtualAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateVirtualAccountInput) input: CreateVirtualAccountInput,
  ): Promise<CreatedVirtualAccount> {
    return createVirtualAccount(this.deps, context, input);
  }

  @Allow('mts:transaction')
  @Mutation(() => CreateTransactionResultType)
  createTransaction(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTransactionInput) input: CreateTransactionInput,
  ): Promise<CreatedTransaction> {
    return createTransaction(this.deps, context, input);
  }

  @Allow('mts:lifecycle')
  @Mutation(() => VirtualAccountType)
  updateTokenState(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateTokenStateInput) input: UpdateTokenStateInput,
  ): Promise<VirtualAccount> {
    return updateTokenState(this.deps, context, input);
  }
}
