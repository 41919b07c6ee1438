// Our payment pages in the graph: what they draw and what a payer does there; the session id is the payer's capability (payment interface, hosted payment page).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import type { CheckoutSession } from '../sessions/checkout-session';
import type { CheckoutDeps } from '../sessions/checkout-session.service';
import type { CheckoutPage } from '../sessions/checkout-view';
import { checkoutPageOf, readCheckoutPage } from '../sessions/checkout-view.service';
import { completeReturn } from '../sessions/session-return.service';
import { requireVisit } from '../sessions/visit.service';
import {
  CardEntryType,
  CardFieldEntryType,
  CardInput,
  CheckoutPageType,
  CheckoutStateType,
} from './checkout-page.type';
import { cancelOnRequest, finalizeSession } from './finalize.service';
import {
  chooseMethod,
  confirm,
  enterField,
  type FieldEntry,
  openPage,
  reportDeviceCheck,
  takeCard,
} from './flow.service';

@Resolver(() => CheckoutPageType)
export class CheckoutPageResolver {
  constructor(private readonly deps: CheckoutDeps) {}

  @Allow('pages')
  @Query(() => CheckoutPageType, {
    nullable: true,
    description: 'What our payment page draws for a visit; null when there is none.',
  })
  checkoutPage(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutPage | null> {
    return readCheckoutPage(this.deps, context, id);
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The payer has arrived.' })
  openCheckoutPage(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutPage> {
    return this.page(context, openPage(this.deps, context, id));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'Says how the payer wants to pay.' })
  chooseCheckoutMethod(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('method', () => String, { description: 'CARDS, or the name of an alternative method.' }) method: string,
  ): Promise<CheckoutPage> {
    return this.page(context, chooseMethod(this.deps, context, id, method));
  }

  @Allow('pages')
  @Mutation(() => CardFieldEntryType, { description: 'Takes what the payer typed into one frame of the card form.' })
  enterCardField(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('fieldId', () => ID, { description: 'The id of the frame that it was typed into.' }) fieldId: string,
    @Arg('value', () => String, { description: 'What the payer typed.' }) value: string,
  ): Promise<FieldEntry> {
    return enterField(this.deps, context, id, { fieldId, value });
  }

  @Allow('pages')
  @Mutation(() => CardEntryType, { description: 'The whole form; nothing is kept when a part is refused.' })
  async enterCard(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('card', () => CardInput, { description: 'The card to pay with.' }) card: CardInput,
  ): Promise<CardEntryType> {
    const { session, errors } = await takeCard(this.deps, context, await requireVisit(this.deps, context, id), card);
    return { state: session.state, errors };
  }

  @Allow('pages')
  @Mutation(() => CheckoutStateType, { description: 'What came of the device check.' })
  async passDeviceCheck(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('passed', () => Boolean, { description: "Whether the browser could run the issuer's check." }) passed: boolean,
  ): Promise<CheckoutSession> {
    return reportDeviceCheck(this.deps, context, await requireVisit(this.deps, context, id), passed);
  }

  @Allow('pages')
  @Mutation(() => CheckoutStateType, { description: "Flow version 3: the shop's own button." })
  confirmCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutSession> {
    return confirm(this.deps, context, id);
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The pay button; repeated, it answers the same again.' })
  payCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutPage> {
    return this.page(context, finalizeSession(this.deps, context, id));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: "The payer's cancel." })
  abandonCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutPage> {
    return this.page(context, cancelOnRequest(this.deps, context, id, 'PAYER'));
  }

  @Allow('pages')
  @Mutation(() => CheckoutPageType, { description: 'The browser is back from a challenge or a method.' })
  returnToCheckout(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
  ): Promise<CheckoutPage> {
    return this.page(context, completeReturn(this.deps, context, id));
  }

  private async page(context: RequestContext, session: Promise<CheckoutSession>): Promise<CheckoutPage> {
    return checkoutPageOf(this.deps, context, await session);
  }
}
