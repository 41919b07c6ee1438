// Checkout sessions in the graph, for the shop's server: one line per field (hosted checkout).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { buildCheckout, buildHostedOrder, type HostedOrder } from '../checkout/build.service';
import { cancelOnRequest, finalizeSession } from '../checkout/finalize.service';
import type { CheckoutDeps } from './checkout-session.service';
import {
  BuildCheckoutInput,
  CheckoutCardDataType,
  CheckoutResultType,
  CreateHostedOrderInput,
  FieldSetType,
  HostedOrderType,
} from './checkout-session.type';
import type { CheckoutResult, ViewedFieldSet } from './checkout-view';
import { readCardData, readResult, viewResultOf } from './checkout-view.service';

@Resolver(() => FieldSetType)
export class CheckoutSessionResolver {
  constructor(private readonly deps: CheckoutDeps) {}

  @Allow('checkout')
  @Mutation(() => FieldSetType, { description: "A new order whose card fields stand in the shop's own page." })
  buildCheckout(
    @Ctx() context: RequestContext,
    @Arg('input', () => BuildCheckoutInput, { description: 'Everything that the call is about, in one object.' })
    input: BuildCheckoutInput,
  ): Promise<ViewedFieldSet> {
    return buildCheckout(this.deps, context, input);
  }

  @Allow('checkout')
  @Mutation(() => HostedOrderType, { description: 'A new order that is paid on our hosted page.' })
  createHostedOrder(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateHostedOrderInput, { description: 'Everything that the call is about, in one object.' })
    input: CreateHostedOrderInput,
  ): Promise<HostedOrder> {
    return buildHostedOrder(this.deps, context, input);
  }

  @Allow('checkout')
  @Mutation(() => CheckoutResultType, { description: 'Pays; repeated, it answers the same again.' })
  finalizeCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) sessionId: string,
  ): Promise<CheckoutResult> {
    return this.deps.onceBegun(context, 'finalizeCheckout', async (key) =>
      viewResultOf(this.deps, context, await finalizeSession(this.deps, context, sessionId, key)),
    );
  }

  @Allow('checkout')
  @Mutation(() => CheckoutResultType, { description: 'Ends a session that was not paid.' })
  cancelCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) sessionId: string,
  ): Promise<CheckoutResult> {
    return this.deps.onceBegun(context, 'cancelCheckout', async () =>
      viewResultOf(this.deps, context, await cancelOnRequest(this.deps, context, sessionId, 'SHOP')),
    );
  }

  @Allow('checkout')
  @Query(() => CheckoutResultType, {
    nullable: true,
    description: "Where a visit stands, for the shop's server; null when there is none.",
  })
  checkoutState(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) sessionId: string,
  ): Promise<CheckoutResult | null> {
    return readResult(this.deps, context, sessionId);
  }

  @Allow('checkout')
  @Query(() => CheckoutCardDataType, { nullable: true, description: 'Readable once the card is complete.' })
  async checkoutCardData(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) sessionId: string,
  ): Promise<CheckoutCardDataType | null> {
    const card = await readCardData(this.deps, context, sessionId);
    return card && { bin: card.bin, circuit: card.circuit, expiringDate: card.expiry, lastFourDigits: card.lastFour };
  }
}
