// Money core against alternative methods that are away: their circuit opens and closes by itself, the acquirer's is another one (payment interface; no answer from a connector).
import type { AlternativeMethod } from '../../subgraphs/payments/connectors/alternative-method';
import type { Money } from '../../subgraphs/payments/money/money';
import type { Instrument } from '../../subgraphs/payments/payment/instrument';
import { createMethodVisitRepository } from '../../subgraphs/payments/sandbox/alternative-method.repository';
import { createSandboxMethods } from '../../subgraphs/payments/sandbox/alternative-method.service';
import { DomainError } from '../../subgraphs/shared/errors';
import { chargeFresh, contextOf, type MoneyWorld, openMoneyWorld, openPayment, refusal } from './money-world';

const minuteMs = 60_000;
const circuit = { silencesMax: 3, openMs: minuteMs };
let world: MoneyWorld;
let money: Money;
let isAway: boolean;
let heard: string[];
let told: string[];

beforeEach(async () => {
  [isAway, heard, told] = [false, [], []];
  world = await openMoneyWorld({ answerMsMax: 60_000, circuit });
  money = aProcess();
});
afterEach(() => world.close());

/** The sandbox's methods behind a door that can be shut. */
function behindDoor(): AlternativeMethod {
  const methods = createSandboxMethods({
    visits: createMethodVisitRepository(world.connection, 'sandbox'),
    clock: world.clock,
    origin: 'http://127.0.0.1:8084',
  });
  const guarded = Object.entries(methods).map(([name, call]) => [
    name,
    async (...given: unknown[]) => {
      heard.push(name);
      if (isAway) throw new DomainError('unavailable', 'connection refused');
      return (call as (...all: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(guarded) as AlternativeMethod;
}
const aProcess = (openMs = minuteMs) =>
  world.another({
    alternativeMethods: behindDoor(),
    circuit: { ...circuit, openMs },
    observeMethods: ({ call, outcome }) => told.push(`${call} ${outcome}`),
  });
const alpha = () => contextOf(world.alpha);
const calls = () => world.connection.collection('acquirer_calls');
const wallet: Instrument = {
  reference: 'WALLET:good:1',
  method: 'APM',
  circuit: 'WALLET',
  info: 'wallet',
  card: null,
  additionalData: {},
  threeDs: 'none',
  endToEndId: null,
};
async function debit(by: Money) {
  const { paymentId } = await openPayment(world);
  const charge = { paymentId, type: 'AUTHORIZATION', amountMinor: 100n, captureNow: false } as const;
  return by.charge(alpha(), { ...charge, instrument: wallet });
}
async function silence(by: Money): Promise<string[]> {
  isAway = true;
  const results: string[] = [];
  for (let count = 0; count < circuit.silencesMax; count += 1) results.push((await debit(by)).operation.result);
  return results;
}

it('opens after silences in a row: a debit is refused and leaves nothing, a payer is not sent there, cards are charged', async () => {
  const paid = await debit(money);
  expect(await silence(money)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  const before = [await calls().countDocuments(), heard.length];
  await expect(debit(money)).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfterSeconds: expect.any(Number) },
  });
  expect(await refusal(money.refund(alpha(), { paymentId: paid.payment.paymentId }))).toBe('unavailable');
  const account = { accountId: 'alpha', kind: 'WALLET', secret: 'opaque' } as const;
  expect(await refusal(money.alternativeMethods.register(account))).toBe('unavailable');
  expect(await refusal(money.alternativeMethods.ask('a-visit'))).toBe('unavailable');
  expect([await calls().countDocuments(), heard.length]).toEqual(before);
  const { payment } = await chargeFresh({ ...world, money });
  expect((await money.capture(alpha(), { paymentId: payment.paymentId })).payment.state).toBe('Captured');
  expect(told.slice(-1)).toEqual(['debit unavailable']);
});

it('lets a debit through after a while, and closes with its answer', async () => {
  const halfOpenAtOnce = aProcess(0);
  await silence(halfOpenAtOnce);
  isAway = false;
  expect((await debit(halfOpenAtOnce)).operation.result).toBe('EXECUTED');
  expect((await debit(halfOpenAtOnce)).operation.result).toBe('EXECUTED');
});

it('the acquirer being away does not hold a debit back', async () => {
  const away = () => Promise.reject(new DomainError('unavailable', 'connection refused'));
  const cardless = world.another({ acquirer: { register: away, send: away, ask: away }, circuit });
  for (let count = 0; count < circuit.silencesMax; count += 1)
    await refusal(chargeFresh({ ...world, money: cardless }));
  expect((await debit(cardless)).operation.result).toBe('EXECUTED');
});

it('the janitor leaves methods that are away alone, goes on asking the acquirer, and settles the rest later', async () => {
  await silence(money);
  world.door.beforeSend = () => Promise.reject(new DomainError('unavailable', 'connection refused'));
  const { operation } = await chargeFresh({ ...world, money });
  expect(operation.result).toBe('PENDING');
  world.clock.advance(minuteMs);
  const asked = heard.length;
  expect(await money.settle()).toMatchObject({ settled: 1, postponed: 0 });
  expect(heard.length).toBe(asked);
  isAway = false;
  expect(await aProcess().settle()).toMatchObject({ settled: circuit.silencesMax });
  expect(heard.slice(asked)).toEqual(['askDebit', 'askDebit', 'askDebit']);
});
