// A world for the money core: stores of its own, a clock moved by hand, two merchants' callers, and the sandbox's acquirer behind a door that can be shut.
import type { Connection } from 'mongoose';
import type { Acquirer } from '../../subgraphs/payments/connectors/acquirer';
import type { Charge, Money } from '../../subgraphs/payments/money/money';
import { createMoney, type MoneyDeps } from '../../subgraphs/payments/money/money.service';
import type { Instrument } from '../../subgraphs/payments/payment/instrument';
import type { Payment } from '../../subgraphs/payments/payment/payment';
import { createSandboxConnectors } from '../../subgraphs/payments/sandbox/sandbox-connectors.service';
import { type Caller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, type RequestContext, requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import type { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { type Committer, createCommitter } from '../../subgraphs/shared/store/committer';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';

const start = new Date('2026-11-21T10:00:00Z');
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** What happens at the acquirer's door; each is called before the sandbox acquirer hears of the call. */
interface Door {
  /** Replaces or delays what the acquirer says to the next calls. */
  beforeSend: () => Promise<void>;
  /** After the acquirer has booked the call, before its answer is heard. */
  afterSend: () => Promise<void>;
  sent: number;
}

export interface MoneyWorld {
  stores: TracedStores;
  connection: Connection;
  clock: ReturnType<typeof manualClock>;
  committer: Committer;
  money: Money;
  door: Door;
  alpha: Caller;
  beta: Caller;
  staff: Caller;
  /** The same stores seen by another process. */
  another(replace?: Partial<MoneyDeps>): Money;
  close(): Promise<void>;
}

export async function openMoneyWorld(replace: Partial<MoneyDeps> = {}): Promise<MoneyWorld> {
  const stores = await openTracedStores();
  const clock = manualClock(start);
  const { product, connection } = stores;
  const committer = createCommitter(product);
  const door: Door = { beforeSend: async () => undefined, afterSend: async () => undefined, sent: 0 };
  const simulated = createSandboxConnectors({
    connection: product,
    environment: 'sandbox',
    clock,
    methodOrigin: 'http://127.0.0.1:8084',
  });
  const acquirer = throughDoor(door, simulated.acquirer);
  const another = (more: Partial<MoneyDeps> = {}) =>
    createMoney({
      connection: product,
      inTransaction: createCommitter(product).inTransaction,
      clock,
      environment: 'sandbox',
      acquirer,
      alternativeMethods: simulated.alternativeMethods,
      answerMsMax: 60_000,
      ...replace,
      ...more,
    });
  const money = another({ inTransaction: committer.inTransaction });
  await money.ensureIndexes();
  await simulated.ensureIndexes();
  return {
    stores,
    connection,
    clock,
    committer,
    money,
    door,
    another,
    alpha: callerOf('alpha'),
    beta: callerOf('beta'),
    staff: { ...systemCaller('sandbox', 'staff'), kind: 'client', scopes: ['graph:admin', 'graph:read'] },
    async close() {
      await committer.drain();
      await stores.close();
    },
  };
}

function throughDoor(door: Door, acquirer: Acquirer): Acquirer {
  return {
    ...acquirer,
    async send(order) {
      door.sent += 1;
      await door.beforeSend();
      const answer = await acquirer.send(order);
      await door.afterSend();
      return answer;
    },
  };
}

/** The code of a refusal; `no refusal` when there was none. */
export function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no refusal',
    (error: DomainError) => error.code ?? String(error),
  );
}

/** The payment as it is stored now. */
export async function present({ money, alpha }: MoneyWorld, { paymentId }: Payment): Promise<Payment> {
  const payment = await money.readPayment(contextOf(alpha), paymentId);
  if (!payment) throw new Error('the payment is gone');
  return payment;
}

/** Its events in their order: sequence, type, operation type and result. */
export async function eventsOf({ connection }: MoneyWorld, { paymentId }: Payment): Promise<unknown[][]> {
  const found = connection.collection('events').find({ aggregateId: paymentId }).sort({ sequence: 1 });
  return (await found.toArray()).map(({ type, sequence, data }) => [
    sequence,
    type,
    data['operationType'],
    data['operationResult'],
  ]);
}

function callerOf(account: string): Caller {
  return {
    kind: 'client',
    credentialId: `client-${account}`,
    environment: 'sandbox',
    accountId: account,
    merchantId: `merchant-${account}`,
    scopes: ['payments:write', 'payments:read'],
    identifiers: [],
  };
}

export function contextOf(caller: Caller, idempotency?: Partial<IdempotencyKey>): RequestContext {
  return requestContext(
    caller,
    newId(),
    idempotency && { key: 'key', scope: 'POST /x', fingerprint: 'same', ...idempotency },
  );
}

type Opening = Partial<Parameters<Money['openPayment']>[0]>;

/** A payment of alpha over 100.00 EUR, stored. */
export async function openPayment({ money, committer }: MoneyWorld, opening: Opening = {}): Promise<Payment> {
  const { payment, inserts } = money.openPayment({
    environment: 'sandbox',
    accountId: 'alpha',
    merchantId: 'merchant-alpha',
    terminalId: 'terminal-1',
    family: 'checkout',
    orderId: newId().slice(0, 20),
    amountMinor: 10_000n,
    currency: 'EUR',
    captureType: 'EXPLICIT',
    details: {},
    operationDefaults: {
      customField: null,
      contractType: null,
      installmentQty: null,
      customerInfo: null,
      description: 'A basket',
      paymentLinkId: null,
      omnichannelId: null,
    },
    ...opening,
  });
  await committer.inTransaction({ inserts });
  return payment;
}

export function instrumentOf(
  { money, alpha }: MoneyWorld,
  number = '4242424242424242',
  threeDs = 'frictionless',
): Promise<Instrument> {
  const card = { number, expiry: '12/30', cvv: '123', holder: 'A Person' };
  return money.registerInstrument(contextOf(alpha), {
    accountId: 'alpha',
    merchantId: 'merchant-alpha',
    card,
    threeDs,
  });
}

/** Charges a fresh payment; the card says what comes of it. */
export async function chargeFresh(
  world: MoneyWorld,
  { number, opening, ...charge }: { number?: string; opening?: Opening } & Partial<Charge> = {},
) {
  const payment = await openPayment(world, opening);
  const instrument = await instrumentOf(world, number);
  return world.money.charge(contextOf(world.alpha), {
    paymentId: payment.paymentId,
    type: 'AUTHORIZATION',
    instrument,
    captureNow: false,
    amountMinor: payment.amountMinor ?? 0n,
    ...charge,
  });
}
