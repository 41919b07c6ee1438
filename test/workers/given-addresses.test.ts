// Endpoints of addresses that come with orders: one for all orders of a merchant, bounded in number, and each call at its own full address.
import mongoose from 'mongoose';
import { type Callback, newSigningSecret } from '../../subgraphs/notifications';
import { createGivenEndpoints } from '../../subgraphs/notifications/callbacks/given-endpoint.repository';
import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId, sha256 } from '../../subgraphs/shared/ids';
import type { NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { eventually } from '../support/stores';
import { paymentEventOf, securityToken } from './payment-event';
import { type Receiver, startReceiver } from './receiver';
import { account, openWorld, type World } from './world';

let world: World;
let receiver: Receiver;
let sealed: Sealed;

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  sealed = await world.vault.seal({ owner: account, field: 'notification.securityToken' }, securityToken);
  const secret = newSigningSecret();
  await world.notifications.seedEndpoint({ accountId: account, kind: 'merchant-notification', secret });
  world.startOutbox();
  world.startCallbacks();
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const paymentEvent = (partial: Partial<NewEvent>) =>
  paymentEventOf({ sealed, notificationUrl: `${receiver.url}/notify` }, partial);
const callsOf = (eventId: string | undefined) => receiver.received.filter((call) => call.eventId === eventId);
const until = (eventId: string | undefined, reached: (callback: Callback) => boolean) =>
  eventually(async () => {
    const callback = (await world.callbacks()).find((one) => one.eventId === eventId);
    return callback && reached(callback) ? callback : null;
  });
const endpoints = () =>
  world.stores.connection.collection('callback_endpoints').find({ kind: 'merchant-notification' }).toArray();

test('an address with the order in it is one endpoint for all orders, and each is called at its own', async () => {
  const before = (await endpoints()).length;
  const orders = Array.from({ length: 30 }, (_, index) => `order-${index}`);
  const urlOf = (orderId: string) => `${receiver.url}/orders/${orderId}/notify?session=${newId()}&lang=it`;
  const events = orders.map((orderId) => paymentEvent({ data: { orderId, notificationUrl: urlOf(orderId) } }));
  const told = await world.happen(...events);
  for (const { _id, data } of told) {
    const { endpointId } = await until(_id, ({ status }) => status === 'DELIVERED');
    const endpoint = await world.notifications.stores.endpoints.load(endpointId);
    expect(endpoint?.address).toBe(`${receiver.url}/orders/{id}/notify?session={id}&lang=it`);
    expect(`${receiver.url}${callsOf(_id)[0]?.path}`).toBe(data['notificationUrl']);
  }
  expect(await endpoints()).toHaveLength(before + 1);
  const other = paymentEvent({ merchantId: 'merchant-alpha-2', data: { notificationUrl: urlOf('order-1') } });
  const [ofOther] = await world.happen(other);
  await until(ofOther?._id, ({ status }) => status === 'DELIVERED');
  expect(await endpoints()).toHaveLength(before + 2);
});

test('more addresses of one origin than are told apart share one endpoint', async () => {
  const words = Array.from(
    { length: 80 },
    (_, index) => `w${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`,
  );
  const url = (word: string) => `https://many.invalid/${word}`;
  await world.happen(...words.map((word) => paymentEvent({ data: { notificationUrl: url(word) } })));
  const ofOrigin = async () =>
    (await endpoints()).map(({ address }) => String(address)).filter((address) => address.includes('many.invalid'));
  await eventually(async () => (await ofOrigin()).includes('https://many.invalid/*'));
  const rows = () => world.stores.connection.collection('deliveries').countDocuments({ address: /many.invalid/ });
  await eventually(async () => (await rows()) === 80 - 64);
  expect(await ofOrigin()).toHaveLength(65);
});

test('however many addresses of an event batch are new, they take a few commands: the leader has a deadline for it', async () => {
  const connection = await mongoose.createConnection(world.stores.mongoUri, { monitorCommands: true }).asPromise();
  const sent: string[] = [];
  connection.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  const merchantId = 'merchant-new';
  const given = (path: string) => ({
    environment: 'sandbox' as const,
    accountId: account,
    kind: 'merchant-notification' as const,
    address: `https://batch.invalid/${path}`,
    merchantId,
    facts: { passing: [], lasting: [] },
  });
  const words = Array.from({ length: 80 }, (_, index) => String.fromCharCode(97 + (index % 26), 97 + index / 26));
  const own = createGivenEndpoints(connection);
  const found = await own.endpointsOf(words.map(given), new Date());
  expect(sent.length).toBeLessThanOrEqual(4);
  expect(new Set(found.map(({ endpointId }) => endpointId)).size).toBe(65);
  expect(await createGivenEndpoints(connection).endpointsOf(words.map(given), new Date())).toEqual(found);
  await connection.close();
});

test('endpoints of a former version, one for each order, are merged with their callbacks when the data is prepared', async () => {
  const { connection } = world.stores;
  const [event] = await world.happen(paymentEvent({ data: { notificationUrl: `${receiver.url}/former/order-1` } }));
  const { endpointId } = await until(event?._id, ({ status }) => status === 'DELIVERED');
  const collection = connection.collection('callback_endpoints');
  const [callbacks, made] = [
    connection.collection('deliveries'),
    await collection.findOne({ _id: endpointId as never }),
  ];
  const kept = await callbacks.findOne({ eventId: event?._id });
  const former = async (name: string, address: string, open: boolean, state = 'HEALTHY') => {
    const health = { ...made?.['health'], state };
    const lease = { owner: '', until: new Date(0), fence: 1, rings: 0, isInherited: false };
    const addressKey = sha256(address);
    await collection.insertOne({ ...made, _id: name as never, address, addressKey, health, lease });
    const { address: _address, ...row } = (kept ?? {}) as Record<string, unknown>;
    const dueAt = new Date(Date.now() + 3_600_000_000);
    await callbacks.insertOne({ ...row, _id: name as never, eventId: name, endpointId: name, open, dueAt });
  };
  await former('a', `${receiver.url}/former/8d1f7c3e9a`, false);
  // More than are moved at once.
  const more = Array.from({ length: 501 }, (_, index) => `a${index}`);
  const { _id, ...ofA } = (await callbacks.findOne({ _id: 'a' as never })) as Record<string, unknown>;
  await callbacks.insertMany(more.map((name) => ({ ...ofA, _id: name as never, eventId: name })));
  await former('b', `${receiver.url}/former/8d1f7c3e9b`, true);
  await former('c', `${receiver.url}/former/8d1f7c3e9c`, false, 'DISABLED');
  await former('d', `${receiver.url}/static/address`, false);
  await world.notifications.ensureIndexes();
  expect(await callbacks.countDocuments({ endpointId: 'a' })).toBe(0);
  await world.notifications.ensureIndexes();
  const left = await collection.find({ _id: { $in: ['a', 'b', 'c', 'd'] as never[] } }).toArray();
  expect(left.map(({ _id }) => String(_id)).sort()).toEqual(['b', 'c', 'd']);
  expect(await callbacks.findOne({ _id: 'a' as never })).toMatchObject({
    address: `${receiver.url}/former/8d1f7c3e9a`,
  });
  const target = await callbacks.findOne({ _id: 'a' as never });
  expect(await collection.findOne({ _id: target?.['endpointId'] })).toMatchObject({
    address: `${receiver.url}/former/{id}`,
  });
  const moved = await callbacks.find({ _id: { $in: more as never[] } }).toArray();
  expect(moved.map(({ endpointId: own }) => own)).toEqual(Array(more.length).fill(target?.['endpointId']));
  expect(moved[0]).toEqual({ ...target, _id: moved[0]?._id, eventId: moved[0]?.['eventId'] });
  await callbacks.deleteMany({ _id: { $in: ['a', 'b', 'c', 'd', ...more] as never[] } });
});
