// Lists of payments and orders for the graph, and the status of an order (hosted checkout, Order status object).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { assertListFilter } from '../../shared/list-filter';
import { totalMax, unknownTotal } from '../../shared/lists/bounded-count';
import { childPageLoader } from '../../shared/lists/child-pages';
import { readSlice } from '../../shared/lists/list-order';
import {
  type Connection,
  connection,
  emptyConnection,
  emptyPage,
  type PageArguments,
  type TotalCount,
} from '../../shared/lists/page';
import { withoutUndefined } from '../../shared/present-members';
import type { OperationType } from '../../shared/vocabulary/operation';
import { assertAmounts } from '../operations/operation-query';
import type { Payment } from './payment';
import { type PaymentFilter, type PaymentOrder, type PaymentQuery, paymentAt, placeIn } from './payment-query';
import type { PaymentQueryRepository } from './payment-query.repository';

export interface PaymentListReads {
  payments: PaymentQueryRepository;
}

export interface PaymentListArguments extends PageArguments {
  filter?: PaymentFilter | null;
  orderBy?: PaymentOrder | null;
}

/** How many pages of payments are looked through for one of orders, and how long those behind the first are. */
const orderRoundsMax = 50;
const laterRound = 100;
const tooFewOrders =
  'nearly all payments that fit this filter were tried again later; name an orderId, or a shorter time';

/** An order of hosted checkout, as its newest payment tells it; amounts in minor units. */
export interface Order {
  orderId: string;
  merchantId: string;
  authorizedAmount: string;
  capturedAmount: string;
  refundedAmount: string;
  lastOperationTime: Date | null;
  lastOperationType: OperationType | null;
  order: Record<string, unknown>;
  payment: Payment;
}

/** Refuses with `invalidInput`, `timesReversed`. */
export async function paymentsOf(
  { payments }: PaymentListReads,
  context: RequestContext,
  asked: PaymentListArguments,
): Promise<Connection<Payment>> {
  const { order, slice, own } = readList(asked, context);
  if (!own) return emptyConnection;
  const page = await payments.list(context.caller, own, slice);
  return connection(page, slice, placeIn(order));
}

/** Refuses with `invalidInput`, `timesReversed`. */
function readList({ filter, orderBy, ...asked }: PaymentListArguments, context: RequestContext) {
  const order = orderBy ?? 'NEWEST';
  const slice = readSlice(asked, paymentAt(order));
  return { order, slice, own: narrow({ ...filter, order }, context) };
}

/** The same for one merchant, with one query for all merchants of the request. */
export async function paymentsOfMerchant(
  { payments }: PaymentListReads,
  context: RequestContext,
  merchantId: string,
  asked: PaymentListArguments,
): Promise<Connection<Payment>> {
  const { order, slice, own } = readList(asked, context);
  if (!own) return emptyConnection;
  const loader = childPageLoader(context, 'payments of merchantId', [own, slice], (ids) =>
    payments.listByMerchants(context.caller, ids, own, slice),
  );
  return connection(await loader.load(merchantId), slice, placeIn(order));
}

/**
 * Orders of hosted checkout, newest first, each once: where it was tried again after a failure, its newest payment counts, and the filter is
 * asked of that one. Refuses with `invalidInput`, `timesReversed`, and with `unavailable` where nearly all that fit were tried again.
 */
export async function ordersOf(
  { payments }: PaymentListReads,
  context: RequestContext,
  { filter, ...asked }: Omit<PaymentListArguments, 'orderBy'>,
): Promise<Connection<Order>> {
  const slice = readSlice(asked, paymentAt('NEWEST'));
  const { size, isBackward } = slice;
  const own = narrow({ ...filter, family: 'checkout' }, context);
  const found: Payment[] = [];
  let hasNextPage = own !== null;
  let place = slice.after;
  for (let round = 0; own && hasNextPage && found.length < size; round++) {
    if (round === orderRoundsMax) throw new DomainError('unavailable', tooFewOrders, { retryAfterSeconds: 1 });
    // Who needs a second look has much to look through.
    const read = round === 0 ? size : laterRound;
    const page = await payments.list(context.caller, own, { size: read, after: place, isBackward });
    const outdated = await payments.listOutdated(context.caller, page.items);
    found.push(...page.items.filter(({ paymentId }) => !outdated.has(paymentId)));
    hasNextPage = page.hasNextPage;
    const last = page.items.at(-1);
    place = last ? { at: last.createdAt, paymentId: last.paymentId } : null;
  }
  const count = own ? () => countOrders(payments, context, own) : emptyPage.count;
  const page = { items: found.slice(0, size), hasNextPage: hasNextPage || found.length > size, count };
  const { edges, ...rest } = own ? connection(page, slice, placeIn('NEWEST')) : emptyConnection;
  return { edges: edges.map(({ cursor, node }) => ({ cursor, node: orderOf(node) })), ...rest };
}

/** Of the payments that fit, those that were not tried again later. */
async function countOrders(
  payments: PaymentQueryRepository,
  { caller }: RequestContext,
  own: PaymentQuery,
): Promise<TotalCount> {
  const found = await payments.listOrderIds(caller, own);
  if (!found) return unknownTotal;
  const { size: outdated } = await payments.listOutdated(caller, found);
  return { value: Math.min(found.length, totalMax) - outdated, isExact: found.length <= totalMax };
}

/** Null when it is absent or somebody else's. Refuses with `invalidInput` when nobody says whose order it is. */
export async function findOrder(
  { payments }: PaymentListReads,
  context: RequestContext,
  orderId: string,
  merchantId: string | null | undefined,
): Promise<Order | null> {
  const own = narrow({ merchantId }, context);
  if (!own) return null;
  if (!own.merchantId) throw new DomainError('invalidInput', 'merchantId is required', { field: 'merchantId' });
  const payment = await payments.findOrder(context.caller, own.merchantId, orderId);
  return payment ? orderOf(payment) : null;
}

/** The order object as sent, with what we know better; amounts of hosted checkout are strings of minor units. */
function orderOf(payment: Payment): Order {
  const { amountMinor, currency, details, entries } = payment;
  const sent = details['order'];
  const own = typeof sent === 'object' && sent !== null ? sent : {};
  const last = entries.reduce<(typeof entries)[number] | null>(
    (found, entry) => (found && found.time > entry.time ? found : entry),
    null,
  );
  return {
    orderId: payment.orderId ?? payment.paymentId,
    merchantId: payment.merchantId,
    authorizedAmount: payment.authorizedMinor.toString(),
    capturedAmount: payment.capturedMinor.toString(),
    refundedAmount: payment.refundedMinor.toString(),
    lastOperationTime: last?.time ?? null,
    lastOperationType: last?.type ?? null,
    order: {
      amount: amountMinor?.toString() ?? '0',
      currency,
      ...withoutUndefined({ orderId: payment.orderId || undefined }),
      ...own,
    },
    payment,
  };
}

function narrow(filter: PaymentQuery, { caller }: RequestContext): PaymentQuery | null {
  const { minAmount, maxAmount } = filter;
  assertAmounts({ minAmount, maxAmount });
  assertListFilter(filter);
  const own = caller.merchantId;
  if (own === undefined) return filter;
  return filter.merchantId && filter.merchantId !== own ? null : { ...filter, merchantId: own };
}
