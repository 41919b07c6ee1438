// Reads of the hosted checkout over the running program: the operations query by each of its twenty-one parameters, its pages and headers, orders, times at +01:00 everywhere, and what x-plugin-name leaves behind.
import { randomUUID } from 'node:crypto';
import {
  buildBody,
  cards,
  hostedBody,
  newOrderId,
  type OrderChanges,
  payWithFields,
  type Shop,
  shopOf,
} from '../support/checkout';
import type { Answer } from '../support/client';
import { askGraph } from '../support/reports';
import { sharedWorld, type World } from '../support/world';

let world: World;
let shop: Shop;
/** Nothing else in the world has it. */
const customField = `reads ${randomUUID()}`;
const contractId = `reads-${randomUUID().slice(0, 8)}`;
let orderId: string;
let sessionId: string;
/** The first operation of each kind. */
let authorization: Record<string, string>;
let answers: Answer[];

const idsOf = ({ body }: Answer): string[] =>
  body.operations.map(({ operationId }: { operationId: string }) => operationId);

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'alpha', 'explicit');
  orderId = newOrderId();
  const recurrence = { action: 'CONTRACT_CREATION', contractId, contractType: 'MIT_SCHEDULED' };
  const plan = { InstallmentQty: 7, planType: 'FIXED' };
  const paid = await payWithFields(world, shop, {
    order: { orderId, customField, plan },
    paymentSession: { recurrence },
  });
  sessionId = paid.sessionId;
  authorization = paid.finalized.body.operation;
  const captured = await shop.post('captures', authorization['operationId'] ?? '', { amount: '3000' });
  const refunded = await shop.post('refunds', captured.body.operationId, { amount: '1000' });
  const other = await payWithFields(world, shop, { order: { customField }, number: cards.declined });
  answers = [paid.built, paid.finalized, captured, refunded, other.finalized];
});
afterAll(() => world?.stop());

describe('the operations query', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();

  it.each<[string, string | (() => string), string | (() => string) | null]>([
    ['channel', 'BACKOFFICE', 'POS'],
    ['channelDetail', 'POST_OPERATION', 'TERMINAL'],
    ['customField', customField, 'nothing of this kind'],
    ['fromTime', () => authorization['operationTime'] ?? '', '2100-01-01'],
    ['toTime', () => day(400), '2020-01-01T00:00:00'],
    ['operationType', 'CAPTURE', 'NOSHOW'],
    ['operationId', () => authorization['operationId'] ?? '', () => randomUUID()],
    ['orderId', () => orderId, 'nobody'],
    ['maxAmount', '1000', '999'],
    ['minAmount', '5000', '5001'],
    ['contractId', contractId, 'nobody'],
    ['contractType', 'MIT_SCHEDULED', 'CIT'],
    ['status', 'DECLINED', 'THREEDS_FAILED'],
    ['paymentMethod', 'CARD', 'APM'],
    ['installmentQty', '7', '8'],
    ['paymentCircuit', 'VISA', 'AMEX'],
    ['terminalId', () => shop.terminalId, 'nobody'],
  ])('finds by %s what fits, and nothing else', async (name, matching, other) => {
    const all = await shop.operations({ customField });
    expect([all.headers['x-total-count'], all.headers['x-total-count-is']]).toEqual(['4', 'exact']);
    const textOf = (value: string | (() => string)) => (typeof value === 'string' ? value : value());
    const found = await shop.operations({ customField, [name]: textOf(matching) });
    expect(idsOf(found).length).toBeGreaterThan(0);
    expect(idsOf(all)).toEqual(expect.arrayContaining(idsOf(found)));
    expect(found.headers['x-total-count']).toBe(String(idsOf(found).length));
    if (other !== null) expect(idsOf(await shop.operations({ customField, [name]: textOf(other) }))).toEqual([]);
  });

  it('shows 20 from the newest on unless asked otherwise, and says so', async () => {
    const { headers, body } = await shop.operations({});
    expect([headers['x-page-number'], headers['x-page-size']]).toEqual(['0', '20']);
    const times = body.operations.map(({ operationTime }: Record<string, string>) => operationTime);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each(['operationTime', 'operationAmount', 'operationType', 'operationResult', 'orderId', 'paymentCircuit'])(
    'orders by %s both ways, the operationId breaking ties, page by page along Link',
    async (orderBy) => {
      const whole: string[][] = [];
      for (const sortIn of ['ASC', 'DESC']) {
        const query = new URLSearchParams({ customField, orderBy, sortIn, maxRecords: '3' });
        const first = await shop.call('GET', `/api/v1/operations?${query}`);
        const second = await shop.call('GET', linkOf(first, 'next'));
        expect(linkOf(second, 'next')).toBe('');
        expect(idsOf(await shop.call('GET', linkOf(second, 'prev')))).toEqual(idsOf(first));
        const rows = [...first.body.operations, ...second.body.operations];
        const width = orderBy === 'operationAmount' ? 12 : 0;
        const keys = rows.map((row) => `${String(row[orderBy]).padStart(width, '0')} ${row.operationId}`);
        expect(keys).toEqual(sortIn === 'ASC' ? [...keys].sort() : [...keys].sort().reverse());
        whole.push([...idsOf(first), ...idsOf(second)]);
      }
      expect(whole[0]).toEqual([...(whole[1] ?? [])].reverse());
    },
  );

  it('goes on by time: toTime of the last operationTime begins with it', async () => {
    const all = idsOf(await shop.operations({ customField }));
    const { body } = await shop.operations({ customField, maxRecords: '2' });
    const toTime = body.operations[1].operationTime;
    expect(idsOf(await shop.operations({ customField, toTime }))).toEqual(all.slice(1));
    // A plus sign that was not encoded arrives as a space.
    const plain = await shop.call(
      'GET',
      `/api/v1/operations?customField=${encodeURIComponent(customField)}&toTime=${toTime}`,
    );
    expect(idsOf(plain)).toEqual(all.slice(1));
  });

  it('reads a time without offset at +01:00, and one with another offset by it', async () => {
    const at = authorization['operationTime'] ?? '';
    const utc = new Date(at).toISOString();
    for (const fromTime of [at, at.replace('+01:00', ''), utc])
      expect(idsOf(await shop.operations({ customField, orderId, fromTime, toTime: at }))).toEqual([
        authorization['operationId'],
      ]);
  });

  it('says what is wrong in words', async () => {
    const { body } = await shop.operations({ minAmount: '1.50' });
    expect(body.errors).toEqual([
      { code: 'PS0036', description: 'minAmount must be whole minor units in 1 to 12 digits.' },
    ]);
  });

  it('names parameters that it does not know, and takes an empty one for absent', async () => {
    const { status, headers } = await shop.operations({ customField, colour: 'red', channel: '' });
    expect([status, headers['x-unknown-fields'], headers['x-total-count']]).toEqual([200, 'colour', '4']);
  });
});

describe('orders', () => {
  it('one order: status, operations of every attempt in their order, links that lead on', async () => {
    const retried = newOrderId();
    await payWithFields(world, shop, { order: { orderId: retried }, number: cards.declined });
    await payWithFields(world, shop, { order: { orderId: retried } });
    const { body } = await shop.order(retried);
    expect(body.operations.map(({ operationResult }: Record<string, string>) => operationResult)).toEqual([
      'DECLINED',
      'AUTHORIZED',
    ]);
    expect(body.orderStatus).toMatchObject({
      authorizedAmount: '5000',
      capturedAmount: '0',
      lastOperationType: 'AUTHORIZATION',
      order: { amount: '5000', currency: 'EUR', orderId: retried },
    });
    for (const { rel, href } of body.links) expect([rel, (await shop.call('GET', href)).status]).toEqual([rel, 200]);
  });

  it('a list newest first with each order once, whose Link leads to what comes next', async () => {
    const retried = newOrderId();
    for (const number of [cards.declined, cards.visa])
      await payWithFields(world, shop, { order: { orderId: retried }, number });
    const first = await shop.call('GET', '/api/v1/orders?maxRecords=1');
    const second = await shop.call('GET', linkOf(first, 'next'));
    expect([first.body.orders.length, second.body.orders.length]).toEqual([1, 1]);
    expect(second.body.orders[0].order.orderId).not.toBe(first.body.orders[0].order.orderId);
  });

  it.each([
    ['times the wrong way round', 'fromTime=2026-02-01&toTime=2026-01-01', 'PS0013'],
    ['a time that is none', 'fromTime=soon', 'PS0008'],
    ['101 at once', 'maxRecords=101', 'PS0026'],
    ['a place of another list', 'after=bm90IGEgY3Vyc29y', 'PS0026'],
  ])('refuses %s', async (_, query, code) => {
    const { status, body } = await shop.call('GET', `/api/v1/orders?${query}`);
    expect([status, body.errors[0].code]).toEqual([400, code]);
  });
});

describe('everywhere', () => {
  it('times are ISO 8601 at +01:00', async () => {
    const reads = [
      await shop.state(sessionId),
      await shop.order(orderId),
      await shop.call('GET', '/api/v1/orders'),
      await shop.operations({ customField }),
      await shop.call('GET', `/api/v1/operations/${authorization['operationId']}`),
      await shop.operations({ maxRecords: '0' }),
    ];
    const members = [...answers, ...reads].flatMap(({ body }) => timesIn(body));
    expect(members.length).toBeGreaterThan(10);
    expect(members.filter((time) => !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+01:00$/.test(time))).toEqual([]);
  });

  it('warnings tell of a missing result page, a skipped check and an ignored exemption', async () => {
    const codesFor = async (paymentSession: object, number: string = cards.visa) => {
      const { finalized } = await payWithFields(world, shop, { paymentSession, number });
      return finalized.body.fieldSet.warnings.map(({ code }: { code: string }) => code);
    };
    expect(await codesFor({})).toEqual([]);
    expect(await codesFor({ resultUrl: null })).toEqual(['TRA002']);
    expect(await codesFor({ exemptions: 'EXEMPTION_REQUESTED' })).toEqual(['TRA001']);
    expect(await codesFor({ exemptions: 'EXEMPTION_REQUESTED' }, cards.challenge)).toEqual(['TRA004']);
  });
});

describe('x-plugin-name', () => {
  const ofBuild = (changes: OrderChanges) => buildBody(world.urls.shop, changes);

  it.each([
    ['/api/v1/orders/build', ofBuild],
    ['/api/orders/build', ofBuild],
    ['/api/v1/orders/hpp', hostedBody],
  ])('%s keeps it, and the graph tells it and finds by it', async (path, bodyOf) => {
    const [pluginName, ordered, without] = [`plugin-${randomUUID()}`, newOrderId(), newOrderId()];
    const send = (order: string, headers: Record<string, string>) =>
      shop.call('POST', path, bodyOf({ order: { orderId: order } }), headers);
    expect((await send(ordered, { 'x-plugin-name': pluginName })).status).toBe(200);
    expect((await send(without, {})).status).toBe(200);
    const source =
      'query ($by: CheckoutSessionFilter) { checkoutSessions(filter: $by) { edges { node { orderId pluginName } } } }';
    const found = async (by: object) => (await askGraph(world, source, { by })).checkoutSessions.edges;
    expect(await found({ pluginName })).toEqual([{ node: { orderId: ordered, pluginName } }]);
    expect(await found({ orderId: without })).toEqual([{ node: { orderId: without, pluginName: null } }]);
  });
});

/** The path of a relation in the Link header; empty when there is none. */
function linkOf({ headers }: Answer, relation: string): string {
  return new RegExp(`<([^>]+)>; rel="${relation}"`).exec(String(headers['link'] ?? ''))?.[1] ?? '';
}

/** Values of the members that tell a time. */
function timesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /Time$|^timestamp$/.test(name) && typeof inner === 'string' ? [inner] : timesIn(inner),
  );
}
