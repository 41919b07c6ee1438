// Payments and orders in the graph, and what a merchant has of payments and operations (payment service, Payment; B, Order status object).
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { moneyOf } from '../../shared/graph/money.type';
import { PageArgs } from '../../shared/graph/page.type';
import type { Connection } from '../../shared/lists/page';
import type { Operation } from '../operations/operation';
import { type PaymentReads, paymentLoader } from '../operations/operation.reference';
import { OperationConnectionType, OperationFilterInput, Orderings, SortDirections } from '../operations/operation.type';
import type { OperationFilter, Ordering, SortDirection } from '../operations/operation-query';
import { childOperations } from '../operations/operation-query.service';
import { PaymentMerchant, PaymentTerminal } from './merchant-stub.type';
import type { Payment } from './payment';
import {
  OrderConnectionType,
  OrderType,
  PaymentConnectionType,
  PaymentFilterInput,
  PaymentOrders,
  PaymentType,
} from './payment.type';
import { PaymentMoneyType } from './payment-money.type';
import type { PaymentFilter, PaymentOrder } from './payment-query';
import { findOrder, type Order, ordersOf, paymentsOf, paymentsOfMerchant } from './payment-query.service';

@Resolver(() => PaymentType)
export class PaymentResolver {
  constructor(private readonly reads: PaymentReads) {}

  @Allow('payments:read', 'payment-service:read')
  @Query(() => PaymentType, {
    nullable: true,
    description: 'One payment; null when it does not exist or the caller may not see it.',
  })
  payment(
    @Ctx() context: RequestContext,
    @Arg('paymentId', () => ID, { description: 'Id of the payment that is wanted.' }) id: string,
  ): Promise<Payment | null> {
    return paymentLoader(context, this.reads).load(id);
  }

  @Allow('payments:read')
  @Query(() => PaymentConnectionType, {
    description:
      'The payments that the caller may see, newest first unless asked otherwise. Without a merchantId, a filter that no index serves is followed for four seconds and then refused as unavailable.',
  })
  payments(
    @Ctx() context: RequestContext,
    @Arg('filter', () => PaymentFilterInput, { nullable: true, description: 'Which payments are wanted; absent: all.' })
    filter: PaymentFilter | null | undefined,
    @Arg('orderBy', () => PaymentOrders, { nullable: true, description: 'What comes first; absent: the newest.' })
    orderBy: PaymentOrder | null | undefined,
    @Args(() => PageArgs) { first, after, last, before }: PageArgs,
  ): Promise<Connection<Payment>> {
    return paymentsOf(this.reads, context, { filter, orderBy, first, after, last, before });
  }

  @Allow('checkout', 'payments:read')
  @Query(() => OrderType, { nullable: true, description: "merchantId may be left out by a terminal's API key." })
  order(
    @Ctx() context: RequestContext,
    @Arg('orderId', () => ID, { description: "The merchant's own number of the order." }) orderId: string,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: "The merchant whose order it is; absent: the API key's own.",
    })
    merchantId?: string | null,
  ): Promise<Order | null> {
    return findOrder(this.reads, context, orderId, merchantId);
  }

  @Allow('checkout', 'payments:read')
  @Query(() => OrderConnectionType, { description: 'Orders of hosted checkout, newest first.' })
  orders(
    @Ctx() context: RequestContext,
    @Arg('filter', () => PaymentFilterInput, {
      nullable: true,
      description: 'Which orders are wanted, judged by their newest payment; absent: all.',
    })
    filter: PaymentFilter | null | undefined,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<Order>> {
    return ordersOf(this.reads, context, { filter, ...paging });
  }

  @FieldResolver(() => String, { nullable: true, description: 'Minor units; null while nobody has said how much.' })
  amount(@Root() { amountMinor }: Payment): string | null {
    return amountMinor?.toString() ?? null;
  }

  @FieldResolver(() => PaymentMoneyType, { description: 'Its amounts with their currency, and as people read them.' })
  money(@Root() payment: Payment): PaymentMoneyType {
    const { amountMinor, authorizedMinor, capturedMinor, refundedMinor, currency } = payment;
    return {
      amount: amountMinor === null ? null : moneyOf(amountMinor, currency),
      authorized: moneyOf(authorizedMinor, currency),
      captured: moneyOf(capturedMinor, currency),
      refunded: moneyOf(refundedMinor, currency),
    };
  }

  @FieldResolver(() => String, { description: 'What is reserved or was taken in all, in minor units.' })
  authorizedAmount(@Root() { authorizedMinor }: Payment): string {
    return authorizedMinor.toString();
  }

  @FieldResolver(() => String, { description: 'What was taken in all, in minor units.' })
  capturedAmount(@Root() { capturedMinor }: Payment): string {
    return capturedMinor.toString();
  }

  @FieldResolver(() => String, { description: 'What was given back in all, in minor units.' })
  refundedAmount(@Root() { refundedMinor }: Payment): string {
    return refundedMinor.toString();
  }

  @FieldResolver(() => String, { nullable: true, description: 'The card or account, masked; null until it is known.' })
  instrumentInfo(@Root() { instrument }: Payment): string | null {
    return instrument?.info || null;
  }

  @FieldResolver(() => PaymentMerchant, { description: 'The merchant that it belongs to.' })
  merchant(@Root() { merchantId }: Payment): PaymentMerchant {
    return { merchantId };
  }

  @FieldResolver(() => PaymentTerminal, {
    nullable: true,
    description: 'The terminal that it came through; null when none is known or the caller may not see it.',
  })
  terminal(@Root() { terminalId }: Payment): PaymentTerminal | null {
    return terminalId === null ? null : { terminalId };
  }

  @FieldResolver(() => OperationConnectionType, { description: 'In their order of time.' })
  operations(
    @Ctx() context: RequestContext,
    @Root() { paymentId }: Payment,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<Operation>> {
    const parent = { field: 'paymentId', id: paymentId } as const;
    return childOperations(this.reads, context, parent, { ...paging, direction: 'ASC' });
  }
}

@Resolver(() => OrderType)
export class OrderResolver {
  constructor(private readonly reads: PaymentReads) {}

  @FieldResolver(() => OperationConnectionType, { description: 'Of every attempt to pay it, in their order of time.' })
  operations(
    @Ctx() context: RequestContext,
    @Root() { orderId, merchantId }: Order,
    @Args(() => PageArgs) paging: PageArgs,
  ): Promise<Connection<Operation>> {
    const parent = { field: 'orderId', id: orderId } as const;
    const filter = { merchantId, family: 'checkout' } as const;
    return childOperations(this.reads, context, parent, { filter, ...paging, direction: 'ASC' });
  }
}

@Resolver(() => PaymentMerchant)
export class MerchantPaymentsResolver {
  constructor(private readonly reads: PaymentReads) {}

  @Allow('payments:read')
  @FieldResolver(() => PaymentConnectionType, {
    nullable: true,
    description: 'Payments made for the merchant, newest first unless asked otherwise.',
  })
  payments(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: PaymentMerchant,
    @Arg('filter', () => PaymentFilterInput, { nullable: true, description: 'Which payments are wanted; absent: all.' })
    filter: PaymentFilter | null | undefined,
    @Arg('orderBy', () => PaymentOrders, { nullable: true, description: 'What comes first; absent: the newest.' })
    orderBy: PaymentOrder | null | undefined,
    @Args(() => PageArgs) { first, after, last, before }: PageArgs,
  ): Promise<Connection<Payment>> {
    return paymentsOfMerchant(this.reads, context, merchantId, { filter, orderBy, first, after, last, before });
  }

  @Allow('payments:read')
  @FieldResolver(() => OperationConnectionType, {
    nullable: true,
    description: 'Authorizations, captures, refunds and cancels for the merchant, newest first unless asked otherwise.',
  })
  operations(
    @Ctx() context: RequestContext,
    @Root() { merchantId }: PaymentMerchant,
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
    const parent = { field: 'merchantId', id: merchantId } as const;
    return childOperations(this.reads, context, parent, { filter, first, after, last, before, by, direction });
  }
}
