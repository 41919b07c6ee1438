// The list of orders shows each once, by its newest payment: it looks through what was tried again later, and no further than a bound.
import type { Payment } from '../../subgraphs/payments/payment/payment';
import type { PaymentSlice } from '../../subgraphs/payments/payment/payment-query';
import type { PaymentQueryRepository } from '../../subgraphs/payments/payment/payment-query.repository';
import { ordersOf } from '../../subgraphs/payments/payment/payment-query.service';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';

const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

/** Payments from the newest on, of which the first `retried` were tried again later. */
function paymentsWith(retried: number, all: number) {
  const sizes: number[] = [];
  const rows = Array.from({ length: all }, (_, index) => ({
    paymentId: idOf(index),
    orderId: `order-${index}`,
    merchantId: 'm',
    createdAt: new Date(all - index),
    amountMinor: 1n,
    authorizedMinor: 1n,
    capturedMinor: 0n,
    refundedMinor: 0n,
    details: {},
    entries: [],
  })) as unknown as Payment[];
  const payments = {
    async list(_caller: unknown, _filter: unknown, { size, after }: PaymentSlice) {
      sizes.push(size);
      const from = after ? rows.findIndex(({ paymentId }) => paymentId === after.paymentId) + 1 : 0;
      return { items: rows.slice(from, from + size), hasNextPage: from + size < all };
    },
    listOutdated: async (_caller: unknown, page: readonly Payment[]) =>
      new Set(page.map(({ paymentId }) => paymentId).filter((id) => id < idOf(retried))),
  } as unknown as PaymentQueryRepository;
  return { payments, sizes };
}

const context = requestContext(systemCaller('sandbox', 'test'), 'r');
const page = { first: 2, after: null };

test.each([
  [0, [2]],
  [1, [2, 100]],
  [150, [2, 100, 100]],
])('behind %i that were tried again the next orders are found, in reads of %j', async (retried, reads) => {
  const { payments, sizes } = paymentsWith(retried, 300);
  const { edges, pageInfo } = await ordersOf({ payments }, context, page);
  expect(edges.map(({ node }) => node.orderId)).toEqual([`order-${retried}`, `order-${retried + 1}`]);
  expect([pageInfo.hasNextPage, sizes]).toEqual([true, reads]);
  const next = await ordersOf({ payments }, context, { first: 1, after: pageInfo.endCursor });
  expect(next.edges.map(({ node }) => node.orderId)).toEqual([`order-${retried + 2}`]);
});

test('where nearly all were tried again the list is refused in words after fifty reads', async () => {
  const { payments, sizes } = paymentsWith(100_000, 100_000);
  await expect(ordersOf({ payments }, context, page)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('name an orderId'),
  });
  expect(sizes.length).toBe(50);
});

test('where all were tried again and there are few, none is found', async () => {
  const { payments } = paymentsWith(300, 300);
  const { edges, pageInfo } = await ordersOf({ payments }, context, page);
  expect([edges, pageInfo.hasNextPage]).toEqual([[], false]);
});
