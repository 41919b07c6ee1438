// The calls of the payment service as mutations and one query; each is one REST route (payment service).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import type { Outcome } from '../money/money';
import type { CreatedPayment, PaymentService, PaymentServiceRead } from './payment-calls.service';
import {
  AuthorizePaymentInput,
  CancelPaymentInput,
  CapturePaymentInput,
  CreatePaymentInput,
  CreatePaymentResultType,
  PaymentOperationResultType,
  PaymentServiceDetailsType,
  RefundPaymentInput,
} from './payment-service.type';

@Resolver()
export class PaymentServiceResolver {
  constructor(private readonly service: PaymentService) {}

  @Allow('payment-service:write')
  @Mutation(() => CreatePaymentResultType, { description: 'Makes a payment of the payment service.' })
  createPayment(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreatePaymentInput, { description: 'Everything that the call is about, in one object.' })
    input: CreatePaymentInput,
  ): Promise<CreatedPayment> {
    return this.service.create(context, input);
  }

  @AllowFresh('payment-service:write', 'payments:authorize')
  @Mutation(() => PaymentOperationResultType, { description: 'Reserves the amount.' })
  authorizePayment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('input', () => AuthorizePaymentInput, { description: 'Everything that the call is about, in one object.' })
    input: AuthorizePaymentInput,
  ): Promise<Outcome> {
    return this.service.perform(context, { name: 'authorize', paymentId, input });
  }

  @AllowFresh('payment-service:write', 'payments:capture')
  @Mutation(() => PaymentOperationResultType, {
    description:
      'Collects reserved money, all of it or a part, as the payment service documents it; captureOperation does it for either family.',
  })
  capturePayment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('input', () => CapturePaymentInput, { description: 'Everything that the call is about, in one object.' })
    input: CapturePaymentInput,
  ): Promise<Outcome> {
    return this.service.perform(context, { name: 'capture', paymentId, input });
  }

  @AllowFresh('payment-service:write', 'payments:cancel')
  @Mutation(() => PaymentOperationResultType, {
    description:
      'Annuls an authorization before any capture, as the payment service documents it; voidPayment does it for either family.',
  })
  cancelPayment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('input', () => CancelPaymentInput, { description: 'Everything that the call is about, in one object.' })
    input: CancelPaymentInput,
  ): Promise<Outcome> {
    return this.service.perform(context, { name: 'cancel', paymentId, input });
  }

  @AllowFresh('payment-service:write', 'payments:refund')
  @Mutation(() => PaymentOperationResultType, {
    description:
      'Gives captured money back, all of it or a part, as the payment service documents it; refundOperation does it for either family.',
  })
  refundPayment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is acted on.' }) paymentId: string,
    @Arg('input', () => RefundPaymentInput, { description: 'Everything that the call is about, in one object.' })
    input: RefundPaymentInput,
  ): Promise<Outcome> {
    return this.service.perform(context, { name: 'refund', paymentId, input });
  }

  @Allow('payment-service:read', 'payment-service:write')
  @Query(() => PaymentServiceDetailsType, { nullable: true, description: 'With the stored consent, if there is one.' })
  async paymentServiceDetails(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is wanted.' }) paymentId: string,
  ): Promise<PaymentServiceDetailsType | null> {
    const read = await this.service.read(context, paymentId);
    return read ? detailsOf(read) : null;
  }
}

function detailsOf({ payment, facts, hostedPageUrl, token }: PaymentServiceRead): PaymentServiceDetailsType {
  const { paymentId, state, amountMinor, currency, orderId, instrument, entries, createdAt } = payment;
  return {
    paymentId,
    state,
    currency,
    hostedPageUrl,
    token,
    createdAt,
    amount: amountMinor === null ? null : amountMinor.toString(),
    authorizedAmount: payment.authorizedMinor.toString(),
    capturedAmount: payment.capturedMinor.toString(),
    refundedAmount: payment.refundedMinor.toString(),
    paymentNumber: orderId,
    reconciliationReference: facts.reconciliationReference,
    processing: facts.processing,
    circuit: instrument?.circuit ?? null,
    instrumentInfo: instrument?.info || null,
    transactions: entries.map(({ operationId, type, result, amountMinor: amount, time }) => ({
      operationId,
      type,
      result,
      amount: amount.toString(),
      time,
    })),
  };
}
