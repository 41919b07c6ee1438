// The claim of an idempotency key goes with the intent: whoever dies between intent, call, outcome and answer is gone on with, and the acquirer is asked once (2.4-B of the decision register).
import { randomBytes } from 'node:crypto';
import type { Money, Outcome } from '../../subgraphs/payments/money/money';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { keyringFor } from '../support/vault';
import { chargeFresh, contextOf, eventsOf, type MoneyWorld, openMoneyWorld, present, refusal } from './money-world';

const secret = randomBytes(32).toString('base64');
let world: MoneyWorld;
beforeEach(async () => {
  world = await openMoneyWorld();
  await aProcess().ensureIndexes();
  // MongoDB goes by its own clock, and would remove the keys of this world's past within a minute.
  await collection('idempotency_keys').dropIndex('expiresAt_1');
});
/** Requests that hang for as long as a test lasts, and what ends them. */
let hanging: { end: () => void; ended: Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { end } of hanging) end();
  await Promise.all(hanging.map(({ ended }) => ended));
  hanging = [];
  await world.close();
});

/** Begins a capture whose process stands still there; resolves once it does. */
function standsStill(at: 'beforeSend' | 'afterSend', operationId: string): Promise<void> {
  let end: () => void = () => undefined;
  const still = new Promise<void>((_, reject) => {
    end = () => reject(new Error('over'));
  });
  still.catch(() => undefined);
  const arrived = new Promise<void>((resolve) => {
    world.door[at] = () => {
      resolve();
      return still;
    };
  });
  const ended = aProcess()
    .capture(operationId)
    .catch(() => undefined);
  hanging.push({ end, ended });
  return arrived;
}

const collection = (name: string) => world.connection.collection<{ _id: string }>(name);
const keys = () => collection('idempotency_keys').find().toArray();

/** Idempotency and money of a process of its own. */
function aProcess(money: Money = world.another()) {
  const vault = createVault(world.connection, keyringFor({ current: secret, previous: '' }));
  const { onceBegun, ensureIndexes } = createIdempotent({ connection: world.connection, clock: world.clock, vault });
  const capture = (operationId: string, amountMinor = 4_000n, fingerprint = 'same'): Promise<unknown> =>
    onceBegun(contextOf(world.alpha, { fingerprint }), 'capture', async (claim) => {
      const alongside = ({ operation }: Outcome) => claim.complete(operation.operationId);
      const context = contextOf(world.alpha, { fingerprint });
      const { operation } = await money.capture(context, { operationId, amountMinor, claim, alongside });
      return operation.operationId;
    });
  return { capture, ensureIndexes };
}

const authorized = async () => {
  const { payment, operation } = await chargeFresh(world);
  return { payment, operationId: operation.operationId };
};
const booked = () => collection('sandbox_acquirer_orders').countDocuments({ kind: 'capture', refused: false } as never);
/** The request that runs is taken to be dead. */
const die = () => collection('idempotency_keys').updateMany({}, { $set: { runningUntil: new Date(0) } });

it('is committed with the intent, and with nothing before it', async () => {
  const { payment, operationId } = await authorized();
  await standsStill('beforeSend', operationId);
  expect(await keys()).toMatchObject([{ state: 'running' }]);
  expect((await present(world, payment)).underway?.plan.amountMinor).toBe(4_000n);
  expect(await refusal(aProcess().capture(operationId))).toBe('duplicateInFlight');
  expect(await refusal(aProcess().capture(operationId, 5_000n, 'other'))).toBe('idempotencyMismatch');
  expect(world.door.sent).toBe(2);
});

it('of many at once in two processes asks the acquirer once', async () => {
  const { payment, operationId } = await authorized();
  const processes = [aProcess(), aProcess()];
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => processes[index % 2]?.capture(operationId).catch(({ code }) => code)),
  );
  const done = new Set(answers.filter((answer) => answer !== 'duplicateInFlight'));
  expect(done.size).toBe(1);
  expect([await booked(), (await present(world, payment)).capturedMinor]).toEqual([1, 4_000n]);
  expect(done).toContain(await aProcess().capture(operationId));
});

it.each(['beforeSend', 'afterSend'] as const)('of a process that died %s is taken over with its call', async (at) => {
  const { payment, operationId } = await authorized();
  await standsStill(at, operationId);
  world.door[at] = async () => undefined;
  await die();
  const captured = await aProcess().capture(operationId);
  expect(await aProcess().capture(operationId)).toBe(captured);
  expect([await booked(), (await present(world, payment)).capturedMinor]).toEqual([1, 4_000n]);
  expect((await eventsOf(world, payment)).map(([, , type]) => type)).toEqual(['AUTHORIZATION', 'CAPTURE']);
});

it('of a process that died after the janitor had recorded the outcome finds that outcome', async () => {
  const { payment, operationId } = await authorized();
  await standsStill('afterSend', operationId);
  world.door.afterSend = async () => undefined;
  await collection('payments').updateOne({ _id: payment.paymentId }, { $set: { 'underway.lostAt': new Date(0) } });
  expect(await world.money.settle()).toMatchObject({ settled: 1 });
  await die();
  const captured = await aProcess().capture(operationId);
  const { entries, capturedMinor } = await present(world, payment);
  expect([captured, capturedMinor]).toEqual([entries[1]?.operationId, 4_000n]);
  expect(await booked()).toBe(1);
  const [told] = await world.money.listCalls([String(captured)]);
  expect(told?.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(['ASKED EXECUTED']);
});

it('whose outcome could not be recorded stays with its call: a repetition records it', async () => {
  const { payment, operationId } = await authorized();
  world.door.afterSend = () => Promise.reject(new Error('gone wrong'));
  expect(await refusal(aProcess().capture(operationId))).toMatch(/gone wrong/);
  world.door.afterSend = async () => undefined;
  await aProcess().capture(operationId);
  expect([await booked(), (await present(world, payment)).capturedMinor]).toEqual([1, 4_000n]);
});

it('is one write with the refusal where there is no intent, and says it again', async () => {
  const { operationId } = await authorized();
  const tooMuch = () => refusal(aProcess().capture(operationId, 10_001n));
  expect(await tooMuch()).toBe('amountAboveAuthorized');
  expect(await keys()).toMatchObject([{ state: 'done' }]);
  expect(await tooMuch()).toBe('amountAboveAuthorized');
  expect(await refusal(aProcess().capture(operationId, 1n, 'other'))).toBe('idempotencyMismatch');
  expect(world.door.sent).toBe(1);
});

it('of a release that claimed before the intent, and died between, is taken over', async () => {
  const { payment, operationId } = await authorized();
  expect(await refusal(aProcess().capture(operationId, 10_001n))).toBe('amountAboveAuthorized');
  const running = { state: 'running', owner: 'dead', result: null, runningUntil: new Date(0) };
  await collection('idempotency_keys').updateMany({}, { $set: running } as never);
  await aProcess().capture(operationId);
  expect([await booked(), (await present(world, payment)).capturedMinor]).toEqual([1, 4_000n]);
});
