// The money core: wires decisions, calls and records into the operations that the rest of the domain calls (payment service and B, Operation object).
import type { Connection } from 'mongoose';
import { type Environment, systemCaller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { type CircuitLimits, circuitLimits, type ObserveCall } from '../../shared/circuit';
import type { Clock } from '../../shared/clock';
import { createDeadline } from '../../shared/deadline';
import { DomainError } from '../../shared/errors';
import { newOrderedId } from '../../shared/ids';
import { withoutUndefined } from '../../shared/present-members';
import { slotOf } from '../../shared/store/slot';
import { type InTransaction, together, WriteConflict } from '../../shared/store/unit-of-work';
import type { Acquirer, CardToRegister } from '../connectors/acquirer';
import type { AlternativeMethod } from '../connectors/alternative-method';
import { maskCard } from '../connectors/card-brand';
import {
  type AcquirerCallName,
  type Connectors,
  guardAcquirer,
  guardMethods,
  type MethodCallName,
} from '../connectors/connectors';
import { createOperationRepository } from '../operations/operation.repository';
import { callOfOperation, decideNextAsk } from '../payment/acquirer-call';
import type { Instrument } from '../payment/instrument';
import type { Payment } from '../payment/payment';
import { createPaymentRepository } from '../payment/payment.repository';
import { busy, createKeyedMutex, deadlineMs, findQuiet, isQuiet } from '../payment/payment-lock.service';
import { decideTransition } from '../payment/transitions';
import { createAcquirerCallRepository } from './acquirer-call.repository';
import { outcomeUnit, perform } from './acquirer-call.service';
import { type CallDeps, newCall } from './acquirer-intent.service';
import { decisions, type PostAction } from './actions';
import { decideCharge, decideRecording, newPayment } from './authorize';
import type { Alongside, Money, Outcome, PostOperation, Recording } from './money';
import { captureBatch, type SettleDeps, settleAll } from './money-janitor.service';

export interface MoneyDeps {
  connection: Connection;
  inTransaction: InTransaction;
  clock: Clock;
  environment: Environment;
  /** How long an authorization holds, on the one clock; seven days when absent. */
  authorizationMs?: number;
  /** A provider's connectors, or the sandbox's. */
  acquirer: Acquirer;
  alternativeMethods: AlternativeMethod;
  /** Longest wait for one answer of a connector; real time. */
  answerMsMax?: number;
  /** When a connector's circuit opens, and for how long. */
  circuit?: Pick<CircuitLimits, 'silencesMax' | 'openMs'>;
  /** Told about every call to the acquirer. */
  observeAcquirer?: ObserveCall<AcquirerCallName>;
  /** Told about every call to an alternative method. */
  observeMethods?: ObserveCall<MethodCallName>;
  /** Writes of the rest of the domain when the janitor learns an outcome: the session that waits for it is completed. */
  settledAlongside?: Alongside;
}

const sevenDaysMs = 7 * 86_400_000;

/** Wires the money core; nothing is read before the first call. */
export function createMoney(deps: MoneyDeps): Money {
  const { connection, clock, environment } = deps;
  const payments = createPaymentRepository(connection);
  const operations = createOperationRepository(connection);
  const calls = createAcquirerCallRepository(connection, environment);
  const connectors = connectorsOf(deps);
  const core: CallDeps = {
    payments,
    operations,
    calls,
    connectors,
    clock,
    inTransaction: deps.inTransaction,
    limits: { authorizationMs: deps.authorizationMs ?? sevenDaysMs },
    runExclusive: createKeyedMutex(deadlineMs, busy),
  };
  const post = (action: PostAction) => (context: RequestContext, input: PostOperation) =>
    afterwards(core, context, action, input);
  const capture = post('capture');
  const settling: SettleDeps = {
    ...core,
    environment,
    capture,
    settledAlongside: deps.settledAlongside,
  };

  return {
    openPayment(input) {
      const payment = newPayment(input, input.paymentId ?? newOrderedId(slotOf(input)), clock.now());
      return { payment, inserts: [payments.insertOf(payment)] };
    },
    charge: (context, input) =>
      perform(core, context, {
        name: 'charge',
        target: { paymentId: input.paymentId },
        decide: ({ payment }) => decideCharge(payment, input, clock.now()),
        ...withoutUndefined({
          seen: input.seen,
          alongside: input.alongside,
          beginning: input.beginning,
          claim: input.claim,
        }),
      }),
    record: (context, input) => core.runExclusive(input.paymentId, () => record(core, context, input)),
    capture,
    refund: post('refund'),
    voidAuthorization: post('void'),
    cancelCapture: post('cancelCapture'),
    registerInstrument: (_context, input) => registerInstrument(connectors.acquirer, input),
    setState(payment, trigger) {
      const state = decideTransition(payment.state, trigger);
      if (!state) throw new DomainError('invalidState', `The payment is ${payment.state}.`);
      if (state === payment.state) return [];
      const next: Payment = { ...payment, state, updatedAt: clock.now(), version: payment.version + 1 };
      return [payments.updateOf(payment, next)];
    },
    settle: (stopping, slots) => settleAll(settling, stopping, slots),
    captureBatch: (context) => captureBatch(settling, context),
    readOperation: ({ caller }, operationId) => operations.find(caller, operationId),
    readPayment: ({ caller }, paymentId) => payments.find(caller, paymentId),
    listCalls: (operationIds) => listCalls(core, environment, operationIds),
    findPayment: (caller, paymentId) => payments.find(caller, paymentId),
    findPayments: (caller, paymentIds) => payments.findMany(caller, paymentIds),
    alternativeMethods: connectors.alternativeMethods,
    async ensureIndexes() {
      await Promise.all([payments, operations, calls].map((repository) => repository.ensureIndexes()));
    },
  };
}

/** A call that stayed open has a record of its own; of every other its operation tells. */
async function listCalls({ calls, operations }: CallDeps, environment: Environment, operationIds: readonly string[]) {
  const kept = await calls.listByOperations(operationIds);
  const known = new Set(kept.map(({ operationId }) => operationId));
  const others = operationIds.filter((id) => !known.has(id));
  const found = others.length > 0 ? await operations.findMany(systemCaller(environment, 'money'), others) : [];
  return [...kept, ...found.flatMap((operation) => callOfOperation(operation) ?? [])];
}

function connectorsOf(deps: MoneyDeps): Connectors {
  const callTimeoutMs = deps.answerMsMax ?? circuitLimits.callTimeoutMs;
  const limits = { ...circuitLimits, ...deps.circuit, callTimeoutMs };
  return {
    acquirer: guardAcquirer(deps.acquirer, limits, deps.observeAcquirer),
    alternativeMethods: guardMethods(deps.alternativeMethods, limits, deps.observeMethods),
  };
}

function afterwards(
  core: CallDeps,
  context: RequestContext,
  action: PostAction,
  input: PostOperation,
): Promise<Outcome> {
  return perform(core, context, {
    name: action,
    target: input,
    decide: ({ payment, target }) => decisions[action]({ payment, target, input, now: core.clock.now() }),
    ...withoutUndefined({ seen: input.seen, alongside: input.alongside, claim: input.claim }),
  });
}

/** Load, decide, save: no acquirer, so no intent. */
async function record(core: CallDeps, context: RequestContext, input: Recording): Promise<Outcome> {
  const { result } = input;
  const isOver = createDeadline(deadlineMs);
  for (;;) {
    const seen = input.seen && isQuiet(input.seen) ? input.seen : null;
    const payment = seen ?? (await findQuiet(core, context.caller, input.paymentId));
    const at = core.clock.now();
    const planned = decideRecording(payment, input);
    const call = {
      ...newCall(core, payment, { planned, requestKey: null, requestId: context.requestId }),
      ...withoutUndefined({ callId: input.visitId || undefined }),
    };
    const known = { result, endToEndId: input.endToEndId ?? null, additionalData: {} };
    const { outcome, unit } = outcomeUnit(core, { payment, call, known, at });
    // Only what stays open leaves a call behind, for the janitor to ask about.
    const open = {
      ...call,
      state: 'OPEN' as const,
      lostAt: null,
      askAt: decideNextAsk(call, at).askAt,
      steps: [{ at, step: 'CALLED' as const, outcome: result }],
    };
    const ofCall = result === 'PENDING' ? { inserts: [core.calls.insertOf(open)] } : {};
    try {
      await core.inTransaction(together(ofCall, unit, await input.alongside?.(outcome)));
      return outcome;
    } catch (error) {
      if (!(error instanceof WriteConflict) || input.seen || isOver()) throw error;
    }
  }
}

async function registerInstrument(acquirer: Acquirer, input: CardToRegister): Promise<Instrument> {
  const { number, expiry } = input.card;
  const { reference, circuit, additionalData } = await acquirer.register(input);
  return {
    reference,
    method: 'CARD',
    circuit,
    info: maskCard(number),
    additionalData,
    threeDs: input.threeDs,
    card: { bin: number.slice(0, 6), lastFour: number.slice(-4), expiry },
    endToEndId: null,
  };
}
