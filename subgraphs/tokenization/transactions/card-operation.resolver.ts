// The three inbound operations of the tokenization interface as mutations; each is one REST route.
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { updateTokenState } from '../tokens/token-state.service';
import type { VirtualAccount } from '../tokens/virtual-account';
import { type CreatedVirtualAccount, createVirtualAccount } from '../tokens/virtual-account.service';
import {
  CreateVirtualAccountInput,
  CreateVirtualAccountResultType,
  UpdateTokenStateInput,
  VirtualAccountType,
} from '../tokens/virtual-account.type';
import { type CardTransactionDeps, type CreatedTransaction, createTransaction } from './card-transaction.service';
import { CreateTransactionInput, CreateTransactionResultType } from './card-transaction.type';

@Resolver()
export class CardOperationResolver {
  constructor(private readonly deps: CardTransactionDeps) {}

  @Allow('mts:token')
  @Mutation(() => CreateVirtualAccountResultType, { description: 'Tokenizes a card for a merchant.' })
  createVirtualAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateVirtualAccountInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateVirtualAccountInput,
  ): Promise<CreatedVirtualAccount> {
    return createVirtualAccount(this.deps, context, input);
  }

  @Allow('mts:transaction')
  @Mutation(() => CreateTransactionResultType, { description: 'Prepares a transaction with a tokenized card.' })
  createTransaction(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTransactionInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateTransactionInput,
  ): Promise<CreatedTransaction> {
    return createTransaction(this.deps, context, input);
  }

  @Allow('mts:lifecycle')
  @Mutation(() => VirtualAccountType, { description: 'Ends a tokenized card.' })
  updateTokenState(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateTokenStateInput, { description: 'Everything that the call is about, in one object.' })
    input: UpdateTokenStateInput,
  ): Promise<VirtualAccount> {
    return updateTokenState(this.deps, context, input);
  }
}
