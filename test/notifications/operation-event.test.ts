// Events of payments in the graph: with their operation, its callbacks and its timeline, to whom they belong (docs/sandbox.md, sections 7 and 9).
import type { Callback } from '../../subgraphs/notifications';
import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { eventually } from '../support/stores';
import { executeInSubgraph } from '../workers/graph';
import { paymentEventOf, securityToken } from '../workers/payment-event';
import { type Receiver, startReceiver } from '../workers/receiver';
import { account, openWorld, type World } from '../workers/world';

let world: World;
let receiver: Receiver;
let sealed: Sealed;

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  receiver.answer((_request, response) => void response.writeHead(200).end());
  sealed = await world.vault.seal({ owner: account, field: 'notification.securityToken' }, securityToken);
  world.startOutbox();
  world.startCallbacks();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const paymentEvent = (partial: Partial<NewEvent> = {}) =>
  paymentEventOf({ sealed, notificationUrl: `${receiver.url}/notify` }, partial);
const until = (eventId: string | undefined, reached: (callback: Callback) => boolean) =>
  eventually(async () => {
    const callback = (await world.callbacks()).find((one) => one.eventId === eventId);
    return callback && reached(callback) ? callback : null;
  });

interface Told {
  hasNextPage: boolean;
  endCursor: string | null;
}

describe('in the graph', () => {
  const alpha = () => ({ ...world.staff, accountId: account });
  const beta = () => ({ ...world.staff, accountId: 'beta' });
  const read = `query ($id: ID!) { operationEvent(eventId: $id) { eventId sequence type operationType operationResult
    merchant { merchantId } operation { operationId callbacks { edges { node { eventId status kind operation { operationId }
      operationEvent { eventId } event { eventId } virtualAccount { virtualAccountId } attempts { status } } } }
      timeline { edges { node { eventId sequence operationResult } } } }
    payment { paymentId timeline { edges { node { eventId sequence } } } } } }`;

  test('an event, its operation with callbacks and timeline; foreign ones look absent', async () => {
    const first = paymentEvent({ data: { operationResult: 'PENDING' } });
    const data = { ...first.data, operationResult: 'FAILED' };
    const between = paymentEvent({ aggregateId: first.aggregateId ?? '' });
    const [recorded, other, changed] = await world.happen(first, between, {
      ...first,
      type: 'operation.resultChanged',
      data,
    });
    await until(changed?._id, ({ status }) => status === 'DELIVERED');
    await until(recorded?._id, ({ status }) => status === 'DELIVERED');
    const { operationEvent } = await executeInSubgraph(world, read, { id: recorded?._id }, alpha());
    const operationId = recorded?.data['operationId'];
    expect(operationEvent).toMatchObject({
      eventId: recorded?._id,
      sequence: 1,
      type: 'operation.recorded',
      operationResult: 'PENDING',
      merchant: { merchantId: 'merchant-alpha-1' },
      payment: {
        paymentId: first.aggregateId,
        timeline: {
          edges: [recorded, other, changed].map((event, at) => ({ node: { eventId: event?._id, sequence: at + 1 } })),
        },
      },
      operation: {
        operationId,
        callbacks: {
          edges: [changed, recorded].map((event) => ({
            node: {
              eventId: event?._id,
              status: 'DELIVERED',
              kind: 'MERCHANT_NOTIFICATION',
              operation: { operationId },
              operationEvent: { eventId: event?._id },
              event: null,
              virtualAccount: null,
              attempts: [{ status: 200 }],
            },
          })),
        },
        timeline: {
          edges: [
            { node: { eventId: recorded?._id, sequence: 1, operationResult: 'PENDING' } },
            { node: { eventId: changed?._id, sequence: 3, operationResult: 'FAILED' } },
          ],
        },
      },
    });
    expect(await executeInSubgraph(world, read, { id: recorded?._id }, beta())).toEqual({ operationEvent: null });
    const life = `query ($r: [_Any!]!, $after: String) { _entities(representations: $r) { ... on Payment { timeline(first: 2) { edges { node { sequence } } pageInfo { hasNextPage } }
      callbacks(first: 2, after: $after) { edges { node { eventId } } pageInfo { hasNextPage endCursor } } } } }`;
    const representations = [{ __typename: 'Payment', paymentId: first.aggregateId }];
    const lifeFor = async (caller: ReturnType<typeof alpha>, after: string | null = null) => {
      const { _entities } = await executeInSubgraph(world, life, { r: representations, after }, caller);
      const [{ timeline, callbacks }] = _entities as [{ timeline: unknown; callbacks: { pageInfo: Told } }];
      const { endCursor, ...pageInfo } = callbacks.pageInfo;
      return { timeline, callbacks: { ...callbacks, pageInfo }, endCursor };
    };
    const told = (...events: (typeof recorded)[]) => events.map((event) => ({ node: { eventId: event?._id } }));
    const page = await lifeFor(alpha());
    expect(page).toMatchObject({
      timeline: { edges: [{ node: { sequence: 1 } }, { node: { sequence: 2 } }], pageInfo: { hasNextPage: true } },
      // Those of both operations, newest first.
      callbacks: { edges: told(changed, other), pageInfo: { hasNextPage: true } },
    });
    expect((await lifeFor(alpha(), page.endCursor)).callbacks).toEqual({
      edges: told(recorded),
      pageInfo: { hasNextPage: false },
    });
    expect(await lifeFor(beta())).toMatchObject({
      timeline: { edges: [], pageInfo: { hasNextPage: false } },
      callbacks: { edges: [], pageInfo: { hasNextPage: false } },
    });
  });

  test('an event of something else is no event of an operation, and the other way round', async () => {
    const [payment, virtualAccount] = await world.happen(paymentEvent(), {});
    const both = `query ($payment: ID!, $account: ID!) { operationEvent(eventId: $account) { eventId } tokenEvent(eventId: $payment) { virtualAccount { virtualAccountId } } }`;
    expect(await executeInSubgraph(world, both, { payment: payment?._id, account: virtualAccount?._id })).toEqual({
      operationEvent: null,
      tokenEvent: null,
    });
  });

  test('callbacks by operation and by status REJECTED', async () => {
    receiver.answer((_request, response) => void response.writeHead(410).end());
    const [event] = await world.happen(paymentEvent());
    await until(event?._id, ({ open }) => !open);
    const list = `query ($filter: CallbackFilter) { callbacks(filter: $filter) { edges { node { eventId } } } }`;
    const filter = { operationId: event?.data['operationId'], status: 'REJECTED', kind: 'MERCHANT_NOTIFICATION' };
    const found = { callbacks: { edges: [{ node: { eventId: event?._id } }] } };
    expect(await executeInSubgraph(world, list, { filter })).toEqual(found);
    expect(await executeInSubgraph(world, list, { filter: { ...filter, status: 'DELIVERED' } })).toEqual({
      callbacks: { edges: [] },
    });
  });
});

test('the timeline of an operation is read from its index', async () => {
  const plan = await world.stores.connection
    .collection('events')
    .find({ 'data.operationId': newId(), environment: 'sandbox', sequence: { $gt: 0 } })
    .sort({ sequence: 1 })
    .explain('queryPlanner');
  expect(JSON.stringify(plan)).toContain('data.operationId_1_sequence_1');
  expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
});
