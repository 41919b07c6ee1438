// Our payment pages in the graph: what they draw and what a payer does there; the session id is the payer's capability (document 2, hosted payment page).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { RequestContext } from '../shared/context';
import {
  CardEntryType,
  CardFieldEntryType,
  CardInput,
  CheckoutPageType,
  CheckoutStateType,
} from './checkout-page.type';
import type { CheckoutSession } from './checkout-session';
import type { CheckoutDeps } from './checkout-session.service';
import type { CheckoutPage } from './checkout-view';
import { checkoutPageOf, readPage } from './checkout-view.service';
import { cancel, finalize } from './finalize.service';
import {
  chooseMethod,
  confirm,
  enterCard,
  enterField,
  type FieldEntry,
  openPage,
  reportDeviceCheck,
} from './flow.service';
import { completeReturn } from './session-return.service';

@Resolver(() => CheckoutPageType)
export class CheckoutPageResolver {
  constructor(private readonly deps: CheckoutDeps) {}

  @Allow('pages')
  @Query(() => CheckoutPageType, { nullable: true })
  checkoutPage(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutPage | null> {
    return readPage(this.deps, context, id);
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The payer has arrived.' })
  openCheckoutPage(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutPage> {
    return this.page(context, openPage(this.deps, context, id));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType)
  chooseCheckoutMethod(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID) id: string,
    @Arg('method', () => String) method: string,
  ): Promise<CheckoutPage> {
    return this.page(context, chooseMethod(this.deps, context, id, method));
  }

  @Allow('pages')
  @Mutation(() => CardFieldEntryType, { description: 'One frame.' })
  enterCardField(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID) id: string,
    @Arg('fieldId', () => ID) fieldId: string,
    @Arg('value', () => String) value: string,
  ): Promise<FieldEntry> {
    return enterField(this.deps, context, id, { fieldId, value });
  }

  @Allow('pages')
  @Mutation(() => CardEntryType, { description: 'The whole form; nothing is kept when a part is refused.' })
  async enterCard(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID) id: string,
    @Arg('card', () => CardInput) card: CardInput,
  ): Promise<CardEntryType> {
    const { session, errors } = await enterCard(this.deps, context, id, card);
    return { state: session.state, errors };
  }

  @Allow('pages')
  @Mutation(() => CheckoutStateType, { description: 'What came of the device check.' })
  passDeviceCheck(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID) id: string,
    @Arg('passed', () => Boolean) passed: boolean,
  ): Promise<CheckoutSession> {
    return reportDeviceCheck(this.deps, context, id, passed);
  }

  @Allow('pages')
  @Mutation(() => CheckoutStateType, { description: "Flow version 3: the shop's own button." })
  confirmCheckout(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutSession> {
    return confirm(this.deps, context, id);
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The pay button; repeated, it answers the same again.' })
  payCheckout(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutPage> {
    return this.page(context, finalize(this.deps, context, id));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: "The payer's cancel." })
  abandonCheckout(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutPage> {
    return this.page(context, cancel(this.deps, context, id, 'PAYER'));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The browser is back from a challenge or a method.' })
  returnToCheckout(@Ctx() context: RequestContext, @Arg('sessionId', () => ID) id: string): Promise<CheckoutPage> {
    return this.page(context, completeReturn(this.deps, context, id));
  }

  private async page(context: RequestContext, session: Promise<CheckoutSession>): Promise<CheckoutPage> {
    return checkoutPageOf(this.deps, context, await session);
  }
}
