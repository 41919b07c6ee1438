// What the caller's terminal can be paid with.
import { Ctx, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { ReadTerminal, TerminalMethod } from '../ports';
import { PaymentMethodOfferType } from './payment-method.type';

@Resolver(() => PaymentMethodOfferType)
export class PaymentMethodResolver {
  constructor(private readonly readTerminal: ReadTerminal) {}

  @Allow('checkout')
  @Query(() => [PaymentMethodOfferType], { description: "Of the API key's own terminal." })
  async paymentMethods(@Ctx() { caller }: RequestContext): Promise<TerminalMethod[]> {
    const terminal = await this.readTerminal(caller.environment, caller.terminalId ?? '');
    if (terminal?.status !== 'ACTIVE') throw new DomainError('terminalNotFound');
    return terminal.methods;
  }
}
