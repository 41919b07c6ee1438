// Captures, refunds, cancels and voids as mutations, and what can still be done with an operation (2.2-B of the decision register, Post-operations).
import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import type { Clock } from '../../shared/clock';
import { actionRights, possibleActions } from '../money/actions';
import type { Operation } from '../operations/operation';
import { operationLoader, type PaymentReads, paymentLoader } from '../operations/operation.reference';
import { OperationActionResultType, OperationObjectType, PostOperationInput } from '../operations/operation.type';
import type { Payment } from '../payment/payment';
import { PaymentType } from '../payment/payment.type';
import type { ActionInput, ActionResult, OperationActions } from './operation-action.service';

@Resolver(() => OperationActionResultType)
export class OperationActionResolver {
  constructor(
    private readonly reads: PaymentReads,
    private readonly actions: OperationActions,
  ) {}

  @AllowFresh(...actionRights.capture)
  @Mutation(() => OperationActionResultType, {
    description: 'Captures an authorization of either family, all of it or a part: what dashboards and jobs use.',
  })
  captureOperation(
    @Ctx() context: RequestContext,
    @Arg('operationId', () => ID, { description: 'Id of the operation that is acted on.' }) operationId: string,
    @Arg('input', () => PostOperationInput, {
      nullable: true,
      description: 'Everything that the call is about, in one object.',
    })
    input?: ActionInput | null,
  ): Promise<ActionResult> {
    return this.actions.captureOperation(context, operationId, input ?? {});
  }

  @AllowFresh(...actionRights.refund)
  @Mutation(() => OperationActionResultType, {
    description:
      'Gives a capture of either family back, all of it or a part; of an authorization that was not captured it is a void.',
  })
  refundOperation(
    @Ctx() context: RequestContext,
    @Arg('operationId', () => ID, { description: 'Id of the operation that is acted on.' }) operationId: string,
    @Arg('input', () => PostOperationInput, {
      nullable: true,
      description: 'Everything that the call is about, in one object.',
    })
    input?: ActionInput | null,
  ): Promise<ActionResult> {
    return this.actions.refundOperation(context, operationId, input ?? {});
  }

  @AllowFresh(...actionRights.cancelCapture)
  @Mutation(() => OperationActionResultType, {
    description: 'Undoes a capture of either family on its own day (+01:00), before money moved between banks.',
  })
  cancelOperation(
    @Ctx() context: RequestContext,
    @Arg('operationId', () => ID, { description: 'Id of the operation that is acted on.' }) operationId: string,
    @Arg('input', () => PostOperationInput, {
      nullable: true,
      description: 'Everything that the call is about, in one object.',
    })
    input?: ActionInput | null,
  ): Promise<ActionResult> {
    return this.actions.cancelOperation(context, operationId, input ?? {});
  }

  @AllowFresh(...actionRights.void)
  @Mutation(() => OperationActionResultType, { description: 'Gives back a whole authorization, of either family.' })
  voidPayment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('input', () => PostOperationInput, {
      nullable: true,
      description: 'Everything that the call is about, in one object.',
    })
    input?: ActionInput | null,
  ): Promise<ActionResult> {
    return this.actions.voidPayment(context, paymentId, input ?? {});
  }

  @FieldResolver(() => OperationObjectType, {
    nullable: true,
    description: 'The operation that it is about; null when there is none or the caller may not see it.',
  })
  operation(@Ctx() context: RequestContext, @Root() { operationId }: ActionResult): Promise<Operation | null> {
    return operationLoader(context, this.reads).load(operationId);
  }

  @FieldResolver(() => PaymentType, {
    nullable: true,
    description: 'The payment that it belongs to; null when the caller may not see it or there is none.',
  })
  payment(@Ctx() context: RequestContext, @Root() { paymentId }: ActionResult): Promise<Payment | null> {
    return paymentLoader(context, this.reads).load(paymentId);
  }
}

@Resolver(() => OperationObjectType)
export class OperationChoicesResolver {
  constructor(
    private readonly reads: PaymentReads,
    private readonly clock: Clock,
  ) {}

  @FieldResolver(() => [String], {
    description:
      'What its payment lets be done with it now, by name: capture, refund, void, cancelCapture, as the documented paths print it. It does not ask who the caller is: `possibleActions` says what this caller may do, and why not otherwise.',
  })
  async actions(@Ctx() context: RequestContext, @Root() { operationId, paymentId }: Operation): Promise<string[]> {
    const payment = await paymentLoader(context, this.reads).load(paymentId);
    return payment ? possibleActions(payment, operationId, this.clock.now()) : [];
  }
}
