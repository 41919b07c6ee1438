// Checkout sessions in the graph, for people: one line per field (hosted checkout, build and hpp).
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection } from '../../shared/lists/page';
import type { Operation } from '../operations/operation';
import { operationLoader, type PaymentReads, paymentLoader } from '../operations/operation.reference';
import { OperationObjectType } from '../operations/operation.type';
import { PaymentMerchant } from '../payment/merchant-stub.type';
import type { Payment } from '../payment/payment';
import { PaymentType } from '../payment/payment.type';
import type { SessionFacts, SessionFilter, SessionQueryRepository } from './session-query.repository';
import { sessionsOf, sessionsOfParent } from './session-query.service';
import { CheckoutSessionConnectionType, CheckoutSessionFilterInput, CheckoutSessionType } from './session-query.type';

@Resolver(() => CheckoutSessionType)
class SessionQueryResolver {
  constructor(
    private readonly sessions: SessionQueryRepository,
    private readonly reads: PaymentReads,
  ) {}

  @Allow('payments:read')
  @Query(() => CheckoutSessionConnectionType, {
    description:
      'The visits that the caller may see, newest first. Without a merchantId, a filter that no index serves is followed for four seconds and then refused as unavailable.',
  })
  checkoutSessions(
    @Ctx() context: RequestContext,
    @Arg('filter', () => CheckoutSessionFilterInput, {
      nullable: true,
      description: 'Which visits are wanted; absent: all.',
    })
    filter: SessionFilter | null | undefined,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<SessionFacts>> {
    return sessionsOf(this.sessions, context, { filter, ...paging });
  }

  @FieldResolver(() => String, { nullable: true, description: 'Minor units; null while nobody has said how much.' })
  amount(@Root() { amountMinor }: SessionFacts): string | null {
    return amountMinor?.toString() ?? null;
  }

  @FieldResolver(() => PaymentType, {
    nullable: true,
    description: 'The payment that the visit is to pay; null when the caller may not see it.',
  })
  payment(@Ctx() context: RequestContext, @Root() { paymentId }: SessionFacts): Promise<Payment | null> {
    return paymentLoader(context, this.reads).load(paymentId);
  }

  @FieldResolver(() => OperationObjectType, { nullable: true, description: 'What ended it.' })
  operation(@Ctx() context: RequestContext, @Root() { operationId }: SessionFacts): Promise<Operation | null> {
    return operationId ? operationLoader(context, this.reads).load(operationId) : Promise.resolve(null);
  }
}

@Resolver(() => PaymentMerchant)
class MerchantSessionsResolver {
  constructor(private readonly sessions: SessionQueryRepository) {}

  @Allow('payments:read')
  @FieldResolver(() => CheckoutSessionConnectionType, {
    nullable: true,
    description: 'Visits of payers to the merchant, newest first.',
  })
  checkoutSessions(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: PaymentMerchant,
    @Arg('filter', () => CheckoutSessionFilterInput, {
      nullable: true,
      description: 'Which visits are wanted; absent: all.',
    })
    filter: SessionFilter | null | undefined,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<SessionFacts>> {
    const parent = { field: 'merchantId', id: merchantId } as const;
    return sessionsOfParent(this.sessions, context, parent, { filter, ...paging });
  }
}

@Resolver(() => PaymentType)
class PaymentSessionsResolver {
  constructor(private readonly sessions: SessionQueryRepository) {}

  @FieldResolver(() => CheckoutSessionConnectionType, { description: 'Visits of its payer, newest first.' })
  checkoutSessions(
    @Ctx() context: RequestContext,
    @Root() { paymentId }: Payment,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<SessionFacts>> {
    return sessionsOfParent(this.sessions, context, { field: 'paymentId', id: paymentId }, paging);
  }
}

/** All that shows sessions. */
export function sessionQueryResolvers(sessions: SessionQueryRepository, reads: PaymentReads): object[] {
  return [
    new SessionQueryResolver(sessions, reads),
    new MerchantSessionsResolver(sessions),
    new PaymentSessionsResolver(sessions),
  ];
}
