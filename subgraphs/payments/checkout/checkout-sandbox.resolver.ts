// The sandbox's part of a checkout in the graph: the simulated issuer, the simulated method, the levers; production answers null and `notFound` (docs/sandbox.md, sections 5, 6 and 9).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import type { MethodVisit } from '../connectors/alternative-method';
import type { Challenge } from '../connectors/three-ds';
import { fillCard, fillPaymentCard, leverOutcomes, settleChallenge } from '../sandbox/checkout-levers.service';
import type { CheckoutSession } from '../sessions/checkout-session';
import type { CheckoutDeps } from '../sessions/checkout-session.service';
import { completeWhenTold } from '../sessions/session-return.service';
import {
  AlternativeMethodVisitType,
  CardInput,
  CheckoutStateType,
  PaymentStateAnswerType,
  ThreeDsChallengeType,
} from './checkout-page.type';

/** What the simulated issuer's page hints at. */
const codeHint = '123456';

@Resolver(() => ThreeDsChallengeType)
export class CheckoutSandboxResolver {
  constructor(private readonly deps: CheckoutDeps) {}

  @Allow('pages')
  @Query(() => ThreeDsChallengeType, {
    nullable: true,
    description: 'Sandbox only: the question of the simulated issuer; null when there is none.',
  })
  async threeDsChallenge(
    @Arg('challengeId', () => ID, { description: 'Id of the question that the issuer asks.' }) id: string,
  ): Promise<ThreeDsChallengeType | null> {
    const challenge = this.deps.config.isSandbox && isUuid(id) ? await this.deps.threeDs.ask(id) : null;
    return challenge && shownChallenge(challenge);
  }

  @Allow('pages')
  @Mutation(() => ThreeDsChallengeType, { description: 'The code, or PASS, FAIL, CANCEL, TIMEOUT, RESEND.' })
  async answerChallenge(
    @Ctx() context: RequestContext,
    @Arg('challengeId', () => ID, { description: 'Id of the question that the issuer asks.' }) id: string,
    @Arg('answer', () => String, { description: 'The code that the payer typed, or a word that cancels.' })
    answer: string,
  ): Promise<ThreeDsChallengeType> {
    const challenge = this.deps.config.isSandbox && isUuid(id) ? await this.deps.threeDs.answer(id, answer) : null;
    if (!challenge) throw new DomainError('notFound', 'There is no such challenge.');
    await completeWhenTold(this.deps, context, challenge.sessionId);
    return shownChallenge(challenge);
  }

  @Allow('pages')
  @Query(() => AlternativeMethodVisitType, {
    nullable: true,
    description: "Sandbox only: the payer's visit to the simulated method; null when there is none.",
  })
  async alternativeMethodVisit(
    @Arg('visitId', () => ID, { description: 'Id of the visit to the simulated method.' }) id: string,
  ): Promise<AlternativeMethodVisitType | null> {
    const visit = this.deps.config.isSandbox && isUuid(id) ? await this.deps.money.alternativeMethods.ask(id) : null;
    return visit && shownVisit(visit);
  }

  @Allow('pages')
  @Mutation(() => AlternativeMethodVisitType, { description: 'PASS, FAIL or CANCEL.' })
  async answerAlternativeMethod(
    @Ctx() context: RequestContext,
    @Arg('visitId', () => ID, { description: 'Id of the visit to the simulated method.' }) id: string,
    @Arg('answer', () => String, { description: 'What the payer decides there, in a word of the sandbox.' })
    answer: string,
  ): Promise<AlternativeMethodVisitType> {
    const word = leverOutcomes.find((known) => known === answer);
    if (!word)
      throw new DomainError('invalidInput', `answer is not one of ${leverOutcomes.join(', ')}`, { field: 'answer' });
    const visit = isUuid(id) ? await this.deps.money.alternativeMethods.answer(id, word) : null;
    if (!visit) throw new DomainError('notFound', 'There is no such visit.');
    await completeWhenTold(this.deps, context, visit.sessionId);
    return shownVisit(visit);
  }

  @Allow('sandbox:control')
  @Mutation(() => CheckoutStateType, { description: 'Fills the card fields as the shopper would.' })
  fillCheckoutCard(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('card', () => CardInput, { description: 'The card to pay with.' }) card: CardInput,
  ): Promise<CheckoutSession> {
    this.requireSandbox();
    return fillCard(this.deps, context, id, card);
  }

  @Allow('sandbox:control')
  @Mutation(() => CheckoutStateType, { description: 'Answers the pending challenge or method: PASS, FAIL or CANCEL.' })
  settleChallenge(
    @Ctx() context: RequestContext,
    @Arg('sessionId', () => ID, { description: "Id of the payer's visit." }) id: string,
    @Arg('outcome', () => String, { description: "How the issuer's question ends, in a word of the sandbox." })
    outcome: string,
  ): Promise<CheckoutSession> {
    this.requireSandbox();
    return settleChallenge(this.deps, context, id, outcome);
  }

  @Allow('sandbox:control')
  @Mutation(() => PaymentStateAnswerType, { description: 'Does on the hosted page what the payer would.' })
  async fillPaymentCard(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('card', () => CardInput, { description: 'The card to pay with.' }) card: CardInput,
    @Arg('challenge', () => String, {
      nullable: true,
      description: "How the issuer's question ends, in a word of the sandbox; absent: it is left open.",
    })
    challenge?: string | null,
  ): Promise<PaymentStateAnswerType> {
    this.requireSandbox();
    return { state: await fillPaymentCard(this.deps, context, paymentId, { card, challenge: challenge ?? null }) };
  }

  private requireSandbox(): void {
    if (!this.deps.config.isSandbox) throw new DomainError('notFound', 'There are no levers in production.');
  }
}

function shownChallenge({ amountMinor, accountId: _owner, ...challenge }: Challenge): ThreeDsChallengeType {
  return { ...challenge, amount: String(amountMinor), codeHint };
}

function shownVisit({
  visitId,
  sessionId,
  method,
  merchantName,
  amountMinor,
  ...rest
}: MethodVisit): AlternativeMethodVisitType {
  const { currency, language, status, returnUrl } = rest;
  return {
    visitId,
    sessionId,
    method,
    merchantName,
    amount: String(amountMinor),
    currency,
    language,
    status,
    returnUrl,
  };
}
