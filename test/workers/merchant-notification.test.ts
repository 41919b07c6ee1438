// What a merchant's server is told about an operation, on which addresses, and what its answers mean (merchant notification; 2.2-E and 2.6 of the decision register).
import { Webhook } from 'standardwebhooks';
import { type Callback, callbackDefinitions, newSigningSecret } from '../../subgraphs/notifications';
import { requestContext } from '../../subgraphs/shared/callers/context';
import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import type { EventRecord, NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { waitsMs } from '../../workers/retry';
import { eventually } from '../support/stores';
import { executeInSubgraph } from './graph';
import { paymentEventOf, securityToken } from './payment-event';
import { type Receiver, startReceiver } from './receiver';
import { account, openWorld, type World } from './world';

let world: World;
let receiver: Receiver;
let sealed: Sealed;
const secret = newSigningSecret();

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  sealed = await world.vault.seal({ owner: account, field: 'notification.securityToken' }, securityToken);
  await world.notifications.seedEndpoint({ accountId: account, kind: 'merchant-notification', secret });
  world.startOutbox();
  // As in containers: nothing listens on the port that looks like the REST paths from outside.
  world.startCallbacks({ receiver: { REST_URL: receiver.url, REST_PORT: 9 } });
});
beforeEach(() => receiver.answer((_request, response) => void response.writeHead(200).end()));
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const paymentEvent = (partial: Partial<NewEvent> = {}) =>
  paymentEventOf({ sealed, notificationUrl: `${receiver.url}/notify?shop=1` }, partial);
const build = (partial: Partial<NewEvent>) =>
  callbackDefinitions['merchant-notification'].build({
    ...paymentEvent(partial),
    _id: 'event-1',
    position: null,
  } as EventRecord);
const callsOf = (eventId: string | undefined) => receiver.received.filter((call) => call.eventId === eventId);
const until = (eventId: string | undefined, reached: (callback: Callback) => boolean) =>
  eventually(async () => {
    const callback = (await world.callbacks()).find((one) => one.eventId === eventId);
    return callback && reached(callback) ? callback : null;
  });

describe('what is told', () => {
  test('the operation as documented, signed, with the token of the session and nothing else', async () => {
    const [event] = await world.happen(paymentEvent());
    const call = await eventually(() => callsOf(event?._id)[0]);
    expect(call.path).toBe('/notify?shop=1');
    expect(new Webhook(secret).verify(call.body, call.headers as Record<string, string>)).toEqual({
      eventId: event?._id,
      eventTime: '2026-11-21T12:00:01.000+01:00',
      securityToken,
      operation: {
        operationId: event?.data['operationId'],
        orderId: 'order-1',
        channel: 'ECOMMERCE',
        operationType: 'AUTHORIZATION',
        operationResult: 'AUTHORIZED',
        operationTime: '2026-11-21T12:00:00.500+01:00',
        operationAmount: '3545',
        operationCurrency: 'EUR',
        paymentMethod: 'CARD',
        paymentCircuit: 'VISA',
        paymentInstrumentInfo: '424242******4242',
        customerInfo: { cardHolderName: 'Ada "{securityToken}" Lovelace' },
        warnings: [],
        additionalData: { authorizationCode: '123456' },
      },
    });
    const kept = await until(event?._id, ({ status }) => status === 'DELIVERED');
    expect(JSON.stringify(kept)).not.toContain(securityToken);
    expect(kept.body).toContain('"securityToken":"{securityToken}"');
  });

  test.each([
    ['CARD_VERIFICATION', 'AUTHORIZED', 'AUTHORIZATION', 'AUTHORIZED'],
    ['CARD_CHECK', 'THREEDS_VALIDATED', 'AUTHORIZATION', 'THREEDS_VALIDATED'],
    ['INCREMENTAL', 'AUTHORIZED', 'AUTHORIZATION', 'AUTHORIZED'],
    ['NOSHOW', 'DENIED', 'AUTHORIZATION', 'DECLINED'],
    ['DELAY_CHARGE', 'DENIED_BY_RISK', 'AUTHORIZATION', 'DENIED_BY_RISK'],
    ['CAPTURE', 'EXECUTED', 'CAPTURE', 'EXECUTED'],
    ['REFUND', 'REFUNDED', 'REFUND', 'REFUNDED'],
    ['CANCEL', 'CANCELED', 'CANCEL', 'CANCELED'],
    ['VOID', 'VOIDED', 'VOID', 'VOIDED'],
  ])('%s %s is told as %s %s', (operationType, operationResult, toldType, toldResult) => {
    const body = JSON.parse(build({ data: { operationType, operationResult } })?.body ?? '{}');
    expect(body.operation).toMatchObject({ operationType: toldType, operationResult: toldResult });
  });

  test.each([
    ['an order without an address', { data: { notificationUrl: null } }],
    ['a payment of the payment service', { data: { notificationUrl: undefined, orderId: null } }],
    ['an expiry', { type: 'payment.expired' }],
    ['something of a virtual account', { type: 'virtualAccount.suspended' }],
    ['a type that is also a property of every object', { type: 'constructor' }],
  ])('nothing about %s', (_what, partial) => {
    expect(build(partial)).toBeNull();
  });

  test.each(['operationId', 'operationType', 'operationResult', 'operationTime', 'channel', 'securityTokenSealed'])(
    'an event without %s is a defect that is kept, and holds up nothing',
    async (name) => {
      const [broken, next] = await world.happen(paymentEvent({ data: { [name]: undefined } }), paymentEvent());
      expect(await until(broken?._id, ({ open }) => !open)).toMatchObject({ status: 'ENDED', reason: 'notBuildable' });
      await eventually(() => callsOf(next?._id)[0]);
    },
  );

  test('PENDING and the final result are two notifications about one operation, in that order', async () => {
    const first = paymentEvent({ data: { operationResult: 'PENDING' } });
    const { aggregateId, data } = first as Required<Pick<NewEvent, 'aggregateId' | 'data'>>;
    const final = {
      ...first,
      aggregateId,
      type: 'operation.resultChanged',
      data: { ...data, operationResult: 'AUTHORIZED' },
    };
    const events = await world.happen(first, final);
    await until(events[1]?._id, ({ status }) => status === 'DELIVERED');
    const told = receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter((body) => body.operation.operationId === data['operationId']);
    expect(told.map((body) => body.operation.operationResult)).toEqual(['PENDING', 'AUTHORIZED']);
    expect(new Set(told.map((body) => body.eventId)).size).toBe(2);
  });
});

describe('what an answer means', () => {
  const answer = (status: number) => receiver.answer((_request, response) => void response.writeHead(status).end('no'));

  test('a 4XX is tried three times, then parked as REJECTED; sending it again keeps the eventId', async () => {
    answer(422);
    const [event] = await world.happen(paymentEvent());
    for (const waitMs of waitsMs.slice(1, 3)) {
      const tries = waitsMs.indexOf(waitMs);
      await until(event?._id, (callback) => callback.tries === tries && callback.status === 'PENDING');
      world.clock.advance(waitMs * 1.1 + 1_000);
    }
    const parked = await until(event?._id, ({ open }) => !open);
    expect(parked).toMatchObject({ status: 'REJECTED', reason: 'rejected', tries: 3 });
    answer(200);
    await world.notifications.endpoints.list(world.staff, {});
    const resend = `mutation ($id: ID!) { redeliverCallback(callbackId: $id) { status } }`;
    await executeInSubgraph(world, resend, { id: parked.callbackId });
    await until(event?._id, ({ status }) => status === 'DELIVERED');
    const bodies = callsOf(event?._id).map(({ body }) => body);
    expect(bodies).toHaveLength(4);
    expect(new Set(bodies).size).toBe(1);
  });

  test.each([408, 425, 429, 500, 503])('a %d is tried on after the third attempt', async (status) => {
    answer(status);
    const [event] = await world.happen(paymentEvent());
    for (const tries of [1, 2, 3]) {
      await until(event?._id, (callback) => callback.tries === tries && callback.status === 'PENDING');
      world.clock.advance((waitsMs[tries] ?? 0) * 1.1 + 1_000);
    }
    await until(event?._id, ({ tries }) => tries === 4);
    answer(200);
  });

  test('a 410 parks that one event at once, and the next goes to the same address', async () => {
    answer(410);
    const [gone] = await world.happen(paymentEvent());
    expect(await until(gone?._id, ({ open }) => !open)).toMatchObject({ status: 'REJECTED', tries: 1 });
    answer(204);
    const [next] = await world.happen(paymentEvent());
    await until(next?._id, ({ status }) => status === 'DELIVERED');
  });
});

describe('addresses', () => {
  const endpoints = () =>
    world.stores.connection.collection('callback_endpoints').find({ kind: 'merchant-notification' }).toArray();

  test('each full address has its own endpoint and health; one secret of the account signs for all', async () => {
    const other = await startReceiver();
    other.answer((_request, response) => void response.writeHead(500).end());
    const toOther = paymentEvent({ data: { notificationUrl: `${other.url}/n` } });
    const [failing, healthy] = await world.happen(
      toOther,
      paymentEvent({ data: { notificationUrl: `${receiver.url}/a/` } }),
    );
    await until(healthy?._id, ({ status }) => status === 'DELIVERED');
    const failed = await until(failing?._id, ({ tries }) => tries === 1);
    const call = await eventually(() => callsOf(healthy?._id)[0]);
    expect(call.path).toBe('/a/');
    expect(new Webhook(secret).verify(call.body, call.headers as Record<string, string>)).toBeTruthy();
    const found = await endpoints();
    const ofOther = found.find(({ address }) => address === `${other.url}/n`);
    expect(ofOther).toMatchObject({ _id: failed.endpointId, secrets: [] });
    expect(found.filter(({ addressKey }) => addressKey === null)).toHaveLength(1);
    await world.happen({ ...toOther, aggregateId: newId() });
    expect((await endpoints()).filter(({ address }) => address === `${other.url}/n`)).toHaveLength(1);
    await other.close();
  });

  test('the address of the kind cannot be set, its secret can be changed and then both sign', async () => {
    const context = requestContext(world.staff, newId());
    const key = { accountId: account, kind: 'merchant-notification' };
    await expect(world.notifications.endpoints.setAddress(context, key, 'https://example.com')).rejects.toMatchObject({
      code: 'invalidInput',
      details: { field: 'kind' },
    });
    const { secret: fresh } = await world.notifications.endpoints.rotateSecret(context, key);
    const [event] = await world.happen(paymentEvent({ data: { notificationUrl: `${receiver.url}/rotated` } }));
    const call = await eventually(() => callsOf(event?._id)[0]);
    for (const one of [secret, fresh]) new Webhook(one).verify(call.body, call.headers as Record<string, string>);
  });

  test('an account without a secret of the kind gets one at the first notification', async () => {
    const elsewhere = await world.vault.seal({ owner: 'gamma', field: 'notification.securityToken' }, securityToken);
    const event = paymentEvent({ accountId: 'gamma', data: { securityTokenSealed: elsewhere } });
    const [told] = await world.happen(event);
    const call = await eventually(() => callsOf(told?._id)[0]);
    expect(call.headers['webhook-signature']).toMatch(/^v1,/);
    const own = (await endpoints()).filter(({ accountId, addressKey }) => accountId === 'gamma' && addressKey === null);
    expect(own).toHaveLength(1);
  });

  test("what is addressed to the REST paths of this machine comes to the sandbox's own receiver", async () => {
    const notificationUrl = 'http://127.0.0.1:9/sandbox/receiver/order-1';
    const [event] = await world.happen(paymentEvent({ data: { notificationUrl } }));
    await until(event?._id, ({ status }) => status === 'DELIVERED');
    expect(callsOf(event?._id).map(({ path }) => path)).toEqual(['/sandbox/receiver/order-1']);
  });

  test.each(['http://10.0.0.1/n', 'https://169.254.169.254/n', 'ftp://example.com/', 'https://[::1]/n'])(
    'nothing is sent to %s',
    async (notificationUrl) => {
      const [event] = await world.happen(paymentEvent({ data: { notificationUrl } }));
      expect(await until(event?._id, ({ open }) => !open)).toMatchObject({ status: 'ENDED', reason: 'blockedTarget' });
      expect(world.notifications.judgeAddress(notificationUrl)).not.toBeNull();
    },
  );

  test('a token that cannot be opened now is not sent as anything else, and is tried again', async () => {
    const broken = { ...sealed, tag: Buffer.alloc(16).toString('base64') };
    const [event] = await world.happen(paymentEvent({ data: { securityTokenSealed: broken } }));
    const failed = await until(event?._id, ({ tries }) => tries === 1);
    expect(failed).toMatchObject({ status: 'PENDING', attempts: [{ result: 'notOpened', status: null }] });
    expect(callsOf(event?._id)).toHaveLength(0);
  });
});
