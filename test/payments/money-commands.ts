// Random histories of one payment: each step is done for real and in the reference model, and both must say the same (fast-check commands).
import type { Outcome } from '../../subgraphs/payments/money/money';
import type { Instrument } from '../../subgraphs/payments/payment/instrument';
import { DomainError } from '../../subgraphs/shared/errors';
import fc from '../support/properties';
import { contextOf, dayMs, hourMs, instrumentOf, type MoneyWorld, openPayment } from './money-world';
import type { Expected, Model, ModelCard } from './reference-model';
import * as reference from './reference-model';

const totalMinor = 10_000n;

/** One payment among others in a world. */
export interface Real {
  world: MoneyWorld;
  paymentId: string;
  /** Lets time pass for every payment of the world, and the janitor come by. */
  wait(ms: number): Promise<void>;
  /** As it was last seen; what refuses writes nothing, so it is the present one at the next look. */
  version: number;
  instruments: Record<ModelCard, Instrument>;
  authorizationId: string | null;
  captureIds: string[];
}

const numbers: Record<ModelCard, string> = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  denied: '4100000000000019',
  failed: '4000000000000119',
  pending: '4000000000000077',
  mute: '4000000000000259',
};

/** The cards of a world, registered once. */
export async function instrumentsOf(world: MoneyWorld): Promise<Real['instruments']> {
  const entries = await Promise.all(
    Object.entries(numbers).map(async ([card, number]) => [card, await instrumentOf(world, number)] as const),
  );
  return Object.fromEntries(entries) as Real['instruments'];
}

export async function newReal(world: MoneyWorld, instruments: Real['instruments'], wait: Real['wait']): Promise<Real> {
  const { paymentId, version } = await openPayment(world, { isIncremental: true, amountMinor: totalMinor });
  return { world, paymentId, wait, version, instruments, authorizationId: null, captureIds: [] };
}

type Step = fc.AsyncCommand<Model, Real>;

/** A step as a command: `expect` foretells it in the model, `run` does it. */
function step(
  name: string,
  {
    check,
    expect: foretell,
    run,
  }: {
    check?: (model: Model) => boolean;
    expect(model: Model, now: number): Expected;
    run(real: Real): Promise<Outcome>;
  },
): Step {
  return {
    check: (model) => check?.(model) ?? true,
    async run(model, real) {
      const expected = foretell(model, real.world.clock.now().getTime());
      const outcome = await run(real).catch((error: unknown) => {
        if (error instanceof DomainError) return { refusal: error.code };
        throw error;
      });
      if ('refusal' in outcome) return expect(outcome).toEqual(expected);
      expect({ result: outcome.operation.result }).toEqual(expected);
      const { payment, operation } = outcome;
      if (operation.type === 'AUTHORIZATION') real.authorizationId = operation.operationId;
      // An intent and its outcome, or an outcome alone.
      expect([real.version + 1, real.version + 2]).toContain(payment.version);
      await compare(model, real, payment.version);
    },
    toString: () => name,
  };
}

/** The payment as it is stored against the model. What was refused since the last look wrote nothing: its version is still `expectedVersion`. */
async function compare(model: Model, real: Real, expectedVersion: number | null): Promise<void> {
  const payment = await real.world.money.readPayment(context(real), real.paymentId);
  if (!payment) throw new Error('the payment is gone');
  const { state, authorizedMinor, capturedMinor, refundedMinor, entries, version } = payment;
  expect({ state, authorizedMinor, capturedMinor, refundedMinor, operations: entries.length, version }).toEqual({
    state: model.state,
    authorizedMinor: model.authorized,
    capturedMinor: model.captured,
    refundedMinor: model.refunded,
    operations: model.operations,
    version: expectedVersion ?? version,
  });
  expect(capturedMinor <= authorizedMinor && refundedMinor <= capturedMinor && refundedMinor >= 0n).toBe(true);
  real.version = version;
  real.captureIds = entries.filter(({ type }) => type === 'CAPTURE').map(({ operationId }) => operationId);
}

const amounts = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: totalMinor / 6n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: totalMinor }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, totalMinor + 1n, totalMinor) },
);
const maybeAmounts = fc.option(amounts, { nil: null, freq: 6 });
const by = fc.constantFrom('payment' as const, 'operation' as const);
const hasCharge = ({ hasCharge: isCharged }: Model) => isCharged;
const targetOf = (real: Real, named: 'payment' | 'operation') =>
  named === 'payment' ? { paymentId: real.paymentId } : { operationId: real.authorizationId ?? '' };
const context = ({ world }: Real) => contextOf(world.alpha);

const cards = fc.oneof(
  { weight: 12, arbitrary: fc.constant<ModelCard>('approved') },
  { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(numbers) as ModelCard[])) },
);

const charges = fc
  .record({
    amount: fc.oneof(
      { weight: 4, arbitrary: fc.bigInt({ min: totalMinor / 2n, max: totalMinor }) },
      { weight: 1, arbitrary: amounts },
    ),
    card: cards,
    captureNow: fc.nat(3).map((quarter) => quarter === 0),
  })
  .map((what) =>
    step(`charge ${what.amount} ${what.card}${what.captureNow ? ' at once' : ''}`, {
      expect: (model, now) => reference.charge(model, what, now),
      run: (real) =>
        real.world.money.charge(context(real), {
          paymentId: real.paymentId,
          type: 'AUTHORIZATION',
          amountMinor: what.amount,
          captureNow: what.captureNow,
          instrument: real.instruments[what.card],
        }),
    }),
  );

const raises = amounts.map((amountMinor) =>
  step(`raise ${amountMinor}`, {
    expect: (model, now) => reference.raise(model, amountMinor, now),
    run: (real) =>
      real.world.money.charge(context(real), {
        paymentId: real.paymentId,
        type: 'INCREMENTAL',
        amountMinor,
        captureNow: false,
        instrument: real.instruments.approved,
      }),
  }),
);

const captures = fc.tuple(by, maybeAmounts).map(([named, amountMinor]) =>
  step(`capture ${amountMinor ?? 'all'} by ${named}`, {
    check: (model) => named === 'payment' || hasCharge(model),
    expect: (model, now) => reference.capture(model, named, amountMinor, now),
    run: (real) => real.world.money.capture(context(real), { ...targetOf(real, named), amountMinor }),
  }),
);

const refunds = fc.tuple(by, maybeAmounts).map(([named, amountMinor]) =>
  step(`refund ${amountMinor ?? 'all'} by ${named}`, {
    check: (model) => named === 'payment' || hasCharge(model),
    expect: (model, now) => reference.refund(model, named === 'payment' ? named : 'authorization', amountMinor, now),
    run: (real) => real.world.money.refund(context(real), { ...targetOf(real, named), amountMinor }),
  }),
);

const refundsOfCapture = fc.tuple(fc.nat(), maybeAmounts).map(([nth, amountMinor]) =>
  step(`refund ${amountMinor ?? 'all'} of capture ${nth}`, {
    check: (model) => model.captures.length > 0,
    expect: (model, now) => reference.refund(model, nth % model.captures.length, amountMinor, now),
    run: (real) =>
      real.world.money.refund(context(real), {
        operationId: real.captureIds[nth % real.captureIds.length] ?? '',
        amountMinor,
      }),
  }),
);

const voids = by.map((named) =>
  step(`void by ${named}`, {
    check: (model) => named === 'payment' || hasCharge(model),
    expect: (model, now) => reference.undo(model, named, now),
    run: (real) => real.world.money.voidAuthorization(context(real), targetOf(real, named)),
  }),
);

const takeBacks = fc.nat().map((nth) =>
  step(`take back capture ${nth}`, {
    check: (model) => model.captures.length > 0,
    expect: (model, now) => reference.takeBack(model, nth % model.captures.length, now),
    run: (real) =>
      real.world.money.cancelCapture(context(real), {
        operationId: real.captureIds[nth % real.captureIds.length] ?? '',
      }),
  }),
);

const payerCancels = fc.constant(
  step('payer cancels', {
    expect: (model) => reference.payerCancels(model),
    run: (real) =>
      real.world.money.record(context(real), { paymentId: real.paymentId, type: 'CANCEL', result: 'CANCELED' }),
  }),
);

/** Time passes, and the janitor comes by. */
async function wait(model: Model, real: Real, ms: number): Promise<void> {
  await compare(model, real, real.version);
  await real.wait(ms);
  await compareLater(model, real);
}

/** The payment against the model after time has passed. */
export async function compareLater(model: Model, real: Real): Promise<void> {
  timePasses(model, real);
  await compare(model, real, null);
}

/** For the model alone. */
export function timePasses(model: Model, real: Real): void {
  reference.settle(model, real.world.clock.now().getTime());
}

const waits = fc.constantFrom(1, 3_000, 3_000, 60_000, 60_000, hourMs, hourMs, 13 * hourMs, dayMs, 7 * dayMs).map(
  (ms): Step => ({
    check: () => true,
    run: (model, real) => wait(model, real, ms),
    toString: () => `wait ${ms} ms`,
  }),
);

/** A history: mostly it begins with a charge that goes somewhere. */
export interface History {
  opening: Step | null;
  steps: Iterable<Step>;
}

export function histories(stepsMax: number): fc.Arbitrary<History> {
  const after = [raises, captures, captures, refunds, refundsOfCapture, refundsOfCapture, voids, takeBacks, waits];
  return fc.record({
    opening: fc.option(charges, { nil: null, freq: 9 }),
    steps: fc.commands([charges, payerCancels, ...after], { maxCommands: stepsMax, size: 'max' }),
  });
}

/** Runs a history on a fresh payment; rejects at the first divergence. */
export async function play({ opening, steps }: History, real: Real): Promise<Model> {
  const model = reference.newModel(totalMinor);
  await opening?.run(model, real);
  await fc.asyncModelRun(() => ({ model, real }), steps);
  await compare(model, real, real.version);
  return model;
}
