// The same question through both doors: operations and orders by REST parameters and by the graph's filter are the same operations, in the same order, told alike (hosted checkout, GET operations).
import { randomUUID } from 'node:crypto';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { printFixedOffset } from '../../subgraphs/shared/time';
import { cards, newOrderId, paymentServiceOf, payOnPage, payWithFields, type Shop, shopOf } from '../support/checkout';
import { accessTokenOf, graph, sandboxCall } from '../support/partner';
import fc from '../support/properties';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

const questions = Number(process.env['DOOR_RUNS'] ?? 25);
let world: World;
let shop: Shop;
let viewerToken: string;
let orderId: string;
/** Everything that this file made, and what others made meanwhile. */
let from: string;
let to: string;

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'alpha', 'explicit');
  viewerToken = await accessTokenOf(world, world.credentials.graph.viewer);
  const service = await paymentServiceOf(world, 'alpha');
  from = await now();
  orderId = newOrderId();
  const order = { orderId, customField: 'two doors', plan: { InstallmentQty: 3 } };
  const recurrence = {
    action: 'CONTRACT_CREATION',
    contractId: `doors-${randomUUID().slice(0, 8)}`,
    contractType: 'CIT',
  };
  const { finalized } = await payWithFields(world, shop, { order, paymentSession: { recurrence } });
  const captured = await shop.post('captures', finalized.body.operation.operationId, { amount: '3000' });
  await shop.post('refunds', captured.body.operationId, { amount: '1000' });
  await payWithFields(world, shop, { number: cards.declined, order: { customField: 'two doors' } });
  await payWithFields(world, shopOf(world, 'alpha', 'implicit'), { number: cards.mastercard });
  const { paymentId } = (await service.create({ processing: 'Sale' })).body;
  await payOnPage(world, paymentId, cards.visa);
  const ended = await shop.build();
  await shop.endSession(ended.body.sessionId);
  to = await now();
});
afterAll(() => world?.stop());

async function now(): Promise<string> {
  return (await sandboxCall(world, 'GET', '/sandbox/clock')).body.now;
}

type Row = Record<string, unknown>;

/** What both doors tell of an operation; the graph's times are in UTC, and its absent members null. */
const members = `operationId orderId channel operationType operationResult operationTime operationAmount operationCurrency paymentMethod
  paymentCircuit paymentInstrumentInfo paymentEndToEndId cancelledOperationId omnichannelId paymentLinkId customerInfo additionalData
  warnings { code description }`;

function asRest(node: Row): Row {
  const given = Object.entries(node).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), operationTime: printFixedOffset(new Date(String(node['operationTime']))) };
}

type Question = Partial<Record<string, string>>;

/** Every page along the numbers. */
async function overRest(question: Question, maxRecords: string): Promise<{ rows: Row[]; total: string }> {
  const rows: Row[] = [];
  for (let pageNumber = 0; ; pageNumber += 1) {
    const query = { ...question, maxRecords, pageNumber: String(pageNumber) } as Record<string, string>;
    const { body, headers } = await shop.operations(query);
    rows.push(...body.operations);
    const isLast = !String(headers['link'] ?? '').includes('rel="next"');
    if (isLast) return { rows, total: String(headers['x-total-count']) };
  }
}

/** Every page along the cursors. */
async function overGraph(question: Question, first: number): Promise<Row[]> {
  const { orderBy, sortIn, status, installmentQty, fromTime, toTime, ...same } = question;
  const filter = {
    ...same,
    merchantId: shop.merchantId,
    ...withoutUndefined({
      operationResult: status || undefined,
      installmentQty: installmentQty ? Number(installmentQty) : undefined,
      fromTime: fromTime ? new Date(fromTime) : undefined,
      toTime: toTime ? new Date(toTime) : undefined,
    }),
  };
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const { data, errors } = await graph(
      world,
      `query Doors($filter: OperationFilter, $first: Int, $after: String, $orderBy: OperationOrdering, $sortIn: SortDirection) {
        operations(filter: $filter, first: $first, after: $after, orderBy: $orderBy, sortIn: $sortIn) {
          edges { node { ${members} } } pageInfo { hasNextPage endCursor } } }`,
      { filter, first, after, orderBy, sortIn },
      viewerToken,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    rows.push(...data.operations.edges.map(({ node }: { node: Row }) => asRest(node)));
    after = data.operations.pageInfo.hasNextPage ? data.operations.pageInfo.endCursor : null;
  } while (after);
  return rows;
}

/** Values of each parameter: some that are there, one that is not. */
const values: Record<string, string[]> = {
  channel: ['ECOMMERCE', 'BACKOFFICE', 'POS'],
  channelDetail: ['FIELDS', 'POST_OPERATION', 'nothing'],
  customField: ['two doors', 'nothing'],
  operationType: ['AUTHORIZATION', 'CAPTURE', 'REFUND', 'CANCEL', 'NOSHOW'],
  status: ['AUTHORIZED', 'DECLINED', 'EXECUTED', 'CANCELED', 'THREEDS_FAILED'],
  minAmount: ['0', '3000', '5001'],
  maxAmount: ['1000', '5000'],
  contractType: ['CIT', 'MIT_SCHEDULED'],
  paymentMethod: ['CARD', 'APM'],
  paymentCircuit: ['VISA', 'MC', 'AMEX'],
  installmentQty: ['3', '4'],
  terminalId: ['terminal-alpha-explicit', 'terminal-alpha-implicit'],
  orderBy: ['operationTime', 'operationAmount', 'operationType', 'operationResult', 'orderId', 'paymentCircuit'],
  sortIn: ['ASC', 'DESC'],
};
const question: fc.Arbitrary<Question> = fc.record(
  Object.fromEntries(Object.entries(values).map(([name, known]) => [name, fc.constantFrom(...known)])),
  { requiredKeys: [] },
);

describe('operations', () => {
  it('are the same for the same question, page by page', async () => {
    const seen = new Set<number>();
    const size = fc.integer({ min: 2, max: 50 });
    const few = fc.array(fc.constantFrom(...Object.keys(values)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(question, few, size, async (drawn, names, pageSize) => {
        const asked = Object.fromEntries(names.flatMap((name) => (drawn[name] ? [[name, drawn[name]]] : [])));
        const within = { ...asked, fromTime: from, toTime: to };
        // Another test's pending operation may become final in between, and gets another time by it: asked again then.
        const agreed = await eventually(
          async () => {
            const [rest, told] = [await overRest(within, String(pageSize)), await overGraph(within, pageSize)];
            expect(told).toEqual(rest.rows);
            expect(rest.total).toBe(String(rest.rows.length));
            return rest;
          },
          { everyMs: 200 },
        );
        seen.add(agreed.rows.length);
      }),
      { numRuns: questions, examples: [[{}, [], 3]] },
    );
    // The questions told operations apart.
    expect(seen.size).toBeGreaterThan(3);
  });

  it.each([
    ['operationType: "SALE"', { operationType: 'SALE' }],
    ['an amount that is none', { minAmount: 'x' }],
    ['times the wrong way round', { fromTime: '2026-02-01T00:00:00Z', toTime: '2026-01-01T00:00:00Z' }],
  ])('are refused by both for %s', async (_, asked) => {
    expect((await shop.operations(asked as Record<string, string>)).status).toBe(400);
    await expect(overGraph(asked, 10)).rejects.toThrow(/errors|extensions|message/);
  });

  it('one by one: each is told as in the list', async () => {
    const { rows } = await overRest({ orderId }, '50');
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const { body } = await shop.call('GET', `/api/v1/operations/${row['operationId']}`);
      const source = `query One($id: ID!) { operation(operationId: $id) { ${members} } }`;
      const { data } = await graph(world, source, { id: row['operationId'] }, viewerToken);
      expect([body, asRest(data.operation)]).toEqual([row, row]);
    }
  });
});

describe('orders', () => {
  it('have the same status and operations', async () => {
    const { body } = await shop.order(orderId);
    const { data } = await graph(
      world,
      `query Order($orderId: ID!, $merchantId: ID) { order(orderId: $orderId, merchantId: $merchantId) {
        authorizedAmount capturedAmount lastOperationTime lastOperationType order
        operations(first: 50) { edges { node { ${members} } } } } }`,
      { orderId, merchantId: shop.merchantId },
      viewerToken,
    );
    const { operations, lastOperationTime, ...status } = data.order;
    expect(body.orderStatus).toEqual({ ...status, lastOperationTime: printFixedOffset(new Date(lastOperationTime)) });
    expect(body.operations).toEqual(operations.edges.map(({ node }: { node: Row }) => asRest(node)));
    expect(body.operations).toHaveLength(3);
  });

  it('are the same in the list', async () => {
    const query = new URLSearchParams({ fromTime: from, toTime: to, maxRecords: '100' });
    const source = `query Orders($filter: PaymentFilter) { orders(filter: $filter, first: 100) { edges { node { order } } } }`;
    const variables = { filter: { merchantId: shop.merchantId, from, to } };
    const idOf = ({ order }: { order: Row }) => order['orderId'];
    // As above: another test's order may get another place in between.
    const ids = await eventually(async () => {
      const { body } = await shop.call('GET', `/api/v1/orders?${query}`);
      const { data } = await graph(world, source, variables, viewerToken);
      expect(body.orders.map(idOf)).toEqual(data.orders.edges.map(({ node }: { node: { order: Row } }) => idOf(node)));
      return body.orders.map(idOf);
    });
    expect(ids).toContain(orderId);
  });
});
