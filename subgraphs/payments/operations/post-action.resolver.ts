// What may be done with a payment or an operation now, and why not: judged by the decisions that the mutations ask themselves.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../shared/callers/context';
import type { JudgedAction } from '../../shared/callers/judged-action';
import type { Clock } from '../../shared/clock';
import { judgeOperation, judgePayment, type PostAction } from '../money/actions';
import type { Payment } from '../payment/payment';
import { PaymentType } from '../payment/payment.type';
import type { Operation } from './operation';
import { type PaymentReads, paymentLoader } from './operation.reference';
import { OperationObjectType } from './operation.type';
import { PostActionType } from './post-action.type';

@Resolver(() => PaymentType)
export class PaymentActionsResolver {
  constructor(private readonly clock: Clock) {}

  @FieldResolver(() => [PostActionType], {
    description: 'What can be done with it as a whole, and whether this caller may do it now.',
  })
  actions(@Ctx() { caller }: RequestContext, @Root() payment: Payment): JudgedAction<PostAction>[] {
    return judgePayment(caller, payment, this.clock.now());
  }
}

@Resolver(() => OperationObjectType)
export class OperationPossibleActionsResolver {
  constructor(
    private readonly reads: PaymentReads,
    private readonly clock: Clock,
  ) {}

  @FieldResolver(() => [PostActionType], {
    description: 'What can be done with it, and whether this caller may do it now; `actions` has the names alone.',
  })
  async possibleActions(
    @Ctx() context: RequestContext,
    @Root() { operationId, paymentId }: Operation,
  ): Promise<JudgedAction<PostAction>[]> {
    const payment = await paymentLoader(context, this.reads).load(paymentId);
    return payment ? judgeOperation(context.caller, payment, operationId, this.clock.now()) : [];
  }
}
