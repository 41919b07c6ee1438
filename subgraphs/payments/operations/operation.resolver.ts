// Operations in the graph: one line per field, everything else is in the query and the services (hosted checkout, Operation object, GET operations).
import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { MoneyType, moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection } from '../../shared/lists/page';
import { type DeclineReason, declineReasonOf } from '../../shared/vocabulary/decline-reason';
import { OperationResults, OperationTypes, PaymentMethods } from '../../shared/vocabulary/operation.type';
import { PaymentMerchant } from '../payment/merchant-stub.type';
import type { Payment } from '../payment/payment';
import { PaymentType } from '../payment/payment.type';
import type { Operation } from './operation';
import { operationLoader, type PaymentReads, paymentLoader } from './operation.reference';
import {
  DeclineReasonType,
  OperationConnectionType,
  OperationFilterInput,
  OperationObjectType,
  OperationPageType,
  Orderings,
  SortDirections,
} from './operation.type';
import type { OperationFilter, Ordering, SortDirection } from './operation-query';
import { type OperationPage, operationPage, operationsOf } from './operation-query.service';

@Resolver(() => OperationObjectType)
export class OperationResolver {
  constructor(private readonly reads: PaymentReads) {}

  @Allow('payments:read', 'checkout', 'payment-service:read')
  @Query(() => OperationObjectType, {
    nullable: true,
    description: 'One operation; null when it does not exist or the caller may not see it.',
  })
  operation(
    @Ctx() context: RequestContext,
    @Arg('operationId', () => ID, { description: 'Id of the operation that is wanted.' }) id: string,
  ): Promise<Operation | null> {
    return operationLoader(context, this.reads).load(id);
  }

  @Allow('payments:read')
  @Query(() => OperationConnectionType, {
    description:
      'Newest first unless asked otherwise. Without a merchantId, a filter that no index serves is followed for four seconds and then refused as unavailable.',
  })
  operations(
    @Ctx() context: RequestContext,
    @Arg('filter', () => OperationFilterInput, {
      nullable: true,
      description: 'Which operations are wanted; absent: all.',
    })
    filter: OperationFilter | null | undefined,
    @Args(() => PageArgs) { first, after, last, before }: PageArgs,
    @Arg('orderBy', () => Orderings, { nullable: true, description: 'What the list is ordered by; absent: the time.' })
    by?: Ordering | null,
    @Arg('sortIn', () => SortDirections, {
      nullable: true,
      description: 'Whether the order rises or falls; absent: it falls.',
    })
    direction?: SortDirection | null,
  ): Promise<Connection<Operation>> {
    return operationsOf(this.reads, context, { filter, first, after, last, before, by, direction });
  }

  @Allow('checkout')
  @Query(() => OperationPageType, { description: 'By page numbers, as GET /api/v1/operations answers.' })
  operationPage(
    @Ctx() context: RequestContext,
    @Arg('filter', () => OperationFilterInput, {
      nullable: true,
      description: 'Which operations are wanted; absent: all.',
    })
    filter?: OperationFilter | null,
    @Arg('pageNumber', () => Int, { nullable: true, description: 'Number of the page, counted from 0; absent: 0.' })
    pageNumber?: number | null,
    @Arg('maxRecords', () => Int, { nullable: true, description: '1 to 500; 20 when absent.' })
    maxRecords?: number | null,
    @Arg('orderBy', () => Orderings, { nullable: true, description: 'What the list is ordered by; absent: the time.' })
    by?: Ordering | null,
    @Arg('sortIn', () => SortDirections, {
      nullable: true,
      description: 'Whether the order rises or falls; absent: it falls.',
    })
    direction?: SortDirection | null,
  ): Promise<OperationPage> {
    return operationPage(this.reads, context, { filter, pageNumber, maxRecords, by, direction });
  }

  @FieldResolver(() => OperationTypes, { description: 'What was done, for example an authorization or a capture.' })
  operationType(@Root() { type }: Operation): string {
    return type;
  }

  @FieldResolver(() => OperationResults, { description: 'What came of it.' })
  operationResult(@Root() { result }: Operation): string {
    return result;
  }

  @FieldResolver(() => DeclineReasonType, {
    nullable: true,
    description: 'Why it was refused; null for what was not, or was broken off.',
  })
  declineReason(@Root() { result, additionalData }: Operation): DeclineReason | null {
    return declineReasonOf(result, additionalData);
  }

  @FieldResolver(() => Date, { description: 'Of the last change of the result.' })
  operationTime(@Root() { time }: Operation): Date {
    return time;
  }

  @FieldResolver(() => String, { description: 'What it moved or tried to move, in minor units.' })
  operationAmount(@Root() { amountMinor }: Operation): string {
    return amountMinor.toString();
  }

  @FieldResolver(() => MoneyType, { description: 'The same with its currency, and as people read it.' })
  money(@Root() { amountMinor, currency }: Operation): MoneyType {
    return moneyOf(amountMinor, currency);
  }

  @FieldResolver(() => String, { description: 'ISO 4217, alphabetic.' })
  operationCurrency(@Root() { currency }: Operation): string {
    return currency;
  }

  @FieldResolver(() => PaymentMethods, { description: 'Whether a card or an alternative method was used.' })
  paymentMethod(@Root() { method }: Operation): string {
    return method;
  }

  @FieldResolver(() => String, { nullable: true, description: 'VISA, MC, AMEX, PAYPAL ...; the list is open.' })
  paymentCircuit(@Root() { circuit }: Operation): string | null {
    return circuit;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The card or account, masked; null when it is not known.',
  })
  paymentInstrumentInfo(@Root() { instrumentInfo }: Operation): string | null {
    return instrumentInfo;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Unique at the circuit, for reconciliation.' })
  paymentEndToEndId(@Root() { endToEndId }: Operation): string | null {
    return endToEndId;
  }

  @FieldResolver(() => PaymentMerchant, { description: 'The merchant that it belongs to.' })
  merchant(@Root() { merchantId }: Operation): PaymentMerchant {
    return { merchantId };
  }

  @FieldResolver(() => PaymentType, {
    nullable: true,
    description: 'The payment that it belongs to; null when the caller may not see it or there is none.',
  })
  payment(@Ctx() context: RequestContext, @Root() { paymentId }: Operation): Promise<Payment | null> {
    return paymentLoader(context, this.reads).load(paymentId);
  }

  @FieldResolver(() => OperationObjectType, { nullable: true, description: 'The operation that this one acts on.' })
  async parentOperation(@Ctx() context: RequestContext, @Root() operation: Operation): Promise<Operation | null> {
    const { parentOperationId: id } = operation;
    return id === null ? null : operationLoader(context, this.reads).load(id);
  }
}
