// When the janitor looks at a session: its payer's steps move no entry of an index, its own look moves the moment on, and sessions of a release before are found without one.
import { createCheckoutSessionRepository } from '../../subgraphs/payments/sessions/checkout-session.repository';
import { checkoutSteps } from './checkout-steps';
import { type CheckoutWorld, card, minuteMs, openCheckoutWorld } from './checkout-world';

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
});
afterAll(() => world?.close());

const { sessionOf } = checkoutSteps(() => world);

const sessions = () => world.stores.connection.collection('checkout_sessions');
const stored = async (sessionId: string) => (await world.documents('checkout_sessions', { _id: sessionId }))[0];
const idleMs = 30 * minuteMs;
/** Afterwards no index leads anywhere else than before. */
const allEnd = async () => {
  world.clock.advance(2 * idleMs);
  await world.payments.expireSessions();
};

it('entering a card moves no entry of an index of sessions', async () => {
  const { data } = await world.build();
  const database = world.stores.connection.db;
  await database?.command({ profile: 2 });
  await world.run('FillCheckoutCard', { sessionId: data.sessionId, card: card() });
  await database?.command({ profile: 0 });
  const updates = await world.documents('system.profile', { op: 'update', ns: /\.checkout_sessions$/ });
  await database?.dropCollection('system.profile');
  expect(updates.length).toBeGreaterThan(0);
  const moved = ({ keysInserted = 0, keysDeleted = 0 }) => keysInserted + keysDeleted;
  expect(updates.map((update) => moved(update as object))).toEqual(updates.map(() => 0));
  await allEnd();
});

it('one that was touched meanwhile is looked at again when it will have been left alone', async () => {
  const { data } = await world.build();
  const { sessionId } = data;
  const began = await stored(sessionId);
  expect(began.idleCheckAt.getTime()).toBe(began.touchedAt.getTime() + idleMs);
  world.clock.advance(20 * minuteMs);
  await world.run('FillCheckoutCard', { sessionId, card: card() });
  const touched = await stored(sessionId);
  expect(touched.idleCheckAt).toEqual(began.idleCheckAt);
  world.clock.advance(15 * minuteMs);
  expect(await world.payments.expireSessions()).toBe(0);
  const putOff = await stored(sessionId);
  expect(putOff).toEqual({ ...touched, idleCheckAt: new Date(touched.touchedAt.getTime() + idleMs) });
  world.clock.advance(15 * minuteMs - 1);
  expect(await world.payments.expireSessions()).toBe(0);
  world.clock.advance(1);
  expect(await world.payments.expireSessions()).toBe(1);
  expect((await stored(sessionId)).state).toBe('PAYMENT_COMPLETE');
});

it.each([
  ['touched lately', 29 * minuteMs, 0],
  ['left alone', idleMs, 1],
])('one of a release before, %s', async (_, passedMs, ended) => {
  const sessionId = await sessionOf();
  await sessions().updateOne({ _id: sessionId as never }, { $unset: { idleCheckAt: true } });
  world.clock.advance(passedMs);
  expect(await world.payments.expireSessions()).toBe(ended);
  const { state, touchedAt, idleCheckAt } = await stored(sessionId);
  if (ended) expect(state).toBe('PAYMENT_COMPLETE');
  else expect(idleCheckAt.getTime()).toBe(touchedAt.getTime() + idleMs);
  await allEnd();
});

it('a page of the payment service is looked at from the first step of its payer on', async () => {
  const repository = createCheckoutSessionRepository(world.stores.connection);
  const sessionId = await sessionOf();
  const found = await repository.find(world.explicit, sessionId);
  if (!found) throw new Error('the session is there');
  const page = { ...found, family: 'paymentService', state: 'PAYMENT_INITIALIZATION' } as const;
  const { idleCheckAt } = repository.insertOf(page).document as { idleCheckAt?: Date };
  expect(idleCheckAt?.getTime()).toBe(8_640_000_000_000_000);
  const touchedAt = world.clock.now();
  const step = repository.updateOf(page, { state: 'PAYMENT_METHOD_SELECTION', touchedAt });
  expect(step.update).toMatchObject({ $set: { idleCheckAt: new Date(touchedAt.getTime() + idleMs) } });
  expect(repository.updateOf(page, { touchedAt }).update).not.toHaveProperty(['$set', 'idleCheckAt']);
  await allEnd();
});
